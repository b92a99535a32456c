/// The money went back.
package struct PagamentoEstornado: Evento {
    package static let tipo = "pagamentos.PagamentoEstornado"

    package let pagamento: PagamentoID
    package let causa: CausaDaCobranca
    /// Who owes it, or to whom it goes back.
    package let usuario: UsuarioID
    /// Whose revenue it will be; absent where it belongs to no unit.
    package let unidade: UnidadeID?
    package let estorno: EstornoID
    package let transacao: TransacaoID
    package let valor: Dinheiro
    /// What the provider calls the giving back.
    package let referencia: String?
    package let em: Instante

    package init(
        pagamento: PagamentoID,
        causa: CausaDaCobranca,
        usuario: UsuarioID,
        unidade: UnidadeID? = nil,
        estorno: EstornoID,
        transacao: TransacaoID,
        valor: Dinheiro,
        referencia: String? = nil,
        em: Instante
    ) {
        self.pagamento = pagamento
        self.causa = causa
        self.usuario = usuario
        self.unidade = unidade
        self.estorno = estorno
        self.transacao = transacao
        self.valor = valor
        self.referencia = referencia
        self.em = em
    }
}

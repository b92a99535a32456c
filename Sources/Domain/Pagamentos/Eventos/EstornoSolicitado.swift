/// Money is to go back. The provider has not been asked yet.
package struct EstornoSolicitado: Evento {
    package static let tipo = "pagamentos.EstornoSolicitado"

    package let pagamento: PagamentoID
    package let causa: CausaDaCobranca
    /// Who owes it, or to whom it goes back.
    package let usuario: UsuarioID
    /// Whose revenue it will be; absent where it belongs to no unit.
    package let unidade: UnidadeID?
    package let estorno: EstornoID
    /// The payment that it is taken from.
    package let transacao: TransacaoID
    /// What the provider calls that payment.
    package let referencia: String?
    /// Never more than what is left of the payment.
    package let valor: Dinheiro
    package let motivo: MotivoDoEstorno
    /// Why it was too late, where `motivo` says that it was; absent from what was recorded before this was.
    package let razao: RazaoDoAtraso?
    /// The operator, when one asked for it.
    package let por: UsuarioID?
    package let justificativa: Selado?
    package let em: Instante

    package init(
        pagamento: PagamentoID,
        causa: CausaDaCobranca,
        usuario: UsuarioID,
        unidade: UnidadeID? = nil,
        estorno: EstornoID,
        transacao: TransacaoID,
        referencia: String? = nil,
        valor: Dinheiro,
        motivo: MotivoDoEstorno,
        razao: RazaoDoAtraso? = nil,
        por: UsuarioID? = nil,
        justificativa: Selado? = nil,
        em: Instante
    ) {
        self.pagamento = pagamento
        self.causa = causa
        self.usuario = usuario
        self.unidade = unidade
        self.estorno = estorno
        self.transacao = transacao
        self.referencia = referencia
        self.valor = valor
        self.motivo = motivo
        self.razao = razao
        self.por = por
        self.justificativa = justificativa
        self.em = em
    }
}

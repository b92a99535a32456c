/// The provider has the money.
package struct PagamentoAprovado: Evento {
    package static let tipo = "pagamentos.PagamentoAprovado"

    package let pagamento: PagamentoID
    package let causa: CausaDaCobranca
    /// Who owes it, or to whom it goes back.
    package let usuario: UsuarioID
    /// Whose revenue it will be; absent where it belongs to no unit.
    package let unidade: UnidadeID?
    package let transacao: TransacaoID
    package let metodo: MetodoDePagamento
    package let valor: Dinheiro
    /// What the provider calls the payment: a PIX's end-to-end id.
    package let referencia: String?
    /// Whether it pays the charge. What does not (paid twice, or another amount than is owed) is given back in the same append.
    package let quita: Bool
    /// Whether the charge had closed before.
    package let tardio: Bool
    package let em: Instante

    package init(
        pagamento: PagamentoID,
        causa: CausaDaCobranca,
        usuario: UsuarioID,
        unidade: UnidadeID? = nil,
        transacao: TransacaoID,
        metodo: MetodoDePagamento,
        valor: Dinheiro,
        referencia: String? = nil,
        quita: Bool,
        tardio: Bool,
        em: Instante
    ) {
        self.pagamento = pagamento
        self.causa = causa
        self.usuario = usuario
        self.unidade = unidade
        self.transacao = transacao
        self.metodo = metodo
        self.valor = valor
        self.referencia = referencia
        self.quita = quita
        self.tardio = tardio
        self.em = em
    }
}

/// What is owed changed before it was paid. Tries to pay the old amount no longer count.
package struct CobrancaAlterada: Evento {
    package static let tipo = "pagamentos.CobrancaAlterada"

    package let pagamento: PagamentoID
    package let causa: CausaDaCobranca
    package let de: Dinheiro
    /// More than zero.
    package let para: Dinheiro
    package let em: Instante

    package init(
        pagamento: PagamentoID,
        causa: CausaDaCobranca,
        de: Dinheiro,
        para: Dinheiro,
        em: Instante
    ) {
        self.pagamento = pagamento
        self.causa = causa
        self.de = de
        self.para = para
        self.em = em
    }
}

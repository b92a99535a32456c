/// Whoever tried to pay was told what became of it, after a message of the provider had said so and had been recorded. It changes nothing:
/// it keeps the answer, for whoever asks again.
package struct TentativaRespondida: Evento {
    package static let tipo = "pagamentos.TentativaRespondida"

    package let pagamento: PagamentoID
    package let causa: CausaDaCobranca
    package let transacao: TransacaoID
    package let metodo: MetodoDePagamento
    package let valor: Dinheiro
    /// Why it was refused; nil where it was approved.
    package let recusa: MotivoDaRecusa?
    package let em: Instante

    package init(
        pagamento: PagamentoID,
        causa: CausaDaCobranca,
        transacao: TransacaoID,
        metodo: MetodoDePagamento,
        valor: Dinheiro,
        recusa: MotivoDaRecusa?,
        em: Instante
    ) {
        self.pagamento = pagamento
        self.causa = causa
        self.transacao = transacao
        self.metodo = metodo
        self.valor = valor
        self.recusa = recusa
        self.em = em
    }
}

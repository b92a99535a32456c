/// The provider refused a try to pay. The charge stays open for another.
package struct PagamentoRecusado: Evento {
    package static let tipo = "pagamentos.PagamentoRecusado"

    package let pagamento: PagamentoID
    package let causa: CausaDaCobranca
    package let transacao: TransacaoID
    package let metodo: MetodoDePagamento
    package let motivo: MotivoDaRecusa
    package let em: Instante

    package init(
        pagamento: PagamentoID,
        causa: CausaDaCobranca,
        transacao: TransacaoID,
        metodo: MetodoDePagamento,
        motivo: MotivoDaRecusa,
        em: Instante
    ) {
        self.pagamento = pagamento
        self.causa = causa
        self.transacao = transacao
        self.metodo = metodo
        self.motivo = motivo
        self.em = em
    }
}

/// The provider will not give the money back: what was held for it is there again, and somebody has to see to it.
package struct EstornoRecusado: Evento {
    package static let tipo = "pagamentos.EstornoRecusado"

    package let pagamento: PagamentoID
    package let causa: CausaDaCobranca
    package let estorno: EstornoID
    package let transacao: TransacaoID
    package let valor: Dinheiro
    package let motivo: MotivoDaRecusa
    package let em: Instante

    package init(
        pagamento: PagamentoID,
        causa: CausaDaCobranca,
        estorno: EstornoID,
        transacao: TransacaoID,
        valor: Dinheiro,
        motivo: MotivoDaRecusa,
        em: Instante
    ) {
        self.pagamento = pagamento
        self.causa = causa
        self.estorno = estorno
        self.transacao = transacao
        self.valor = valor
        self.motivo = motivo
        self.em = em
    }
}

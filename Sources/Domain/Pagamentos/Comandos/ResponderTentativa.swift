/// Whoever tries to pay gets the provider's answer, which a message of the provider may have brought here before.
package struct ResponderTentativa: Hashable, Sendable {
    package let transacao: TransacaoID
    package let metodo: MetodoDePagamento
    package let valor: Dinheiro
    /// Nil where the try was approved.
    package let recusa: MotivoDaRecusa?
    package let agora: Instante

    package init(transacao: TransacaoID, metodo: MetodoDePagamento, valor: Dinheiro, recusa: MotivoDaRecusa?, agora: Instante) {
        self.transacao = transacao
        self.metodo = metodo
        self.valor = valor
        self.recusa = recusa
        self.agora = agora
    }

    /// To be recorded by the request of whoever pays, where it has nothing else to record: without it a repeat of the request would find
    /// the charge paid, and no trace of having paid it.
    package func decidir(pagamento estado: Pagamento) throws(RecusaDePagamentos) -> [EventosDoFluxo] {
        guard let dados = estado.dados, dados.pagamento == transacao.pagamento else { throw .pagamentoNaoEncontrado }
        let respondida = TentativaRespondida(
            pagamento: dados.pagamento,
            causa: dados.causa,
            transacao: transacao,
            metodo: metodo,
            valor: valor,
            recusa: recusa,
            em: agora
        )
        return [EventosDoFluxo(.pagamento(dados.pagamento), pagamentos: .tentativaRespondida(respondida))]
    }
}

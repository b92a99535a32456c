/// An operator gives back what was paid, or some of it.
package struct EstornarPagamento: Hashable, Sendable {
    package let estorno: EstornoID
    package let ator: Ator
    /// All that is left where nil.
    package let valor: Dinheiro?
    package let justificativa: Selado?
    package let agora: Instante

    package init(estorno: EstornoID, ator: Ator, valor: Dinheiro?, justificativa: Selado?, agora: Instante) {
        self.estorno = estorno
        self.ator = ator
        self.valor = valor
        self.justificativa = justificativa
        self.agora = agora
    }

    package func decidir(pagamento estado: Pagamento) throws(RecusaDePagamentos) -> [EventosDoFluxo] {
        guard ator.opera else { throw .soEquipe }
        guard let dados = estado.dados else { throw .pagamentoNaoEncontrado }
        if dados.estornos.contains(where: { $0.estorno == estorno }) { return [] }
        guard case .quitado = estado, let recebimento = dados.recebimentos.first(where: \.quita) else { throw .naoPago }
        let resto = dados.resto(de: recebimento)
        let pedido = valor ?? resto
        guard resto > .zero else { throw .acimaDoPago(resto: resto) }
        guard pedido > .zero else { throw .valorInvalido }
        guard pedido <= resto else { throw .acimaDoPago(resto: resto) }
        let solicitado = dados.estorno(
            estorno, de: recebimento, valor: pedido, motivo: .operador, por: ator.usuario, justificativa: justificativa, em: agora
        )
        return [EventosDoFluxo(.pagamento(dados.pagamento), pagamentos: .estornoSolicitado(solicitado))]
    }
}

/// Gives back what the policy of a booking that was cancelled, or that nobody came to, says; once.
package struct DevolverCancelamento: Hashable, Sendable {
    /// Tells a cancellation's giving back from every other of the same payment.
    private static let numero = 300

    package let agora: Instante

    package init(agora: Instante) {
        self.agora = agora
    }

    /// - Parameter pagamentos: The streams of the booking's charges.
    package func decidir(reserva estado: Reserva, pagamentos: [Pagamento]) -> [EventosDoFluxo] {
        let dados: DadosDaReserva
        switch estado {
        case .cancelada(let encerrados), .ausente(let encerrados): dados = encerrados
        case .inexistente, .pendente, .confirmada, .expirada, .concluida: return []
        }
        guard let reembolso = dados.reembolso else { return [] }
        var falta = reembolso.valor.centavos
        var decididos: [EventosDoFluxo] = []
        for pagamento in pagamentos {
            guard case .quitado(let cobranca) = pagamento, let recebimento = cobranca.recebimentos.first(where: \.quita) else { continue }
            let estorno = EstornoID(de: cobranca.pagamento, Self.numero)
            if let feito = cobranca.estornos.first(where: { $0.estorno == estorno }) {
                falta -= feito.valor.centavos
                continue
            }
            let valor = Dinheiro(centavos: min(falta, cobranca.resto(de: recebimento).centavos))
            guard valor > .zero else { continue }
            falta -= valor.centavos
            let pedido = cobranca.estorno(estorno, de: recebimento, valor: valor, motivo: .cancelamento, em: agora)
            decididos.append(EventosDoFluxo(.pagamento(cobranca.pagamento), pagamentos: .estornoSolicitado(pedido)))
        }
        return decididos
    }
}

/// The provider said what became of a giving back.
package struct RegistrarEstorno: Hashable, Sendable {
    package enum Desfecho: Hashable, Sendable {
        /// With what the provider calls it.
        case realizado(String?)
        case recusado(MotivoDaRecusa)
    }

    package let estorno: EstornoID
    package let desfecho: Desfecho
    package let agora: Instante

    package init(estorno: EstornoID, desfecho: Desfecho, agora: Instante) {
        self.estorno = estorno
        self.desfecho = desfecho
        self.agora = agora
    }

    package func decidir(pagamento estado: Pagamento) throws(RecusaDePagamentos) -> [EventosDoFluxo] {
        guard let dados = estado.dados, let pedido = dados.estornos.first(where: { $0.estorno == estorno }) else {
            throw .pagamentoNaoEncontrado
        }
        guard pedido.situacao == .solicitado else { return [] }
        return switch desfecho {
        case .realizado(let referencia): [realizado(pedido, de: dados, referencia)]
        case .recusado(let motivo): [recusado(pedido, de: dados, motivo)]
        }
    }

    private func realizado(_ pedido: Estorno, de dados: DadosDoPagamento, _ referencia: String?) -> EventosDoFluxo {
        let feito = PagamentoEstornado(
            pagamento: dados.pagamento,
            causa: dados.causa,
            usuario: dados.usuario,
            unidade: dados.unidade,
            estorno: estorno,
            transacao: pedido.transacao,
            valor: pedido.valor,
            referencia: referencia,
            em: agora
        )
        return EventosDoFluxo(.pagamento(dados.pagamento), pagamentos: .pagamentoEstornado(feito))
    }

    private func recusado(_ pedido: Estorno, de dados: DadosDoPagamento, _ motivo: MotivoDaRecusa) -> EventosDoFluxo {
        let negado = EstornoRecusado(
            pagamento: dados.pagamento,
            causa: dados.causa,
            estorno: estorno,
            transacao: pedido.transacao,
            valor: pedido.valor,
            motivo: motivo,
            em: agora
        )
        return EventosDoFluxo(.pagamento(dados.pagamento), pagamentos: .estornoRecusado(negado))
    }
}

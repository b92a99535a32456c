/// An operator gives back what was paid, or some of it. What the desk took the desk hands back at once; a provider is asked.
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
        guard let dados = estado.dados, ator.atende(dados.unidade) else { throw .pagamentoNaoEncontrado }
        if dados.estornos.contains(where: { $0.estorno == estorno }) { return [] }
        guard case .quitado = estado, let recebimento = dados.quitacao else { throw .naoPago }
        let resto = dados.resto(de: recebimento)
        let pedido = valor ?? resto
        guard resto > .zero else { throw .acimaDoPago(resto: resto) }
        guard pedido > .zero else { throw .valorInvalido }
        guard pedido <= resto else { throw .acimaDoPago(resto: resto) }
        let solicitado = dados.estorno(
            estorno, de: recebimento, valor: pedido, motivo: .operador, por: ator.usuario, justificativa: justificativa, em: agora
        )
        var eventos: [EventoDoDominio] = [.pagamentos(.estornoSolicitado(solicitado))]
        if recebimento.metodo.noBalcao { eventos.append(.pagamentos(.pagamentoEstornado(dados.estornado(Estorno(solicitado), em: agora)))) }
        return [EventosDoFluxo(.pagamento(dados.pagamento), eventos)]
    }
}

/// The desk handed back what a rule had given back of money that was taken there.
package struct DevolverNoBalcao: Hashable, Sendable {
    package let estorno: EstornoID
    package let ator: Ator
    package let agora: Instante

    package init(estorno: EstornoID, ator: Ator, agora: Instante) {
        self.estorno = estorno
        self.ator = ator
        self.agora = agora
    }

    package func decidir(pagamento estado: Pagamento) throws(RecusaDePagamentos) -> [EventosDoFluxo] {
        guard ator.opera else { throw .soEquipe }
        guard let dados = estado.dados, ator.atende(dados.unidade), let pedido = dados.estornos.first(where: { $0.estorno == estorno })
        else { throw .pagamentoNaoEncontrado }
        guard dados.noBalcao(pedido) else { throw .estornoDoProvedor }
        return try RegistrarEstorno(estorno: estorno, desfecho: .realizado(nil), agora: agora).decidir(pagamento: estado)
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
        let feito = dados.estornado(pedido, referencia, em: agora)
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

extension DadosDoPagamento {
    /// Whether the desk took what goes back, and hands it back.
    package func noBalcao(_ estorno: Estorno) -> Bool {
        recebimentos.contains { $0.transacao == estorno.transacao && $0.metodo.noBalcao }
    }

    fileprivate func estornado(_ pedido: Estorno, _ referencia: String? = nil, em agora: Instante) -> PagamentoEstornado {
        PagamentoEstornado(
            pagamento: pagamento,
            causa: causa,
            usuario: usuario,
            unidade: unidade,
            estorno: pedido.estorno,
            transacao: pedido.transacao,
            valor: pedido.valor,
            referencia: referencia,
            em: agora
        )
    }
}

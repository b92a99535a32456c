/// Has the charges of a booking follow the booking: its price is charged with the hold, the difference of a move with the move, both change
/// with the price, and close when there is nothing to wait for. Looks at states only, so it may come twice, late, or out of order.
package struct AcompanharReserva: Hashable, Sendable {
    /// How long before the hold runs out its charge does.
    static let folga = Duracao.minutos(1)

    package let agora: Instante

    package init(agora: Instante) {
        self.agora = agora
    }

    /// - Parameters:
    ///   - causa: One of `DadosDaReserva.cobrancas`.
    ///   - pagamento: The stream of `causa.pagamento`.
    package func decidir(reserva estado: Reserva, causa: CausaDaCobranca, pagamento: Pagamento) -> [EventosDoFluxo] {
        switch estado {
        case .inexistente: return []
        case .pendente(let dados, let retencao) where dados.aCobrar.causa == causa:
            switch pagamento {
            case .inexistente: return criar(dados, retencao)
            case .aberto(let cobranca): return ajustar(cobranca, para: dados.aCobrar.valor)
            case .encerrado, .quitado: return []
            }
        case .expirada:
            // Both timers are late after an outage, and this one may be the first to be heard.
            guard case .aberto(let cobranca) = pagamento else { return [] }
            return [encerrar(cobranca, .prazo)]
        case .pendente, .confirmada, .cancelada, .concluida, .ausente:
            guard case .aberto(let cobranca) = pagamento else { return [] }
            return [encerrar(cobranca, .semObjeto)]
        }
    }

    /// - Parameter pagamentos: The streams of `DadosDaReserva.pagamentos`, in that order.
    package func decidir(reserva estado: Reserva, pagamentos: [Pagamento]) -> [EventosDoFluxo] {
        zip(estado.dados?.cobrancas ?? [], pagamentos).flatMap { decidir(reserva: estado, causa: $0, pagamento: $1) }
    }

    private func criar(_ dados: DadosDaReserva, _ retencao: Instante) -> [EventosDoFluxo] {
        let (causa, valor) = dados.aCobrar
        // What a gestor has not approved yet is not for sale yet.
        guard valor > .zero, dados.aprovacaoAte == nil, agora < retencao else { return [] }
        // Somebody has to be able to pay, however short the hold is.
        let prazo = retencao - Self.folga
        let criada = CobrancaCriada(
            pagamento: causa.pagamento,
            causa: causa,
            usuario: dados.usuario,
            unidade: dados.unidade,
            valor: valor,
            expiraEm: prazo > agora ? prazo : retencao,
            em: agora
        )
        return [EventosDoFluxo(.pagamento(causa.pagamento), pagamentos: .cobrancaCriada(criada))]
    }

    private func ajustar(_ cobranca: DadosDoPagamento, para valor: Dinheiro) -> [EventosDoFluxo] {
        guard valor != cobranca.valor else { return [] }
        guard valor > .zero else { return [encerrar(cobranca, .semObjeto)] }
        let alterada = CobrancaAlterada(
            pagamento: cobranca.pagamento, causa: cobranca.causa, de: cobranca.valor, para: valor, em: agora
        )
        return [EventosDoFluxo(.pagamento(cobranca.pagamento), pagamentos: .cobrancaAlterada(alterada))]
    }

    private func encerrar(_ cobranca: DadosDoPagamento, _ motivo: MotivoDoEncerramento) -> EventosDoFluxo {
        cobranca.encerrada(motivo, em: agora)
    }
}

extension DadosDoPagamento {
    func encerrada(_ motivo: MotivoDoEncerramento, em agora: Instante) -> EventosDoFluxo {
        let expirada = CobrancaExpirada(pagamento: pagamento, causa: causa, motivo: motivo, expiraEm: expiraEm, em: agora)
        return EventosDoFluxo(.pagamento(pagamento), pagamentos: .cobrancaExpirada(expirada))
    }
}

/// The timer of a charge went off. What no longer applies is ignored.
package struct ExpirarCobranca: Hashable, Sendable {
    package let agora: Instante

    package init(agora: Instante) {
        self.agora = agora
    }

    package func decidir(pagamento estado: Pagamento) -> [EventosDoFluxo] {
        guard case .aberto(let dados) = estado, agora >= dados.expiraEm else { return [] }
        return [dados.encerrada(.prazo, em: agora)]
    }
}

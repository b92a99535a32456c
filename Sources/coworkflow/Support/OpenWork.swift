import Domain

/// What the log says is not finished: whatever will still happen by itself, or has to be done by somebody. Only that is kept.
struct OpenWork {
    /// What of the log it is folded from.
    static let contexts: Set<String> = [
        "reservas", "pagamentos", "checkin", "precos", "notificacoes", "espacos", "analytics",
    ]

    /// How long cash that is to go back may lie at the desk before it is stuck: a weekend and a day.
    static let handingOver = Duracao.horas(3 * 24)
    /// How long a provider may take to say what became of money that is to go back: it is asked every five minutes at least.
    static let providerAnswer = Duracao.horas(24)
    /// How long after its last try a message may be unsettled: the longest wait between two tries, and a try.
    private static let lastTry = Duracao.minutos(6)

    private struct Refund {
        let stream: String
        let atDesk: Bool
        let asked: Instante
    }

    private struct UnitDay {
        let day: DataCivil
        let ends: Instante
    }

    private let zone: @Sendable (String) throws -> ZonaHoraria
    private var bookings: [String: Reserva] = [:]
    private var charges: [String: Pagamento] = [:]
    private var refunds: [EstornoID: Refund] = [:]
    private var lines: [String: Espera] = [:]
    /// When whoever is in is taken to have left.
    private var presences: [ReservaID: Instante] = [:]
    private var subscriptions: [UsuarioID: Assinatura] = [:]
    /// Fees whose time to be paid ran out, and when that was recorded.
    private var unpaid: [CausaDaCobranca: Instante] = [:]
    /// Messages, and when they might first have been sent.
    private var messages: [NotificacaoID: Instante] = [:]
    private var days: [UnidadeID: UnitDay] = [:]

    init(zone: @escaping @Sendable (String) throws -> ZonaHoraria) {
        self.zone = zone
    }

    mutating func apply(_ event: EventoDoDominio, in stream: String) throws {
        switch event {
        case .reservas(let event): apply(event, in: stream)
        case .pagamentos(let event): apply(event, in: stream)
        case .checkin(let event): apply(event)
        case .precos(let event): apply(event, in: stream)
        case .notificacoes(let event): apply(event)
        case .espacos(.unidadeCriada(let unit)): try follow(unit.unidade, zone: unit.fuso, at: unit.em)
        case .espacos(.unidadeAtualizada(let unit)): try follow(unit.unidade, zone: unit.fuso, at: unit.em)
        case .analytics(.ocupacaoDiariaApurada(let closed)): close(closed)
        case .espacos, .usuarios, .financeiro: break
        }
    }

    private mutating func apply(_ event: EventoDeReservas, in stream: String) {
        if stream.hasPrefix("reserva-") {
            let state = (bookings[stream] ?? .inicial).evoluindo(com: event)
            bookings[stream] = state.isOpen ? state : nil
            if case .reservaRemarcada(let moved) = event, presences[moved.reserva] != nil {
                presences[moved.reserva] = moved.para.intervalo.fim + (moved.regras.presenca ?? .padrao).encerramento.duracao
            }
        } else if stream.hasPrefix("espera-") {
            let line = (lines[stream] ?? .inicial).evoluindo(com: event)
            lines[stream] = line.inscricoes.contains(where: \.aberta) ? line : nil
        }
    }

    private mutating func apply(_ event: EventoDePagamentos, in stream: String) {
        let state = (charges[stream] ?? .inicial).evoluindo(com: event)
        if case .aberto = state { charges[stream] = state } else { charges[stream] = nil }
        switch event {
        case .estornoSolicitado(let asked):
            let atDesk = asked.transacao.tentativa == TransacaoID.maiorTentativa
            refunds[asked.estorno] = Refund(stream: stream, atDesk: atDesk, asked: asked.em)
        case .pagamentoEstornado(let done): refunds[done.estorno] = nil
        case .estornoRecusado(let refused): refunds[refused.estorno] = nil
        case .cobrancaExpirada(let closed):
            if closed.motivo == .prazo, case .mensalidade = closed.causa { unpaid[closed.causa] = closed.em }
        case .pagamentoAprovado(let approved): if approved.quita { unpaid[approved.causa] = nil }
        case .cobrancaCriada, .cobrancaAlterada, .pixGerado, .pagamentoRecusado, .tentativaRespondida: break
        }
    }

    private mutating func apply(_ event: EventoDeCheckin) {
        switch event {
        case .checkinRealizado(let entered): presences[entered.reserva] = entered.encerraEm
        case .checkoutRealizado(let left): presences[left.reserva] = nil
        case .naoComparecimentoRegistrado, .excedenteApurado, .painelAutorizado, .painelRevogado: break
        }
    }

    private mutating func apply(_ event: EventoDePrecos, in stream: String) {
        switch event {
        case .assinaturaIniciada(let begun): subscriptions[begun.usuario] = Assinatura.inicial.evoluindo(com: event)
        case .assinaturaRenovada(let renewed):
            subscriptions[renewed.usuario] = subscriptions[renewed.usuario]?.evoluindo(com: event)
        case .assinaturaCancelada(let ended):
            subscriptions[ended.usuario] = ended.terminaEm > ended.em ? subscriptions[ended.usuario]?.evoluindo(com: event) : nil
        case .planoTrocado(let changed): subscriptions[changed.usuario] = subscriptions[changed.usuario]?.evoluindo(com: event)
        case .trocaDePlanoMarcada, .trocaDePlanoDesfeita, .tarifarioPublicado, .planoPublicado, .cupomCriado, .cupomUsado,
            .cupomDevolvido, .cupomDesativado, .creditosConcedidos, .creditosConsumidos, .creditosDevolvidos:
            break
        }
    }

    private mutating func apply(_ event: EventoDeNotificacoes) {
        switch event {
        case .notificacaoSolicitada(let asked): messages[asked.notificacao] = asked.enviarEm
        case .notificacaoEnviada(let sent): messages[sent.notificacao] = nil
        case .notificacaoFalhou(let failed): messages[failed.notificacao] = nil
        case .notificacaoLida, .preferenciasDefinidas, .agendaCompartilhada, .agendaRecolhida, .webhookCadastrado, .webhookAlterado,
            .webhookDesativado, .webhookReativado, .webhookRemovido:
            break
        }
    }

    private mutating func follow(_ unit: UnidadeID, zone name: String, at time: Instante) throws {
        let zone = try zone(name)
        let day = zone.data(de: time)
        // What is closed already is not closed again because the clock is another.
        if let known = days[unit], day < known.day { return }
        days[unit] = UnitDay(day: day, ends: zone.inicioDoDia(day.somandoDias(1)))
    }

    private mutating func close(_ closed: OcupacaoDiariaApurada) {
        guard let next = closed.proximoFechamento, let known = days[closed.unidade], closed.dia >= known.day else { return }
        days[closed.unidade] = UnitDay(day: closed.dia.somandoDias(1), ends: next)
    }

    // MARK: What is late

    /// What should have gone on before a moment, in order of when.
    func stuck(by due: Instante) -> [StuckSweep.Item] {
        let items =
            stuckBookings(by: due) + stuckMoney(by: due) + stuckLines(by: due) + stuckSubscriptions(by: due) + stuckRest(by: due)
        return items.sorted { ($0.due, $0.subject) < ($1.due, $1.subject) }
    }

    private func stuckBookings(by due: Instante) -> [StuckSweep.Item] {
        bookings.compactMap { stream, state in
            switch state {
            case .pendente(let data, let expiresAt) where expiresAt < due:
                .init(.holdExpired, stream, expiresAt, data.aprovacaoAte == nil ? nil : "approval")
            case .confirmada(let data) where data.horario.intervalo.fim < due:
                .init(.bookingNotCompleted, stream, data.horario.intervalo.fim)
            default: nil
            }
        }
    }

    private func stuckMoney(by due: Instante) -> [StuckSweep.Item] {
        let charges = charges.compactMap { stream, state -> StuckSweep.Item? in
            guard let data = state.dados, data.expiraEm < due else { return nil }
            return .init(.chargeNotClosed, stream, data.expiraEm, data.causa.tipo)
        }
        let refunds = refunds.compactMap { refund, asked -> StuckSweep.Item? in
            let late = asked.asked + (asked.atDesk ? Self.handingOver : Self.providerAnswer)
            guard late < due else { return nil }
            return .init(asked.atDesk ? .cashNotHandedOver : .refundNotAnswered, asked.stream, late, "refund \(refund.texto)")
        }
        return charges + refunds
    }

    private func stuckLines(by due: Instante) -> [StuckSweep.Item] {
        lines.flatMap { stream, line in
            line.inscricoes.compactMap { place -> StuckSweep.Item? in
                // What is offered is a booking that is held, and is late with it.
                guard place.situacao == .aguardando, place.intervalo.inicio < due else { return nil }
                return .init(.waitNotClosed, stream, place.intervalo.inicio, "wait \(place.id.texto)")
            }
        }
    }

    private func stuckSubscriptions(by due: Instante) -> [StuckSweep.Item] {
        let renewals = subscriptions.compactMap { user, state -> StuckSweep.Item? in
            guard case .ativa(let data) = state.situacao, data.periodo.fim < due else { return nil }
            return .init(.subscriptionNotRenewed, NomeDeFluxo.assinatura(user).texto, data.periodo.fim)
        }
        let ends = unpaid.compactMap { cause, closed -> StuckSweep.Item? in
            let end = closed + EncerrarPorFaltaDePagamento.espera
            guard end < due, case .mensalidade(let user, let begun) = cause, let state = subscriptions[user], state.vigora(em: due),
                let data = state.dados, begun >= data.desde
            else { return nil }
            return .init(.subscriptionNotEnded, NomeDeFluxo.assinatura(user).texto, end)
        }
        return renewals + ends
    }

    private func stuckRest(by due: Instante) -> [StuckSweep.Item] {
        let presences = presences.filter { $0.value < due }.map {
            StuckSweep.Item(.presenceNotClosed, NomeDeFluxo.presenca($0.key).texto, $0.value)
        }
        let messages = messages.mapValues { $0 + RegistrarTentativa.prazo + Self.lastTry }.filter { $0.value < due }.map {
            StuckSweep.Item(.messageNotSettled, NomeDeFluxo.notificacao($0.key).texto, $0.value)
        }
        let days = days.filter { $0.value.ends < due }.map {
            StuckSweep.Item(.dayNotClosed, NomeDeFluxo.ocupacao($0.key, $0.value.day).texto, $0.value.ends)
        }
        return presences + messages + days
    }
}

extension Reserva {
    /// Whether something will still happen to it by itself.
    fileprivate var isOpen: Bool {
        switch self {
        case .pendente, .confirmada: true
        case .inexistente, .expirada, .cancelada, .concluida, .ausente: false
        }
    }
}

package import Domain
package import EventStore
package import HTTP

/// Keeps the ledger up with what happens: an entry for each event that moves money or earns it.
///
/// Whatever the event, the command is to bring the ledger of its booking up to date: all entries that follow from the booking's
/// history and are not there yet. So it does not matter in which order, how often or how late the commands are given.
package struct FinanceiroPolicy: Policy {
    static let policyName = "financeiro.lancamentos"

    package let name: String = FinanceiroPolicy.policyName
    package let contexts: Set<String> = ["reservas", "pagamentos", "checkin", "precos"]

    /// What begins the kinds of its commands.
    static let prefix = "financeiro."

    /// A kind for each event, because events of one booking may be of one instant, and each must be heard.
    enum Kind: String, CaseIterable {
        case completed = "financeiro.reserva_concluida"
        case cancelled = "financeiro.reserva_cancelada"
        case expired = "financeiro.reserva_expirada"
        case missed = "financeiro.reserva_nao_comparecida"
        case overtime = "financeiro.excedente_apurado"
        case paid = "financeiro.pagamento_aprovado"
        case givenBack = "financeiro.pagamento_estornado"
    }

    /// A day of a subscription is over, its period begins, its fee is paid or given back, or it ends.
    static let planDay = "financeiro.dia_de_plano"

    /// The events that it reacts to.
    static let eventTypes: Set<String> = [
        ReservaConcluida.tipo, ReservaCancelada.tipo, ReservaExpirada.tipo, ReservaNaoComparecida.tipo, PagamentoAprovado.tipo,
        PagamentoEstornado.tipo, ExcedenteApurado.tipo, AssinaturaIniciada.tipo, AssinaturaRenovada.tipo, PlanoTrocado.tipo,
        AssinaturaCancelada.tipo,
    ]

    package init() {}

    package func react(to event: EventoDoDominio) -> [ScheduledCommand] {
        switch event {
        case .reservas(.reservaConcluida(let event)): [command(.completed, event.reserva, event.em)]
        case .reservas(.reservaCancelada(let event)): [command(.cancelled, event.reserva, event.em)]
        case .reservas(.reservaExpirada(let event)):
            // Nothing had been paid unless something goes back.
            event.reembolso == nil ? [] : [command(.expired, event.reserva, event.em)]
        case .reservas(.reservaNaoComparecida(let event)): [command(.missed, event.reserva, event.em)]
        case .checkin(.excedenteApurado(let event)): [command(.overtime, event.reserva, event.em)]
        case .pagamentos(.pagamentoAprovado(let event)): [command(.paid, of: event.transacao.texto, for: event.causa, event.em)]
        case .pagamentos(.pagamentoEstornado(let event)): [command(.givenBack, of: event.estorno.texto, for: event.causa, event.em)]
        case .precos(.assinaturaIniciada(let event)): days(of: event.usuario, event.periodo)
        case .precos(.assinaturaRenovada(let event)): days(of: event.usuario, event.periodo)
        case .precos(.planoTrocado(let event)): days(of: event.usuario, event.periodo)
        case .precos(.assinaturaCancelada(let event)):
            [ScheduledCommand(kind: Self.planDay, aggregate: "\(event.usuario.texto)/end", due: event.em.microssegundos)]
        case .usuarios, .espacos, .precos, .reservas, .pagamentos, .checkin, .financeiro, .analytics, .notificacoes: []
        }
    }

    /// The beginning of a period, when its fee is charged, and the end of each of its days, when that is earned.
    private func days(of user: UsuarioID, _ period: PeriodoDaAssinatura) -> [ScheduledCommand] {
        ([period.inicio] + period.fimDosDias).map {
            ScheduledCommand(kind: Self.planDay, aggregate: user.texto, due: $0.microssegundos)
        }
    }

    /// - Parameter part: tells apart what happened to one payment at one instant.
    private func command(_ kind: Kind, of part: String, for cause: CausaDaCobranca, _ due: Instante) -> ScheduledCommand {
        switch cause {
        case .reserva(let booking), .diferenca(let booking, _), .excedente(let booking):
            ScheduledCommand(kind: kind.rawValue, aggregate: "\(booking.texto)/\(part)", due: due.microssegundos)
        case .mensalidade(let user, _):
            ScheduledCommand(
                kind: Self.planDay, aggregate: "\(user.texto)/\(part)/\(cause.pagamento.texto)", due: due.microssegundos
            )
        }
    }

    private func command(_ kind: Kind, _ booking: ReservaID, _ due: Instante) -> ScheduledCommand {
        ScheduledCommand(kind: kind.rawValue, aggregate: booking.texto, due: due.microssegundos)
    }

    /// What is done when a time comes.
    package func handlers(_ commands: CommandHandling, zones: ZoneCatalog) -> [String: TimerRunner.Handler] {
        let desk = LedgerDesk(zones: zones)
        var handlers: [String: TimerRunner.Handler] = [:]
        for kind in Kind.allCases {
            handlers[kind.rawValue] = { timer in
                guard let booking = ReservaID(timer.aggregate.prefix { $0 != "/" }) else { throw Problem.notFound }
                _ = try await commands.run(timer, of: Self.policyName) { loader in
                    try await desk.entries(of: booking, at: commands.now, loader)
                }
            }
        }
        handlers[Self.planDay] = { timer in
            let parts = timer.aggregate.split(separator: "/")
            guard let user = parts.first.flatMap({ UsuarioID($0) }) else { throw Problem.notFound }
            let payment = parts.count == 3 ? PagamentoID(parts[2]) : nil
            _ = try await commands.run(timer, of: Self.policyName) { loader in
                try await desk.entries(
                    ofSubscription: user, payment: payment, dueAt: Instante(microssegundos: timer.due), at: commands.now, loader
                )
            }
        }
        return handlers
    }
}

package import Domain
package import EventStore
import FoundationEssentials
package import HTTP

/// Charges follow what they are for, run out, and are looked after at the provider; money that is to go back does.
package struct PagamentosPolicy: Policy {
    package let name = "pagamentos.cobrancas"
    package let contexts: Set<String> = ["reservas", "pagamentos", "checkin", "precos"]

    static let charge = "pagamentos.cobrar"
    static let adjust = "pagamentos.reajustar"
    static let close = "pagamentos.encerrar"
    static let giveBack = "pagamentos.devolver"
    static let expire = PrazoDaCobranca.expirar.rawValue
    static let check = PrazoDaCobranca.conferir.rawValue
    static let refund = "pagamentos.estornar"
    static let overtime = "pagamentos.cobrar_excedente"
    static let fee = "pagamentos.cobrar_mensalidade"
    static let closeFees = "pagamentos.encerrar_mensalidades"

    /// After a charge ran out the provider is asked what became of it, in case nobody told us: at once, and when a payment that was under
    /// way must have come to something. Before that, `PixGerado.conferencias` says when.
    private static let checks: [Duracao] = [.segundos(5), .minutos(10)]

    package init() {}

    package func react(to event: EventoDoDominio) -> [ScheduledCommand] {
        switch event {
        case .reservas(let event): react(to: event)
        case .pagamentos(let event): react(to: event)
        case .checkin(.excedenteApurado(let event)): [command(Self.overtime, event.reserva, event.em)]
        case .precos(.assinaturaIniciada(let event)): fee(of: event.usuario, event.periodo.inicio, event.em)
        case .precos(.assinaturaRenovada(let event)): fee(of: event.usuario, event.periodo.inicio, event.em)
        case .precos(.planoTrocado(let event)): fee(of: event.usuario, event.periodo.inicio, event.em)
        case .precos(.assinaturaCancelada(let event)): [command(Self.closeFees, event.usuario, event.em)]
        case .usuarios, .espacos, .precos, .checkin, .notificacoes, .analytics, .financeiro: []
        }
    }

    private func fee(of user: UsuarioID, _ begun: Instante, _ due: Instante) -> [ScheduledCommand] {
        [ScheduledCommand(kind: Self.fee, aggregate: "\(user.texto)/\(begun.microssegundos)", due: due.microssegundos)]
    }

    private func react(to event: EventoDeReservas) -> [ScheduledCommand] {
        switch event {
        case .reservaSolicitada(let requested):
            guard requested.expiraEm != nil, requested.cotacao.total > .zero else { return [] }
            return [command(Self.charge, requested.reserva, requested.em)]
        case .reservaRemarcada(let moved): return [command(Self.adjust, moved.reserva, moved.em)]
        case .reservaConfirmada(let confirmed): return [command(Self.close, confirmed.reserva, confirmed.em)]
        case .reservaExpirada(let expired):
            let closing = command(Self.close, expired.reserva, expired.em)
            if expired.reembolso == nil { return [closing] }
            return [closing, command(Self.giveBack, expired.reserva, expired.em + DevolverDaReserva.espera)]
        case .reservaCancelada(let cancelled): return [command(Self.giveBack, cancelled.reserva, cancelled.em)]
        case .reservaNaoComparecida(let missed): return [command(Self.giveBack, missed.reserva, missed.em)]
        case .reservaAprovada(let approved): return [command(Self.charge, approved.reserva, approved.em)]
        case .reservaConcluida, .reservaRetomada, .horarioOcupado, .horarioLiberado, .convidadosDefinidos, .serieCriada, .serieAlterada,
            .serieEncerrada, .esperaInscrita, .esperaOferecida, .esperaAtendida, .esperaVencida, .esperaRetirada:
            return []
        }
    }

    private func react(to event: EventoDePagamentos) -> [ScheduledCommand] {
        switch event {
        case .cobrancaCriada(let made):
            return [
                command(Self.expire, made.pagamento, made.expiraEm),
                checking(made.pagamento, made.expiraEm + Self.checks[0]),
            ]
        case .pixGerado(let made):
            let times = made.conferencias + Self.checks.dropFirst().map { made.expiraEm + $0 }
            return times.map { checking(made.pagamento, $0) }
        case .estornoSolicitado(let asked):
            let refund = "\(asked.pagamento.texto)/\(asked.estorno.texto)"
            return [ScheduledCommand(kind: Self.refund, aggregate: refund, due: asked.em.microssegundos)]
        case .pagamentoAprovado(let approved):
            // What is paid for a subscription that ended meanwhile goes back.
            guard approved.quita, case .mensalidade(let user, let begun) = approved.causa else { return [] }
            return fee(of: user, begun, approved.em)
        case .cobrancaAlterada, .pagamentoRecusado, .tentativaRespondida, .cobrancaExpirada, .pagamentoEstornado, .estornoRecusado:
            return []
        }
    }

    private func checking(_ payment: PagamentoID, _ due: Instante) -> ScheduledCommand {
        ScheduledCommand(kind: Self.check, aggregate: payment.texto, due: due.microssegundos, leavesNoTrace: true)
    }

    private func command<Mark>(_ kind: String, _ id: Identificador<Mark>, _ due: Instante) -> ScheduledCommand {
        ScheduledCommand(kind: kind, aggregate: id.texto, due: due.microssegundos)
    }

    /// What is done when a time comes. The deciders ignore what no longer applies.
    package func handlers(
        _ commands: CommandHandling,
        reader: LogReader,
        provider: any PaymentProvider
    ) -> [String: TimerRunner.Handler] {
        let settlement = Settlement(commands: commands, reader: reader, provider: provider)
        let follow: TimerRunner.Handler = { timer in try await self.follow(timer, commands) }
        return [
            Self.charge: follow,
            Self.adjust: follow,
            Self.close: follow,
            Self.giveBack: follow,
            Self.overtime: { timer in
                let booking: ReservaID = try Self.id(timer)
                let charge = NomeDeFluxo.pagamento(CausaDaCobranca.excedente(booking).pagamento)
                _ = try await commands.run(timer, of: name) { loader in
                    let streams = try await loader.load([.presenca(booking), charge])
                    return CobrarExcedente(agora: commands.now)
                        .decidir(excedente: .dobrar(streams[.presenca(booking)] ?? []), pagamento: .dobrar(streams[charge] ?? []))
                }
            },
            Self.fee: { timer in
                let parts = timer.aggregate.split(separator: "/")
                guard parts.count == 2, let user = UsuarioID(parts[0]), let begun = Int64(parts[1]) else { throw Problem.notFound }
                let cause = CausaDaCobranca.mensalidade(user, inicio: Instante(microssegundos: begun))
                _ = try await commands.run(timer, of: name) { loader in
                    try await fees(of: user, commands.now, loader) { $0.causa == cause }
                }
            },
            Self.closeFees: { timer in
                let user: UsuarioID = try Self.id(timer)
                _ = try await commands.run(timer, of: name) { loader in try await fees(of: user, commands.now, loader) { $0.fim != nil } }
            },
            Self.expire: { timer in
                let payment: PagamentoID = try Self.id(timer)
                _ = try await commands.run(timer, of: name) { loader in
                    ExpirarCobranca(agora: commands.now).decidir(pagamento: .dobrar(try await loader.load(.pagamento(payment))))
                }
            },
            Self.check: { timer in try await check(timer, commands, settlement) },
            Self.refund: { timer in try await refund(timer, settlement) },
        ]
    }

    private static func id<Mark>(_ timer: DueTimer) throws -> Identificador<Mark> {
        guard let id = Identificador<Mark>(timer.aggregate) else { throw Problem.notFound }
        return id
    }

    /// Has the charges of a booking follow it, and gives back what it gives back.
    private func follow(_ timer: DueTimer, _ commands: CommandHandling) async throws {
        let booking: ReservaID = try Self.id(timer)
        _ = try await commands.run(timer, of: name) { loader in
            let state = Reserva.dobrar(try await loader.load(.reserva(booking)))
            let payments = try await loader.charges(of: state)
            return AcompanharReserva(agora: commands.now).decidir(reserva: state, pagamentos: payments)
                + DevolverDaReserva(agora: commands.now).decidir(reserva: state, pagamentos: payments)
        }
    }

    /// Has the charges of a member's fees follow their subscriptions.
    private func fees(
        of user: UsuarioID,
        _ now: Instante,
        _ loader: StreamLoader,
        where wanted: (Mensalidade) -> Bool
    ) async throws -> [EventosDoFluxo] {
        let fees = Mensalidades.dobrar(try await loader.load(.assinatura(user))).todas.filter(wanted)
        let streams = try await loader.load(fees.map { .pagamento($0.causa.pagamento) })
        return fees.flatMap { fee in
            CobrarMensalidade(agora: now)
                .decidir(mensalidade: fee, pagamento: .dobrar(streams[.pagamento(fee.causa.pagamento)] ?? []))
        }
    }

    /// Asks the provider what became of every try to pay that nobody told us the end of. Once the charge has run out, the next one too,
    /// which may have been begun by a process that died before it was recorded. Before that, somebody may be at it right now; and where the
    /// charge is settled, nothing is asked.
    private func check(_ timer: DueTimer, _ commands: CommandHandling, _ settlement: Settlement) async throws {
        let payment: PagamentoID = try Self.id(timer)
        let state = try await settlement.payment(payment)
        guard let data = state.dados else { return }
        let isEarly = timer.due < data.expiraEm.microssegundos
        if isEarly {
            guard case .aberto = state else { return }
        }
        let tries = isEarly ? data.tentativas : data.tentativas + 1
        let known = data.recusadas.union(data.recebimentos.map(\.transacao))
        let open = (0..<tries).compactMap { TransacaoID(payment, tentativa: $0 + 1) }.filter { !known.contains($0) }
        var found: [(TransacaoID, ChargeStatus)] = []
        for transaction in open {
            do {
                found.append((transaction, try await settlement.provider.status(of: transaction)))
            } catch {
                throw TimerPostponed("the payment provider does not answer")
            }
        }
        let statuses = found
        _ = try await commands.run(timer, of: name) { loader in
            var state = Pagamento.dobrar(try await loader.load(.pagamento(payment)))
            var events: [EventoDoDominio] = []
            for (transaction, status) in statuses {
                for part in try settlement.decide(status, of: transaction, state) {
                    events += part.eventos
                    state = part.eventos.reduce(state) { $0.evoluindo(com: $1) }
                }
            }
            return [EventosDoFluxo(.pagamento(payment), events)]
        }
    }

    private func refund(_ timer: DueTimer, _ settlement: Settlement) async throws {
        let parts = timer.aggregate.split(separator: "/")
        guard parts.count == 2, let payment = PagamentoID(parts[0]), let refund = EstornoID(parts[1]) else { throw Problem.notFound }
        let progress: RefundProgress?
        do {
            progress = try await settlement.refund(refund, of: payment)
        } catch ProviderError.unavailable {
            throw TimerPostponed("the payment provider does not answer")
        }
        if progress == .processing { throw TimerPostponed("the payment provider is still giving the money back") }
    }
}

package import Domain
package import EventStore
import FoundationEssentials
package import HTTP

/// Charges follow what they are for, run out, and are looked after at the provider; money that is to go back does.
package struct PagamentosPolicy: Policy {
    package let name = "pagamentos.cobrancas"
    package let contexts: Set<String> = ["reservas", "pagamentos"]

    static let charge = "pagamentos.cobrar"
    static let adjust = "pagamentos.reajustar"
    static let close = "pagamentos.encerrar"
    static let giveBack = "pagamentos.devolver"
    static let expire = "pagamentos.expirar"
    static let check = "pagamentos.conferir"
    static let refund = "pagamentos.estornar"

    /// After a charge ran out the provider is asked what became of it, in case nobody told us: at once, and when a payment that was under
    /// way must have come to something.
    private static let checks: [Duracao] = [.segundos(5), .minutos(10)]

    package init() {}

    package func react(to event: EventoDoDominio) -> [ScheduledCommand] {
        switch event {
        case .reservas(let event): react(to: event)
        case .pagamentos(let event): react(to: event)
        case .usuarios, .espacos, .precos, .checkin, .notificacoes, .analytics, .financeiro: []
        }
    }

    private func react(to event: EventoDeReservas) -> [ScheduledCommand] {
        switch event {
        case .reservaSolicitada(let requested):
            guard requested.expiraEm != nil, requested.cotacao.total > .zero else { return [] }
            return [command(Self.charge, requested.reserva, requested.em)]
        case .reservaRemarcada(let moved): return [command(Self.adjust, moved.reserva, moved.em)]
        case .reservaConfirmada(let confirmed): return [command(Self.close, confirmed.reserva, confirmed.em)]
        case .reservaExpirada(let expired): return [command(Self.close, expired.reserva, expired.em)]
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
                command(Self.check, made.pagamento, made.expiraEm + Self.checks[0]),
            ]
        case .pixGerado(let made): return Self.checks.dropFirst().map { command(Self.check, made.pagamento, made.expiraEm + $0) }
        case .estornoSolicitado(let asked):
            let refund = "\(asked.pagamento.texto)/\(asked.estorno.texto)"
            return [ScheduledCommand(kind: Self.refund, aggregate: refund, due: asked.em.microssegundos)]
        case .cobrancaAlterada, .pagamentoAprovado, .pagamentoRecusado, .cobrancaExpirada, .pagamentoEstornado, .estornoRecusado:
            return []
        }
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
            Self.giveBack: { timer in try await giveBack(timer, commands) },
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

    private func follow(_ timer: DueTimer, _ commands: CommandHandling) async throws {
        let booking: ReservaID = try Self.id(timer)
        let payment = NomeDeFluxo.pagamento(CausaDaCobranca.reserva(booking).pagamento)
        _ = try await commands.run(timer, of: name) { loader in
            let streams = try await loader.load([.reserva(booking), payment])
            return AcompanharReserva(agora: commands.now)
                .decidir(reserva: .dobrar(streams[.reserva(booking)] ?? []), pagamento: .dobrar(streams[payment] ?? []))
        }
    }

    /// Closes the charge of a cancelled booking, or gives back what was paid for it.
    private func giveBack(_ timer: DueTimer, _ commands: CommandHandling) async throws {
        let booking: ReservaID = try Self.id(timer)
        _ = try await commands.run(timer, of: name) { loader in
            let state = Reserva.dobrar(try await loader.load(.reserva(booking)))
            let names = (state.dados?.pagamentos ?? []).map(NomeDeFluxo.pagamento)
            let streams = try await loader.load(names)
            let payments = names.map { Pagamento.dobrar(streams[$0] ?? []) }
            let closed = payments.flatMap { AcompanharReserva(agora: commands.now).decidir(reserva: state, pagamento: $0) }
            return closed + DevolverCancelamento(agora: commands.now).decidir(reserva: state, pagamentos: payments)
        }
    }

    /// Asks the provider what became of every try to pay that nobody told us the end of; the next one too, which may have been begun
    /// by a process that died before it was recorded.
    private func check(_ timer: DueTimer, _ commands: CommandHandling, _ settlement: Settlement) async throws {
        let payment: PagamentoID = try Self.id(timer)
        guard let data = try await settlement.payment(payment).dados else { return }
        let known = data.recusadas.union(data.recebimentos.map(\.transacao))
        let open = (1...(data.tentativas + 1)).compactMap { TransacaoID(payment, tentativa: $0) }.filter { !known.contains($0) }
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
        let progress: RefundProgress
        do {
            progress = try await settlement.refund(refund, of: payment)
        } catch ProviderError.unavailable {
            throw TimerPostponed("the payment provider does not answer")
        }
        if progress == .processing { throw TimerPostponed("the payment provider is still giving the money back") }
    }
}

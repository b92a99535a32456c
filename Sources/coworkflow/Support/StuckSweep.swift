import Domain
import EventStore
import Foundation
import Postgres

/// Looks for whatever is past its due state: what should have happened by itself and did not.
struct StuckSweep: Sendable {
    /// Something that should have gone on.
    struct Item: Sendable, Equatable, Encodable {
        enum Kind: String, Sendable, Encodable {
            /// A booking that is held although its hold has run out.
            case holdExpired = "hold_expired"
            /// A confirmed booking that is over and not completed.
            case bookingNotCompleted = "booking_not_completed"
            /// A charge that can no longer be paid and is still open.
            case chargeNotClosed = "charge_not_closed"
            /// A command that was due and was not given.
            case commandOverdue = "command_overdue"
            /// A policy that has not come to events that are there.
            case policyBehind = "policy_behind"
            /// Events that a policy or a read model could not apply.
            case eventsSetAside = "events_set_aside"
        }

        let kind: Kind
        /// The stream, the command's kind and aggregate, or the policy.
        let subject: String
        /// Since when it should have gone on.
        let due: String
        let detail: String?
    }

    struct Report: Sendable, Equatable, Encodable {
        let at: String
        let graceSeconds: Int64
        /// The position up to which the log was looked at.
        let head: Int64
        let items: [Item]
        /// How many overdue commands there are beyond those listed.
        let leftOff: Int
    }

    /// The most overdue commands that are listed.
    private static let mostCommands = 1000

    let pool: PostgresPool

    /// - Parameters:
    ///   - now: by which things are due.
    ///   - grace: how late a thing may be before it is stuck.
    func report(at now: Instante, grace: Duracao) async throws -> Report {
        let due = now - grace
        // Commands first: whatever they do meanwhile is in the log when that is read.
        let late = try await OpenWorkReader(pool: pool).late(dueBy: due.microssegundos, limit: Self.mostCommands)
        let (open, head) = try await openWork()
        let items = open.stuck(by: due) + late.commands.map(Self.item) + (try await behind(by: due)) + (try await setAside())
        return Report(
            at: now.texto,
            graceSeconds: grace.microssegundos / 1_000_000,
            head: head.rawValue,
            items: items,
            leftOff: late.count - late.commands.count
        )
    }

    private static func item(_ command: OpenWorkReader.LateCommand) -> Item {
        let tries = command.attempts == 0 ? nil : "tried \(command.attempts) times" + (command.lastError.map { ": \($0)" } ?? "")
        return Item(
            kind: .commandOverdue,
            subject: "\(command.kind) \(command.aggregate)",
            due: Instante(microssegundos: command.due).texto,
            detail: tries
        )
    }

    // MARK: The log

    /// The bookings that are neither over nor given up, and the charges that are neither paid nor closed; only these are kept.
    private struct OpenWork {
        private var bookings: [String: Reserva] = [:]
        private var charges: [String: Pagamento] = [:]

        mutating func apply(_ event: EventoDoDominio, in stream: String) {
            switch event {
            case .reservas(let event) where stream.hasPrefix("reserva-"):
                let state = (bookings[stream] ?? .inicial).evoluindo(com: event)
                bookings[stream] = state.isOpen ? state : nil
            case .pagamentos(let event):
                let state = (charges[stream] ?? .inicial).evoluindo(com: event)
                if case .aberto = state { charges[stream] = state } else { charges[stream] = nil }
            case .reservas, .usuarios, .espacos, .precos, .checkin, .notificacoes, .analytics, .financeiro: break
            }
        }

        func stuck(by due: Instante) -> [Item] {
            let charges = charges.compactMap { stream, state -> Item? in
                guard let data = state.dados, data.expiraEm < due else { return nil }
                return Item(kind: .chargeNotClosed, subject: stream, due: data.expiraEm.texto, detail: data.causa.tipo)
            }
            return (stuckBookings(by: due) + charges).sorted { ($0.due, $0.subject) < ($1.due, $1.subject) }
        }

        private func stuckBookings(by due: Instante) -> [Item] {
            bookings.compactMap { stream, state in
                switch state {
                case .pendente(_, let expiresAt) where expiresAt < due:
                    Item(kind: .holdExpired, subject: stream, due: expiresAt.texto, detail: nil)
                case .confirmada(let data) where data.horario.intervalo.fim < due:
                    Item(kind: .bookingNotCompleted, subject: stream, due: data.horario.intervalo.fim.texto, detail: nil)
                default: nil
                }
            }
        }
    }

    private func openWork() async throws -> (OpenWork, Position) {
        let reader = LogReader(pool: pool)
        // Each event is looked at once: none is worth keeping.
        let decoded = DecodedEvents(capacity: 0)
        var open = OpenWork()
        var position = Position.start
        while true {
            let page = try await reader.page(after: position, contexts: ["reservas", "pagamentos"])
            for event in page.events where event.stream.hasPrefix("reserva-") || event.stream.hasPrefix("pagamento-") {
                open.apply(try decoded.event(event), in: event.stream)
            }
            guard page.end > position else { return (open, page.end) }
            position = page.end
        }
    }

    // MARK: Policies

    /// Policies with an event that was there for so long before them.
    private func behind(by due: Instante) async throws -> [Item] {
        try await pool.withConnection { connection in
            try connection.query(
                """
                select c.name, e.recorded_at, (select head from log.writer) - c.position as behind
                  from subs.checkpoints c join log.events e on e.position = c.position + 1
                 where e.recorded_at < $1 order by c.name
                """,
                PostgresTimestamp(microsecondsSinceEpoch: due.microssegundos)
            ).map { row in
                Item(
                    kind: .policyBehind,
                    subject: try row.get(0, String.self),
                    due: Instante(microssegundos: try row.get(1, PostgresTimestamp.self).microsecondsSinceEpoch).texto,
                    detail: "\(try row.get(2, Int64.self)) events"
                )
            }
        }
    }

    private func setAside() async throws -> [Item] {
        try await pool.withConnection { connection in
            try connection.query(
                """
                select subscription, count(*), min(first_seen) from (
                    select subscription, first_seen from subs.dead_letters where skipped_at is null
                    union all
                    select subscription, first_seen from read.dead_letters where skipped_at is null
                ) d group by subscription order by subscription
                """
            ).map { row in
                Item(
                    kind: .eventsSetAside,
                    subject: try row.get(0, String.self),
                    due: Instante(microssegundos: try row.get(2, PostgresTimestamp.self).microsecondsSinceEpoch).texto,
                    detail: "\(try row.get(1, Int64.self)) events"
                )
            }
        }
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

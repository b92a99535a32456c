import Domain
import EventStore
import Foundation
import HTTP
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
            /// Cash that is to go back to a member and that nobody has recorded as handed over.
            case cashNotHandedOver = "cash_not_handed_over"
            /// Money that is to go back, of which the provider has not said what became.
            case refundNotAnswered = "refund_not_answered"
            /// Somebody waits in line for a time that has begun.
            case waitNotClosed = "wait_not_closed"
            /// Somebody is in, although they are taken to have left by now.
            case presenceNotClosed = "presence_not_closed"
            /// A subscription whose period is over.
            case subscriptionNotRenewed = "subscription_not_renewed"
            /// A subscription that goes on although its fee was not paid.
            case subscriptionNotEnded = "subscription_not_ended"
            /// A message that was neither sent nor given up.
            case messageNotSettled = "message_not_settled"
            /// A unit's day that is over and whose figures are not recorded.
            case dayNotClosed = "day_not_closed"
            /// A webhook that was to be told of something, and was not tried.
            case webhookOverdue = "webhook_overdue"
            /// A command that was due and was not given.
            case commandOverdue = "command_overdue"
            /// A command that failed so often that it waits for somebody to ask for another try.
            case commandSetAside = "command_set_aside"
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

        init(_ kind: Kind, _ subject: String, _ due: Instante, _ detail: String? = nil) {
            self.kind = kind
            self.subject = subject
            self.due = due.texto
            self.detail = detail
        }
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
        let items =
            open.stuck(by: due) + late.commands.map(Self.item) + (try await webhooks(by: due)) + (try await behind(by: due))
            + (try await setAside())
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
            command.isSetAside ? .commandSetAside : .commandOverdue,
            "\(command.kind) \(command.aggregate)",
            Instante(microssegundos: command.due),
            tries
        )
    }

    // MARK: The log

    private func openWork() async throws -> (OpenWork, Position) {
        let reader = LogReader(pool: pool)
        // Each event is looked at once: none is worth keeping.
        let decoded = DecodedEvents(capacity: 0)
        let zones = ZoneCatalog()
        var open = OpenWork(zone: { try zones.zone($0) })
        var position = Position.start
        while true {
            let page = try await reader.page(after: position, contexts: OpenWork.contexts)
            // The days of agendas are most of the log, and nothing in them waits.
            for event in page.events where !event.stream.hasPrefix("agenda-") {
                try open.apply(try decoded.event(event), in: event.stream)
            }
            guard page.end > position else { return (open, page.end) }
            position = page.end
        }
    }

    // MARK: Webhooks

    /// Webhooks that could be told of something and were not tried; each with the first event that waits.
    private func webhooks(by due: Instante) async throws -> [Item] {
        try await pool.withConnection { connection in
            try connection.query(
                """
                select d.webhook::text, min(d.next_at), count(*)
                  from subs.webhook_deliveries d join subs.webhooks w on w.id = d.webhook and w.active
                 where d.state = 'pending' and greatest(d.next_at, d.claimed_until) < $1
                 group by d.webhook order by 2, 1
                """,
                PostgresTimestamp(microsecondsSinceEpoch: due.microssegundos)
            ).map { row in
                Item(
                    .webhookOverdue, "webhook-\(try row.get(0, String.self))",
                    Instante(microssegundos: try row.get(1, PostgresTimestamp.self).microsecondsSinceEpoch),
                    "\(try row.get(2, Int64.self)) events"
                )
            }
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
                    .policyBehind, try row.get(0, String.self),
                    Instante(microssegundos: try row.get(1, PostgresTimestamp.self).microsecondsSinceEpoch),
                    "\(try row.get(2, Int64.self)) events"
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
                    .eventsSetAside, try row.get(0, String.self),
                    Instante(microssegundos: try row.get(2, PostgresTimestamp.self).microsecondsSinceEpoch),
                    "\(try row.get(1, Int64.self)) events"
                )
            }
        }
    }
}

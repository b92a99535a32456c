import Domain
package import Postgres

/// Finds what is scheduled for a person, or for a space. It sees what a policy has not come to yet, or has set aside, as well.
package struct ScheduleReader: Sendable {
    /// The policy is so far behind that it cannot be told what it will schedule. A due command that needs to know waits until it can.
    package struct TooFarBehind: Postponement, CustomStringConvertible {
        let policy: String

        package var reason: String { "the policy \(policy) is too far behind the log" }
        package var description: String { reason }
    }

    /// What a policy schedules, and on which events.
    package struct Schedule: Sendable {
        let policy: String
        let kind: String
        let eventTypes: Set<String>

        package init(policy: String, kind: String, eventTypes: Set<String>) {
            self.policy = policy
            self.kind = kind
            self.eventTypes = eventTypes
        }
    }

    /// What may concern a person.
    package struct Found: Sendable {
        /// Of the commands scheduled for them.
        package let aggregates: [String]
        /// The streams of events, anybody's, that the policy has not come to yet, has parked, or was told to skip. One with several such
        /// events is named as often.
        package let unseen: [String]
    }

    private static let mostUnseen = 1000

    private let pool: PostgresPool

    /// - Parameter pool: connections of a role that may read the log and `subs`.
    package init(pool: PostgresPool) {
        self.pool = pool
    }

    /// All that may concern the person or the space, seen at one instant.
    ///
    /// - Throws: `TooFarBehind`.
    package func find(_ schedule: Schedule, for subject: String) async throws -> Found {
        let rows = try await pool.withConnection { connection in
            try connection.query(
                """
                select aggregate, true from subs.timers where subject = $1 and kind = $2
                union all
                (select stream, false from log.events
                  where position > coalesce((select position from subs.checkpoints where name = $3), 0) and type = any($4)
                  order by position limit $5)
                union all
                (select stream, false from subs.dead_letters where subscription = $3 and type = any($4)
                  order by position limit $5)
                """,
                subject,
                schedule.kind,
                schedule.policy,
                PostgresArray(schedule.eventTypes.sorted()),
                Int64(Self.mostUnseen + 1)
            ).map { (name: try $0.get(0, String.self), isScheduled: try $0.get(1, Bool.self)) }
        }
        let unseen = rows.filter { !$0.isScheduled }.map(\.name)
        guard unseen.count <= Self.mostUnseen else { throw TooFarBehind(policy: schedule.policy) }
        return Found(aggregates: rows.filter(\.isScheduled).map(\.name), unseen: unseen)
    }
}

extension ScheduleReader.Schedule {
    /// The ends of bookings, by owner: while its end is scheduled, a booking may be open. A move schedules the new end; once the old end
    /// has passed, that is all there is.
    package static let endsOfBookings = Self(
        policy: PrazoDaReserva.politica,
        kind: PrazoDaReserva.concluir.rawValue,
        eventTypes: [ReservaSolicitada.tipo, ReservaRemarcada.tipo]
    )
}

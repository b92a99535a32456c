import AMQP
import Domain
import EventStore
import FoundationEssentials
import Postgres
import TestSupport
import Testing

@testable import coworkflow

extension WholeSystem {
    /// The same events over and over to whoever tells people of them.
    @Suite(.serialized, .system(startsAt: "2026-03-02T12:00:00Z", sendsMail: true))
    struct Redelivery {
        private static let policy = "notificacoes.avisos"

        /// What was asked to be sent, and what was sent, by cause.
        private struct Told: Equatable {
            let asked: Int64
            let sent: Int64
            /// Causes that somebody was told of more than once over one channel.
            let twice: Int64
            let mails: Int

            init(_ system: TestSystem) async throws {
                let row = try await system.pool.withConnection { connection in
                    try connection.query(
                        """
                        with asked as (
                            select convert_from(payload, 'UTF8')::jsonb as p from log.events
                             where type = 'notificacoes.NotificacaoSolicitada'
                        )
                        select (select count(*) from asked),
                               (select count(*) from log.events where type = 'notificacoes.NotificacaoEnviada'),
                               (select count(*) from (
                                    select 1 from asked
                                     group by p->>'causa', p->>'aviso', p->>'destinatario', p->>'canal' having count(*) > 1
                                ) t)
                        """
                    )[0]
                }
                (asked, sent, twice) = (try row.get(0, Int64.self), try row.get(1, Int64.self), try row.get(2, Int64.self))
                mails = try #require(system.mail).messages().count
            }
        }

        @Test("Whatever is delivered again, and in whatever order, each cause is told of once", arguments: [1, 2] as [UInt64])
        func once(seed: UInt64) async throws {
            // Given people who were told of many things
            let system = try TestSystem.current()
            let stays = try await concurrently(Array(0..<3), atATime: 3) { _ in try await system.paid() }
            for stay in stays { try await stay.member.client.delete("/reservations/\(stay.id)").expect(200) }
            for stay in stays { try await stay.paymentBecomes("refunded") }
            let subscriber = try await system.member()
            try await subscriber.client.post("/subscriptions", ["plan": "premium"]).expect(201)
            try await system.settled()
            let before = try await Told(system)
            // Receipt, confirmation, cancellation and refund, and a subscription, in the app and by mail
            #expect(before.asked >= Int64(2 * (3 * 4 + 1)) && before.sent == before.asked && before.twice == 0, "\(before)")
            #expect(Int64(before.mails) * 2 == before.asked)

            // When the policy begins anew, while what it hears is what happened before, repeated and out of order
            try await system.pool.withConnection { connection in
                _ = try connection.execute("update subs.checkpoints set position = 0 where name = $1", Self.policy)
            }
            try await announceAgain(system, seed: seed)
            try await eventually("it has heard of everything again") {
                try await system.pool.withConnection { connection in
                    try connection.query(
                        "select position >= (select head from log.writer) from subs.checkpoints where name = $1", Self.policy
                    )[0].get(0, Bool.self)
                }
            }
            try await system.settled()

            // Then nobody is told anything again
            #expect(try await Told(system) == before)
            let fresh = try await stays[0].again().member.client
            let kinds = try await fresh.get("/notifications").expect(200).json.items.compactMap { $0["kind"].text }.sorted()
            #expect(kinds == ["booking_cancelled", "booking_confirmed", "payment_received", "refund_done"])
        }

        /// Publishes all that is in the log as batches of one to five events that join on to those before, each up to three times, shuffled.
        private func announceAgain(_ system: TestSystem, seed: UInt64) async throws {
            let reader = LogReader(pool: system.pool)
            let events = try await reader.events(from: Position(1), through: try await reader.head())
            var random = SeededGenerator(seed: seed)
            var batches: [EventBatch] = []
            var rest = events[...]
            while !rest.isEmpty {
                let part = Array(rest.prefix(Int.random(in: 1...5, using: &random)))
                let batch = try #require(EventBatch(events: part, previous: [:]))
                batches += Array(repeating: batch, count: Int.random(in: 1...3, using: &random))
                rest = rest.dropFirst(part.count)
            }
            batches.shuffle(using: &random)
            let broker = BrokerTopology()
            let connection = AMQPConnection(system.settings.amqp, topology: broker.topology, logger: system.journal.logger())
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await connection.run() }
                try await connection.waitUntilConnected(timeout: .seconds(10))
                for batch in batches {
                    try await connection.publishConfirmed(
                        batch.message, exchange: broker.eventsExchange, routingKey: batch.routingKey, timeout: .seconds(10)
                    )
                }
                group.cancelAll()
            }
        }
    }
}

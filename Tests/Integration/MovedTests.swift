import Postgres
import TestSupport
import Testing

extension WholeSystem {
    /// A log that has come to a database without what the policies had kept beside it, as after an import or a restore without `subs`.
    @Suite(.serialized, .system(startsAt: "2026-03-02T12:00:00Z", sendsMail: true, relays: true))
    struct Moved {
        @Test("Every policy runs from the first event again, nobody is told or asked anything, and what comes later is told")
        func quiet() async throws {
            let system = try TestSystem.current()
            let mail = try #require(system.mail)
            let relay = try #require(system.relay).receiver
            let admin = try await system.administrator().client
            try await WebhookReceiver.run { receiver, url in
                // Given bookings that were paid, given back, and told of
                try await admin.post("/webhooks", ["url": .string(url), "types": ["reservas.*", "pagamentos.*"]]).expect(201)
                let hold = try await system.hold()
                let charge = try await hold.charge().expect(200)
                try await system.sandbox.post("/control/charges/\(try charge.text("transaction_id"))/approve").expect(200)
                try await hold.becomes("active")
                try await hold.member.client.delete("/reservations/\(hold.id)").expect(200)
                try await hold.paymentBecomes("refunded")
                try await rest(system)
                let before = (hooks: receiver.deliveries.count, mails: try mail.messages().count, relayed: relay.deliveries.count)
                #expect(before.hooks > 0 && before.mails > 0)
                let head = try await system.head()

                // When what the policies keep is lost, and they begin anew
                let policies = try await count("subs.checkpoints", system)
                try await system.pool.withConnection { connection in
                    try connection.executeScript(
                        """
                        begin;
                        delete from subs.checkpoints;
                        delete from subs.timers;
                        delete from subs.dead_letters;
                        delete from subs.webhooks;
                        delete from subs.beginning;
                        commit
                        """
                    )
                }
                try await eventually("every policy has begun anew") { try await count("subs.checkpoints", system) == policies }
                try await rest(system)

                // Then nothing goes out, and nothing is recorded
                #expect(receiver.deliveries.count == before.hooks)
                #expect(try mail.messages().count == before.mails)
                #expect(relay.deliveries.count == before.relayed)
                #expect(try await system.head() == head)
                #expect(try await count("subs.webhooks", system) == 1)

                // And what comes later is told
                _ = try await system.hold()
                try await eventually("the webhook is told") { receiver.deliveries.count > before.hooks }
                // NIO ends the process where a connection is accepted while its listener closes (swift-nio, issue 2813).
                try await rest(system)
            }
        }

        private func count(_ table: String, _ system: TestSystem) async throws -> Int64 {
            try await system.pool.withConnection { try $0.query("select count(*) from \(table)")[0].get(0, Int64.self) }
        }

        /// Waits until nothing is left to do or to deliver.
        private func rest(_ system: TestSystem) async throws {
            try await system.settled()
            try await eventually("every delivery is settled") {
                try await system.pool.withConnection { connection in
                    try connection.query("select not exists (select from subs.webhook_deliveries where state = 'pending')")[0]
                        .get(0, Bool.self)
                }
            }
        }
    }
}

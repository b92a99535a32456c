import AsyncHTTPClient
import Crypto
import Domain
import FoundationEssentials
import HTTP
import NIOHTTP1
import Postgres
import TestSupport
import Testing

@testable import coworkflow

extension WholeSystem.Payments {
    @Suite(.serialized)
    struct Late {
        @Test("A payment that comes after the hold takes the slot again where it is free")
        func free() async throws {
            let system = try TestSystem.current()
            let (hold, transaction) = try await expired(system)

            try await system.sandbox.post("/control/charges/\(transaction)/approve").expect(200)

            try await hold.becomes("active")
            #expect(try await hold.payment()["status"] == "approved")
            let rival = try await system.member()
            try await rival.client.post("/reservations", slot(of: hold)).expectProblem(409, "slot_taken")
            let history = try await hold.member.client.get("/reservations/\(hold.id)/history", ["Accept-Language": "en"]).expect(200)
            #expect(String(decoding: history.bytes, as: UTF8.self).contains("was taken up again"))
        }

        @Test("Where it is taken, all the money goes back at once")
        func taken() async throws {
            let system = try TestSystem.current()
            let (hold, transaction) = try await expired(system)
            let rival = try await system.member()
            try await rival.client.post("/reservations", slot(of: hold)).expect(201)

            try await system.sandbox.post("/control/charges/\(transaction)/approve").expect(200)

            try await hold.paymentBecomes("refunded")
            #expect(try await hold.payment()["refunds"].items.map { $0["reason"] } == ["late_payment"])
            #expect(try await hold.payment()["refunds"].items.map { $0["late_because"] } == ["slot_taken"])
            try await hold.becomes("expired")
        }

        @Test("Where its time has begun, the slot stays free and all the money goes back at once")
        func begun() async throws {
            let system = try TestSystem.current()
            let (hold, transaction) = try await expired(system)
            let start = try #require(Instante(try hold.answer.text("start_time")))
            system.clock.jump(to: start.microssegundos + 1_000_000)

            try await system.sandbox.post("/control/charges/\(transaction)/approve").expect(200)

            let later = try await hold.again()
            try await later.paymentBecomes("refunded")
            #expect(try await later.payment()["refunds"].items.map { $0["late_because"] } == ["has_begun"])
            #expect(try await later.payment()["refunded_cents"] == 6_000)
            try await later.becomes("expired")
        }

        @Test("A payment whose webhook got lost is found minutes after its PIX was made")
        func lost() async throws {
            let system = try TestSystem.current()
            let hold = try await system.hold()
            let transaction = try await hold.charge().expect(200).text("transaction_id")
            try await approveUnheard(transaction, system)
            try await afterTheFirstCheck(system)
            let again = try await hold.again()
            try await again.becomes("active")
            let long = try hold.expires() - .minutos(5)
            #expect(system.clock.now < long.microssegundos)
        }

        @Test("One that was paid after that is found when its time is over")
        func lostLater() async throws {
            let system = try TestSystem.current()
            let hold = try await system.hold()
            let transaction = try await hold.charge().expect(200).text("transaction_id")
            try await afterTheFirstCheck(system)
            try await system.settled()
            try await approveUnheard(transaction, system)
            #expect(try await hold.again().payment()["status"] == "pending")
            system.clock.jump(to: try hold.expires().microssegundos - 50_000_000)
            try await hold.again().becomes("active")
        }

        @Test("Of what is paid, nothing is asked while it could have been paid, not even about a PIX that was made before and left")
        func nothingToAsk() async throws {
            let system = try TestSystem.current()
            // Paid with a card: nobody has told what became of the PIX
            let hold = try await system.hold()
            try await hold.charge().expect(200)
            try await system.behave(["charges": "approve"])
            try await hold.charge("card", token: "tok_passa1234").expect(200)
            try await hold.becomes("active")
            let payment = try await hold.payment().text("id")
            try await system.settled()
            #expect(try await checks(of: payment, within: .minutos(2), system) == 1)
            // Asked, the provider would not answer, and the question would be put again
            try await system.behave(["down": true])
            try await afterTheFirstCheck(system)
            try await eventually("there is nothing to ask") { try await checks(of: payment, within: .zero, system) == 0 }
            try await system.behave([:])
        }

        /// How often the provider is to be asked about a charge by then. A question that it did not answer counts on.
        private func checks(of payment: String, within time: Duracao, _ system: TestSystem) async throws -> Int64 {
            let end = PostgresTimestamp(microsecondsSinceEpoch: system.clock.now + time.microssegundos)
            return try await system.pool.withConnection { connection in
                try connection.query(
                    "select count(*) from subs.timers where kind = $1 and aggregate = $2 and due <= $3",
                    PrazoDaCobranca.conferir.rawValue,
                    payment,
                    end
                )[0].get(0, Int64.self)
            }
        }

        /// Has a charge paid without a word about it.
        private func approveUnheard(_ transaction: String, _ system: TestSystem) async throws {
            try await system.behave(["lose": true])
            try await system.sandbox.post("/control/charges/\(transaction)/approve").expect(200)
            try await system.behave([:])
        }

        private func afterTheFirstCheck(_ system: TestSystem) async throws {
            try await system.settled()
            system.clock.jump(to: system.clock.now + 121_000_000)
        }

        /// A hold that ran out with a PIX that can still be paid.
        private func expired(_ system: TestSystem) async throws -> (Hold, String) {
            let hold = try await system.hold()
            let transaction = try await hold.charge().expect(200).text("transaction_id")
            try await system.settled()
            system.clock.jump(to: try hold.expires().microssegundos + 1_000_000)
            let again = try await hold.again()
            try await again.becomes("expired")
            try await again.paymentBecomes("expired")
            return (again, transaction)
        }

        private func slot(of hold: Hold) -> JSONValue {
            ["space_id": .string(hold.room), "start_time": hold.answer["start_time"], "end_time": hold.answer["end_time"]]
        }
    }

    @Suite(.serialized)
    struct Webhooks {
        @Test("Webhooks that are repeated and come in any order have one effect")
        func repeated() async throws {
            let system = try TestSystem.current()
            let holds = try await concurrently(Array(0..<4), atATime: 2) { _ in try await system.hold() }
            let transactions = try await concurrently(holds, atATime: 2) { try await $0.charge().expect(200).text("transaction_id") }
            try await system.behave(["sendings": 3, "reorder": true])
            for transaction in transactions {
                try await system.sandbox.post("/control/charges/\(transaction)/refuse").expect(200)
                try await system.sandbox.post("/control/charges/\(transaction)/approve").expect(200)
            }
            for hold in holds { try await hold.becomes("active") }
            try await system.behave([:])
            for hold in holds {
                let payment = try await hold.payment()
                #expect(payment["status"] == "approved" && payment["paid_cents"] == 6_000 && payment["refunds"].items.isEmpty)
            }
        }

        @Test("An amount that is not owed, and a second payment, go back at once")
        func notOwed() async throws {
            let system = try TestSystem.current()
            let hold = try await system.hold()
            let transaction = try await hold.charge().expect(200).text("transaction_id")
            try await system.sandbox.post("/control/charges/\(transaction)/approve", ["amount_cents": 5_999]).expect(200)
            try await eventually("the wrong amount went back") {
                try await hold.payment()["refunds"].items.map { $0["status"] } == ["done"]
            }
            #expect(try await hold.member.client.get("/reservations/\(hold.id)")["status"] == "pending")
            #expect(try await hold.payment()["refunds"].items.map { $0["reason"] } == ["not_owed"])
        }

        @Test("What is forged, changed, old or from the future is not listened to")
        func forged() async throws {
            let system = try TestSystem.current()
            let hold = try await system.hold()
            let transaction = try await hold.charge().expect(200).text("transaction_id")
            let sandbox = try #require(system.settings.payments.sandbox)
            let right = WebhookSignature(key: sandbox.key)
            let body = try said(transaction)
            let now = Instante(microssegundos: system.clock.now)
            func send(_ body: [UInt8], _ signature: String?) async throws -> Answer {
                var headers = ["Content-Type": "application/json"]
                headers["Webhook-Signature"] = signature
                return try await system.visitor.send(.POST, "/payments/webhook/sandbox", headers: headers, body: .bytes(body))
            }

            try await send(body, nil).expectProblem(401, "invalid_signature")
            for text in ["", "t=1", "v1=00", "t=x,v1=y", "t=1,t=2,v1=00"] {
                try await send(body, text).expectProblem(401, "invalid_signature")
            }
            let forger = WebhookSignature(key: SymmetricKey(size: .bits256))
            try await send(body, forger.sign(body, at: now)).expectProblem(401, "invalid_signature")
            try await send(body + [0x20], right.sign(body, at: now)).expectProblem(401, "invalid_signature")
            try await send(body, right.sign(body, at: now - .minutos(6))).expectProblem(401, "signature_expired")
            try await send(body, right.sign(body, at: now + .minutos(6))).expectProblem(401, "signature_expired")
            try await send(Array("{}".utf8), right.sign(Array("{}".utf8), at: now)).expectProblem(400, "invalid_field")
            let unknown = try said(String(repeating: "0", count: 32) + "01")
            try await send(unknown, right.sign(unknown, at: now)).expectProblem(404, "payment_not_found")
            try await system.visitor.send(.POST, "/payments/webhook/nobody", body: .bytes(body)).expectProblem(404, "not_found")
            #expect(try await hold.member.client.get("/reservations/\(hold.id)", after: try await system.head())["status"] == "pending")

            // The same, signed as it should be, twice
            try await send(body, right.sign(body, at: now)).expect(200)
            try await send(body, right.sign(body, at: now)).expect(200)
            try await hold.becomes("active")
        }

        private func said(_ transaction: String) throws -> [UInt8] {
            let charge: JSONValue = [
                "transaction": .string(transaction), "method": "pix", "status": "approved", "amount_cents": 6_000, "reference": "E1",
            ]
            return try (["id": .string("x-\(transaction)"), "transaction": .string(transaction), "charge": charge] as JSONValue).bytes
        }
    }

    @Suite(.serialized)
    struct ProviderDown {
        @Test("While the provider is down nothing is charged, and what is to go back goes when it is up again")
        func down() async throws {
            let system = try TestSystem.current()
            let paid = try await system.paid()
            let hold = try await system.hold()
            try await system.behave(["down": true])

            let answer = try await hold.charge(key: "down")
            answer.expectProblem(503, "payment_provider_unavailable")
            #expect(answer.header("Retry-After") != nil)
            try await paid.member.client.delete("/reservations/\(paid.id)").expect(200)
            try await eventually("the giving back waits") { try await paid.payment()["refunding_cents"] == 6_000 }

            try await system.behave([:])
            try await paid.paymentBecomes("refunded")
            try await hold.charge(key: "down").expect(200)
        }
    }
}

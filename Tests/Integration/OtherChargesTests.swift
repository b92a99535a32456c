import Domain
import Foundation
import Postgres
import TestSupport
import Testing

@testable import coworkflow

extension WholeSystem.Payments {
    /// Money for what is no booking's price, and money at the desk, through the gateway.
    @Suite(.serialized)
    struct OtherCharges {
        // MARK: Overtime

        /// A booking that was paid, came to, and overstayed by forty minutes: two steps of half an hour.
        private func overstayed(_ system: TestSystem) async throws -> Hold {
            let stay = try await system.paid()
            try await system.proceed(to: try stay.answer.text("start_time"))
            try await stay.again().member.client.post("/checkin/\(stay.id)").expect(200)
            try await system.proceed(to: try stay.answer.text("end_time"), plus: 40)
            let again = try await stay.again()
            let left = try await again.member.client.post("/checkout/\(stay.id)").expect(200)
            #expect(left["overtime"]["amount_cents"] == 6_000)
            return again
        }

        @Test("Overtime is charged once and paid by PIX")
        func overtime() async throws {
            let system = try TestSystem.current()
            let stay = try await overstayed(system)
            let charge = try await stay.charge(of: "overtime")
            #expect(charge["amount_cents"] == 6_000 && charge["status"] == "pending")
            #expect(try await stay.ledger()["receivables"] == 6_000)
            let pix = try await stay.member.client.post("/payments/charge", ["payment_id": charge["id"], "method": "pix"]).expect(200)
            try await system.sandbox.post("/control/charges/\(try pix.text("transaction_id"))/approve").expect(200)
            try await eventually("it is paid") { try await stay.charge(of: "overtime")["status"] == "approved" }
            #expect(try await stay.ledger() == ["cash": 12_000, "booking_revenue": 12_000])
            #expect(try await stay.payments().map { $0["kind"] } == ["overtime", "reservation"])
        }

        @Test("Overtime is paid with the desk's card machine")
        func overtimeAtTheDesk() async throws {
            let system = try TestSystem.current()
            let stay = try await overstayed(system)
            let charge = try await stay.charge(of: "overtime")
            let body: JSONValue = [
                "payment_id": charge["id"], "method": "card_machine", "amount_cents": 6_000, "reference": "NSU 000123",
            ]
            try await stay.member.client.post("/payments/desk", body).expectProblem(403, "staff_only")
            let desk = try await system.receptionist()
            try await desk.client.post("/payments/desk", body.with("amount_cents", 5_000)).expectProblem(409, "amount_differs")
            try await desk.client.post("/payments/desk", body.with("method", "pix")).expectProblem(400, "invalid_field")
            try await desk.client.post("/payments/desk", body.with("reference", "4111 1111 1111 1111")).expectProblem(400, "invalid_field")
            let taken = try await desk.client.post("/payments/desk", body, key: "desk").expect(200)
            #expect(taken["method"] == "card_machine" && taken["status"] == "approved" && taken["amount_cents"] == 6_000)
            #expect(try await desk.client.post("/payments/desk", body, key: "desk").expect(200).json == taken.json)
            try await desk.client.post("/payments/desk", body).expectProblem(409, "already_paid")
            #expect(try await stay.ledger() == ["cash": 12_000, "booking_revenue": 12_000])
        }

        // MARK: The desk

        @Test("Cash for a held booking has it stand at once; what a cancellation gives back of it the desk hands over")
        func cash() async throws {
            let system = try TestSystem.current()
            let hold = try await system.hold()
            let desk = try await system.receptionist()
            try await desk.client.post("/payments/desk", ["reservation_id": .string(hold.id), "method": "cash"]).expect(200)
            #expect(try await hold.member.client.get("/reservations/\(hold.id)", after: try await system.head())["status"] == "active")
            #expect(try await hold.ledger() == ["cash": 6_000, "deferred_revenue": 6_000])

            try await hold.member.client.delete("/reservations/\(hold.id)").expect(200)
            try await eventually("it is to go back") { try await hold.payment()["refunding_cents"] == 6_000 }
            try await system.settled()
            let payment = try await hold.payment()
            let refund = try #require(payment["refunds"].items.first)
            #expect(refund["status"] == "requested" && refund["reason"] == "cancellation")
            let path = "/payments/\(payment["id"].text ?? "")/refunds/\(refund["id"].text ?? "")/handed-over"
            try await hold.member.client.post(path).expectProblem(403, "staff_only")
            // To somebody who looks from four days later, it lies there still
            func lying() async throws -> [StuckSweep.Item] {
                let later = Instante(microssegundos: system.clock.now) + .horas(96)
                return try await StuckSweep(pool: system.pool).report(at: later, grace: .segundos(0)).items.filter {
                    $0.kind == .cashNotHandedOver && $0.subject == "pagamento-\(payment["id"].text ?? "")"
                }
            }
            #expect(try await lying().map(\.detail) == ["refund \(refund["id"].text ?? "")"])
            try await desk.client.post(path).expect(200)
            #expect(try await lying().isEmpty)
            try await desk.client.post(path).expect(200)
            #expect(try await hold.payment()["status"] == "refunded")
            #expect(try await hold.ledger() == [:])
        }

        @Test("What a booking that staff confirmed owes is a receivable until the desk takes it")
        func receivable() async throws {
            let system = try TestSystem.current()
            let hold = try await system.hold()
            let desk = try await system.receptionist()
            try await desk.client.post("/reservations/\(hold.id)/confirm").expect(200)
            try await system.proceed(to: try hold.answer.text("end_time"), plus: 1)
            let again = try await hold.again()
            try await again.becomes("completed")
            #expect(try await again.ledger() == ["receivables": 6_000, "booking_revenue": 6_000])
            let later = try await desk.person.logIn(system.visitor, id: desk.id)
            let body: JSONValue = ["reservation_id": .string(hold.id), "method": "cash"]
            // Two at once take it once
            let answers = try await concurrently([0, 1, 2, 3], atATime: 4) { _ in try await later.client.post("/payments/desk", body) }
            #expect(answers.map(\.status).sorted() == [200, 409, 409, 409])
            #expect(try await again.ledger() == ["cash": 6_000, "booking_revenue": 6_000])
            let owed = try await later.client.get("/financial/receivables?limit=200", after: try await system.head()).expect(200)
            #expect(!owed["items"].items.contains { $0["id"].text == hold.id })
        }

        // MARK: Fees

        private func subscribe(_ system: TestSystem, _ plan: String) async throws -> Member {
            try await system.administrator().client.put(
                "/plans/\(plan)",
                ["name": .string(plan), "discount_percent": 10, "monthly_fee_cents": 31_000, "included_minutes": 120]
            ).expect(200)
            let member = try await system.member()
            try await member.client.post("/subscriptions", ["plan": .string(plan)]).expect(201)
            return member
        }

        private func fee(_ member: Member, _ system: TestSystem) async throws -> JSONValue {
            try await eventually("the fee is charged") {
                try await !member.client.get("/payments", after: try await system.head()).expect(200).json.items.isEmpty
            }
            let charges = try await member.client.get("/payments").expect(200).json.items
            #expect(charges.count == 1 && charges.first?["kind"] == "subscription")
            return try #require(charges.first)
        }

        private func status(_ member: Member, _ system: TestSystem) async throws -> JSONValue {
            try await member.client.get("/subscriptions/me", after: try await system.head()).expect(200)["subscription"]["status"]
        }

        private func owes(_ member: Member, _ system: TestSystem) async throws -> Double {
            let desk = try await system.administrator()
            let owed = try await desk.client.get("/financial/receivables?limit=200", after: try await system.head()).expect(200)
            return owed["items"].items.first { $0["id"].text == member.id }?["amount_cents"].number ?? 0
        }

        @Test("A fee that is paid keeps the subscription, and is owed no more")
        func feePaid() async throws {
            let system = try TestSystem.current()
            let member = try await subscribe(system, "pago")
            let charge = try await fee(member, system)
            #expect(charge["amount_cents"] == 31_000)
            try await system.settled()
            #expect(try await owes(member, system) == 31_000)
            let body: JSONValue = ["payment_id": charge["id"], "method": "pix"]
            let pix = try await member.client.post("/payments/charge", body).expect(200)
            try await system.sandbox.post("/control/charges/\(try pix.text("transaction_id"))/approve").expect(200)
            try await eventually("it is paid") { try await fee(member, system)["status"] == "approved" }
            try await system.settled()
            #expect(try await owes(member, system) == 0)
            try await system.proceed(to: system.time(day: 12, minute: 0))
            let again = try await member.person.logIn(system.visitor, id: member.id)
            try await system.settled()
            #expect(try await status(again, system) == "active")
        }

        @Test("A fee that was paid without a word about it is found within a day, long before it runs out")
        func feeFound() async throws {
            let system = try TestSystem.current()
            let member = try await subscribe(system, "perdido")
            let charge = try await fee(member, system)
            let body: JSONValue = ["payment_id": charge["id"], "method": "pix"]
            let pix = try await member.client.post("/payments/charge", body).expect(200)
            try await system.proceed(to: system.time(day: 2, minute: 0))
            try await system.settled()
            try await system.behave(["lose": true])
            try await system.sandbox.post("/control/charges/\(try pix.text("transaction_id"))/approve").expect(200)
            try await system.behave([:])
            let later = try await member.person.logIn(system.visitor, id: member.id)
            #expect(try await fee(later, system)["status"] == "pending")

            system.clock.jump(to: system.clock.now + Duracao.horas(24).microssegundos)
            let again = try await member.person.logIn(system.visitor, id: member.id)
            try await eventually("it is paid") { try await fee(again, system)["status"] == "approved" }
        }

        @Test("A fee that nobody pays ends the subscription after its grace, and what comes later goes back")
        func feeUnpaid() async throws {
            let system = try TestSystem.current()
            let member = try await subscribe(system, "devendo")
            let charge = try await fee(member, system)
            let pix = try await member.client.post("/payments/charge", ["payment_id": charge["id"], "method": "pix"]).expect(200)
            let closes = try #require(charge["expires_at"].text)
            try await system.proceed(to: closes, plus: -1)
            #expect(try await status(try await member.person.logIn(system.visitor, id: member.id), system) == "active")
            try await system.proceed(to: closes)
            try await system.settled()
            try await system.proceed(to: closes, plus: 20)
            let again = try await member.person.logIn(system.visitor, id: member.id)
            try await eventually("the subscription has ended") { try await status(again, system) == "ended" }
            let wallet = try await again.client.get("/subscriptions/me", after: try await system.head()).expect(200)
            #expect(wallet["subscription"]["end_reason"] == "falta_de_pagamento" && wallet["credits"]["balance_minutes"] == 0)
            try await system.settled()
            #expect(try await owes(again, system) == 0)

            try await system.sandbox.post("/control/charges/\(try pix.text("transaction_id"))/approve").expect(200)
            try await eventually("it goes back") { try await fee(again, system)["status"] == "refunded" }
            try await system.settled()
            let desk = try await system.administrator()
            let balance = try await desk.client.get("/financial/trial-balance", after: try await system.head()).expect(200)
            #expect(balance["balanced"] == true)
            #expect(try await owes(again, system) == 0)
        }

        @Test("The end of a long subscription takes back the fee that was not paid, and none that was")
        func feesOfHalfAYear() async throws {
            let system = try TestSystem.current()
            var member = try await subscribe(system, "antigo")
            for month in 1...5 {
                try await eventually("the fee of month \(month) is charged") { try await fees(member, system).count == month }
                let charge = try #require(try await fees(member, system).first { $0["status"] == "pending" })
                let pix = try await member.client.post("/payments/charge", ["payment_id": charge["id"], "method": "pix"]).expect(200)
                try await system.sandbox.post("/control/charges/\(try pix.text("transaction_id"))/approve").expect(200)
                try await eventually("it is paid") { try await fees(member, system).allSatisfy { $0["status"] == "approved" } }
                try await system.settled()
                try await system.proceed(to: try await renewal(member, system))
                member = try await member.person.logIn(system.visitor, id: member.id)
            }
            try await eventually("the sixth fee is charged") { try await fees(member, system).count == 6 }
            let open = try #require(try await fees(member, system).first { $0["status"] == "pending" })
            #expect(try await earned(member, system) >= 5 * 31_000)
            let closes = try #require(open["expires_at"].text)
            try await system.proceed(to: closes)
            try await system.settled()
            try await system.proceed(to: closes, plus: 20)
            member = try await member.person.logIn(system.visitor, id: member.id)
            try await eventually("the subscription has ended") { try await status(member, system) == "ended" }
            try await system.settled()
            #expect(try await owes(member, system) == 0)
            #expect(try await earned(member, system) == 5 * 31_000)
        }

        private func fees(_ member: Member, _ system: TestSystem) async throws -> [JSONValue] {
            try await member.client.get("/payments", after: try await system.head()).expect(200).json.items
        }

        private func renewal(_ member: Member, _ system: TestSystem) async throws -> String {
            let mine = try await member.client.get("/subscriptions/me", after: try await system.head()).expect(200)
            return try #require(mine["subscription"]["period_end"].text)
        }

        /// What the ledger has earned of a member's subscription, in centavos.
        private func earned(_ member: Member, _ system: TestSystem) async throws -> Int64 {
            let id = try #require(UUID(uuidString: member.id))
            return try await system.pool.withConnection { connection in
                try connection.query(
                    "select coalesce(sum(credit_cents - debit_cents), 0)::bigint from read.razao_lines "
                        + "where account = 'receita_planos' and subscriber_id = $1",
                    id
                ).first?.get(0, Int64.self) ?? 0
            }
        }
    }
}

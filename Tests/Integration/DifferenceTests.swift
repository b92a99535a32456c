import Domain
import TestSupport
import Testing

@testable import coworkflow

extension WholeSystem.Payments {
    /// What a booking costs more, or less, since it was moved: through the gateway, with a provider.
    @Suite(.serialized)
    struct Differences {
        @Test("A dearer move is paid by PIX or card, the booking stands again, and a cancellation gives back all of it")
        func paid() async throws {
            let system = try TestSystem.current()
            let stay = try await system.paid()
            let moved = try await stay.move(hours: 3).expect(200)
            #expect(moved["status"] == "pending" && moved["total_price_cents"] == 18_000)
            let due = try await stay.member.client.get("/reservations/\(stay.id)", after: try moved.position()).expect(200)
            #expect(due["amount_due_cents"] == 12_000)

            // Its charge is there, and is paid by its own id
            let charge = try await stay.charge(of: "difference")
            #expect(charge["amount_cents"] == 12_000 && charge["status"] == "pending" && charge["reservation_id"].text == stay.id)
            let body: JSONValue = ["payment_id": charge["id"], "method": "pix"]
            let stranger = try await system.member()
            try await stranger.client.post("/payments/charge", body).expectProblem(404, "payment_not_found")
            let pix = try await stay.member.client.post("/payments/charge", body, key: "difference").expect(200)
            #expect(pix["payment_id"] == charge["id"] && pix["amount_cents"] == 12_000)
            #expect(try await stay.member.client.post("/payments/charge", body, key: "difference").expect(200).json == pix.json)
            // As by its booking's
            #expect(try await stay.charge().expect(200)["transaction_id"] == pix["transaction_id"])
            try await system.sandbox.post("/control/charges/\(try pix.text("transaction_id"))/approve").expect(200)

            try await stay.becomes("active")
            try await stay.member.client.post("/payments/charge", body).expectProblem(409, "already_paid")

            // When it is given up
            let cancelled = try await stay.member.client.delete("/reservations/\(stay.id)").expect(200)
            #expect(cancelled["refund"]["paid_cents"] == 18_000 && cancelled["refund"]["amount_cents"] == 18_000)
            try await eventually("both payments went back") {
                try await stay.payments().map { $0["status"] } == ["refunded", "refunded"]
            }
            #expect(try await stay.ledger() == [:])
        }

        @Test("A difference is paid with a card too")
        func card() async throws {
            let system = try TestSystem.current()
            let stay = try await system.paid()
            try await stay.move(hours: 2).expect(200)
            let charge = try await stay.charge(of: "difference")
            try await system.behave(["charges": "approve"])
            let answer = try await stay.member.client.post(
                "/payments/charge", ["payment_id": charge["id"], "method": "card", "card_token": "tok_diferenca1"]
            ).expect(200)
            try await system.behave([:])
            #expect(answer["status"] == "approved" && answer["amount_cents"] == 6_000)
            try await stay.becomes("active")
            #expect(try await stay.ledger() == ["cash": 12_000, "deferred_revenue": 12_000])
        }

        @Test("What the provider answers after its webhook has had its effect is taken for the charge that it was asked about")
        func slowAnswer() async throws {
            let system = try TestSystem.current()
            let stay = try await system.paid()
            try await stay.move(hours: 2).expect(200)
            _ = try await stay.charge(of: "difference")
            try await system.behave(["charges": "approve", "answer_ms": 3_000])
            let (client, id) = (stay.member.client, stay.id)
            let body: JSONValue = ["reservation_id": .string(id), "method": "card", "card_token": "tok_diferenca2"]
            async let answer = client.post("/payments/charge", body, key: "overtaken")
            // By the webhook
            try await stay.becomes("active")
            let heard = try await answer.expect(200)
            try await system.behave([:])
            #expect(heard["status"] == "approved" && heard["amount_cents"] == 6_000)
            // Whoever asks again is told the same, although it was the webhook that paid the charge
            #expect(try await client.post("/payments/charge", body, key: "overtaken").expect(200).json == heard.json)
            try await client.post("/payments/charge", body, key: "another").expectProblem(409, "already_paid")
            // Then nothing is paid twice, and nothing goes back
            #expect(try await stay.ledger() == ["cash": 12_000, "deferred_revenue": 12_000])
            #expect(try await stay.payments().map { $0["status"] } == ["approved", "approved"])
        }

        @Test("A cheaper move gives the difference back, once")
        func cheaper() async throws {
            let system = try TestSystem.current()
            let stay = try await system.paid()
            try await stay.move(hours: 2).expect(200)
            try await stay.approveDue()
            try await stay.becomes("active")
            try await stay.move(hours: 1).expect(200)
            try await eventually("the difference went back") {
                try await stay.payments().reduce(0) { $0 + ($1["refunded_cents"].number ?? 0) } == 6_000
            }
            let paid = try #require(try await stay.payments().first { $0["kind"] == "difference" })
            let refunds = try await stay.member.client.get("/payments/\(paid["id"].text ?? "")").expect(200)["refunds"].items
            #expect(refunds.map { $0["reason"] } == ["move"] && refunds.map { $0["amount_cents"] } == [6_000])
            #expect(try await stay.member.client.get("/reservations/\(stay.id)")["status"] == "active")
            #expect(try await stay.ledger() == ["cash": 6_000, "deferred_revenue": 6_000])
        }

        @Test("Many who cancel at once give back what was paid, once")
        func atOnce() async throws {
            let system = try TestSystem.current()
            let stay = try await system.paid()
            try await stay.move(hours: 2).expect(200)
            try await stay.approveDue()
            try await stay.becomes("active")
            let desk = try await system.receptionist()
            let payments = try await stay.payments()
            // Staff give one of the payments back at the same time
            _ = try await concurrently(Array(0..<8), atATime: 8) { number in
                if number < 4 { return try await stay.member.client.delete("/reservations/\(stay.id)") }
                let body: JSONValue = ["payment_id": payments[number % 2]["id"], "reason": "cortesia"]
                return try await desk.client.post("/payments/refund", body)
            }
            try await eventually("all of it went back") {
                try await stay.payments().map { $0["refunded_cents"].number ?? 0 } == [6_000, 6_000]
            }
            try await system.settled()
            #expect(try await stay.payments().allSatisfy { $0["refunding_cents"] == 0 && $0["paid_cents"] == 6_000 })
            #expect(try await stay.ledger() == [:])
        }

        @Test("A difference that is not paid ends the booking, and what had been paid goes back when nobody can pay late any more")
        func expired() async throws {
            let system = try TestSystem.current()
            let stay = try await system.paid()
            let moved = try await stay.move(hours: 2).expect(200)
            let end = try #require(Instante(try moved.text("expires_at")))
            try await system.settled()
            // To somebody who looks back at now from later, both the booking and its charge wait for ever
            let difference = try await stay.charge(of: "difference")["id"].text ?? ""
            let stuck = try await StuckSweep(pool: system.pool).report(at: end + .minutos(5), grace: .minutos(1)).items
            #expect(stuck.contains { $0.kind == .chargeNotClosed && $0.subject == "pagamento-\(difference)" && $0.detail == "difference" })
            #expect(stuck.contains { $0.kind == .holdExpired && $0.subject == "reserva-\(stay.id)" })

            system.clock.jump(to: end.microssegundos + 1_000_000)
            let again = try await stay.again()
            try await again.becomes("expired")
            try await system.settled()
            #expect(try await again.payments().map { $0["status"] } == ["expired", "approved"])
            system.clock.jump(to: end.microssegundos + 11 * 60_000_000)
            try await eventually("the price went back") { try await again.payments().map { $0["status"] } == ["expired", "refunded"] }
            #expect(try await again.ledger() == [:])
        }

        @Test("Paid and moved at the same time, what is left can always be paid online, and nothing is paid twice")
        func raced() async throws {
            let system = try TestSystem.current()
            try await system.behave(["charges": "approve"])
            let holds = try await concurrently(Array(0..<6), atATime: 3) { _ in try await system.hold() }
            // When paying and moving overtake each other
            _ = try await concurrently(holds, atATime: 3) { hold in
                async let paid = hold.charge("card", token: "tok_corrida123")
                async let moved = hold.move(hours: 2)
                try await moved.expect(200)
                return try await paid
            }
            try await system.settled()
            // Then whoever has not paid all of it can
            for hold in holds {
                let booked = try await hold.member.client.get("/reservations/\(hold.id)", after: try await system.head()).expect(200)
                #expect(booked["total_price_cents"] == 12_000)
                if booked["status"] == "pending" {
                    let paid = try await hold.charge("card", token: "tok_corrida123").expect(200)
                    #expect(paid["amount_cents"].number == booked["amount_due_cents"].number ?? 12_000, "\(booked) \(paid)")
                }
                try await hold.becomes("active")
            }
            try await system.settled()
            try await system.behave([:])
            for hold in holds {
                try await eventually("what was not owed went back") {
                    let payments = try await hold.payments()
                    return payments.reduce(0) { $0 + ($1["paid_cents"].number ?? 0) - ($1["refunded_cents"].number ?? 0) } == 12_000
                }
                #expect(try await hold.ledger() == ["cash": 12_000, "deferred_revenue": 12_000])
            }
        }

        @Test("A difference that is paid late has the booking stand where its slot is free")
        func late() async throws {
            let system = try TestSystem.current()
            let stay = try await system.paid()
            let moved = try await stay.move(hours: 2).expect(200)
            let transaction = try await stay.charge().expect(200).text("transaction_id")
            let end = try #require(Instante(try moved.text("expires_at")))
            try await system.settled()
            system.clock.jump(to: end.microssegundos + 1_000_000)
            let again = try await stay.again()
            try await again.becomes("expired")
            try await system.sandbox.post("/control/charges/\(transaction)/approve").expect(200)
            try await again.becomes("active")
            try await system.settled()
            system.clock.jump(to: end.microssegundos + 11 * 60_000_000)
            try await system.settled()
            #expect(try await again.payments().map { $0["status"] } == ["approved", "approved"])
            #expect(try await again.ledger()["cash"] == 12_000)
        }
    }
}

extension Hold {
    /// Moves the booking to so many hours from its start.
    func move(hours: Int) async throws -> Answer {
        let start = try #require(Instante(try answer.text("start_time")))
        return try await member.client.put(
            "/reservations/\(id)", ["start_time": .string(start.texto), "end_time": .string((start + .minutos(60 * hours)).texto)]
        )
    }

    /// All charges of the booking, the newest first.
    func payments() async throws -> [JSONValue] {
        try await member.client.get("/payments?reservation_id=\(id)", after: try await system.head()).expect(200).json.items
    }

    /// The newest charge of a kind, once it is there.
    func charge(of kind: String) async throws -> JSONValue {
        try await eventually("there is a charge of the kind \(kind)") { try await payments().contains { $0["kind"].text == kind } }
        return try #require(try await payments().first { $0["kind"].text == kind })
    }

    /// Has the provider say that what the booking waits for was paid.
    func approveDue() async throws {
        let transaction = try await charge().expect(200).text("transaction_id")
        try await system.sandbox.post("/control/charges/\(transaction)/approve").expect(200)
    }

    /// What the accounts hold for the booking, in centavos, once nothing that is due is left to do; those that hold nothing are left out.
    func ledger() async throws -> [String: Int] {
        try await system.settled()
        let desk = try await system.administrator()
        let lines = try await desk.client.get("/financial/ledger?reservation_id=\(id)&limit=200", after: try await system.head()).expect(
            200)
        var balances: [String: Int] = [:]
        for line in lines.json.items {
            let (debit, credit) = (Int(line["debit_cents"].number ?? 0), Int(line["credit_cents"].number ?? 0))
            let account = line["account"].text ?? ""
            let byDebit = ["cash", "receivables", "refunds"].contains(account)
            balances[account, default: 0] += byDebit ? debit - credit : credit - debit
        }
        return balances.filter { $0.value != 0 }
    }
}

import Domain
import Foundation
import HTTP
import Postgres
import TestSupport
import Testing

@testable import coworkflow

extension WholeSystem {
    @Suite(.serialized, .system(startsAt: "2026-03-02T12:00:00Z"))
    struct Payments {}
}

extension WholeSystem.Payments {
    @Suite(.serialized)
    struct Paying {
        @Test("A PIX is made, read by a QR reader, paid, and the booking stands")
        func pix() async throws {
            let system = try TestSystem.current()
            let hold = try await system.hold()

            let charge = try await hold.charge(key: "pix").expect(200)

            #expect(charge["status"] == "pending" && charge["amount_cents"] == 6_000 && charge["method"] == "pix")
            let code = try #require(charge["pix"]["copia_e_cola"].text)
            let parsed = try CodigoPix(lendo: code)
            #expect(parsed.usoUnico && parsed.nome == "CoworkFlow")
            let encoded = try #require(charge["pix"]["qr_png"].text)
            let picture = try #require(Data(base64Encoded: encoded))
            #expect(try textOfQRCode(png: picture) == code + "\n")
            let expires = try #require(charge["pix"]["expires_at"].text.flatMap { Instante($0) })
            #expect(expires + .minutos(1) == (try hold.expires()))
            // The same again is the same, with its key and without
            #expect(try await hold.charge(key: "pix").expect(200).json == charge.json)
            #expect(try await hold.charge().expect(200)["transaction_id"] == charge["transaction_id"])

            try await system.sandbox.post("/control/charges/\(try charge.text("transaction_id"))/approve").expect(200)

            try await hold.becomes("active")
            let payment = try await hold.payment()
            #expect(payment["status"] == "approved" && payment["paid_cents"] == 6_000 && payment["reservation_id"].text == hold.id)
            #expect(payment["copia_e_cola"] == .null)
            let history = try await hold.member.client.get("/reservations/\(hold.id)/history", ["Accept-Language": "en"]).expect(200)
            #expect(String(decoding: history.bytes, as: UTF8.self).contains("The payment was received."))
            #expect(try await hold.charge(key: "pix").expect(200).json == charge.json)
            try await hold.charge().expectProblem(409, "already_paid")
        }

        @Test("A PIX that is paid before the provider has answered is told as paid, whenever the same request comes again")
        func overtaken() async throws {
            let system = try TestSystem.current()
            let hold = try await system.hold()
            try await system.behave(["charges": "approve", "answer_ms": 3_000])
            async let answer = hold.charge(key: "overtaken")
            // By the webhook
            try await hold.becomes("active")
            let heard = try await answer.expect(200)
            try await system.behave([:])
            #expect(heard["status"] == "approved" && heard["amount_cents"] == 6_000 && heard["method"] == "pix")
            #expect(try await hold.charge(key: "overtaken").expect(200).json == heard.json)
            try await hold.charge(key: "another").expectProblem(409, "already_paid")
            let payment = try await hold.payment()
            #expect(payment["paid_cents"] == 6_000 && payment["refunds"].items.isEmpty)
        }

        @Test("Only who booked, and the desk, know of a charge")
        func visibility() async throws {
            let system = try TestSystem.current()
            let hold = try await system.hold()
            try await hold.charge().expect(200)
            let stranger = try await system.member()
            let body: JSONValue = ["reservation_id": .string(hold.id), "method": "pix"]
            try await stranger.client.post("/payments/charge", body).expectProblem(404, "reservation_not_found")
            let head = try await system.head()
            let payment = try await hold.payment()
            try await stranger.client.get("/payments/\(try #require(payment["id"].text))", after: head).expectProblem(404, "not_found")
            #expect(try await stranger.client.get("/payments", after: head).expect(200).json.items.isEmpty)
            try await stranger.client.get("/payments?user_id=\(hold.member.id)").expectProblem(404, "not_found")
            #expect(try await hold.member.client.get("/payments", after: head).expect(200).json.items.count == 1)
            let desk = try await system.receptionist()
            let seen = try await desk.client.get("/payments?reservation_id=\(hold.id)", after: head).expect(200)
            #expect(seen.json.items.map { $0["id"] } == [payment["id"]])
            try await desk.client.post("/payments/charge", body).expect(200)
        }

        @Test("A card is paid by the provider's token, or refused and tried again; a card's number is not taken")
        func card() async throws {
            let system = try TestSystem.current()
            let hold = try await system.hold()
            try await hold.charge("card", token: "4111 1111 1111 1111").expectProblem(422, "card_number_refused")
            try await hold.charge("card").expectProblem(400, "invalid_field")
            try await hold.charge("boleto").expectProblem(400, "invalid_field")

            try await system.behave(["charges": "refuse"])
            let refused = try await hold.charge("card", token: "tok_naopassa").expect(200)
            #expect(refused["status"] == "refused" && refused["refusal"] == "cartao_recusado" && refused["amount_cents"] == 6_000)

            try await system.behave(["charges": "approve"])
            let approved = try await hold.charge("card", token: "tok_passa1234", key: "card").expect(200)
            #expect(approved["status"] == "approved" && approved["transaction_id"] != refused["transaction_id"])
            try await hold.becomes("active")
            #expect(try await hold.charge("card", token: "tok_passa1234", key: "card").expect(200).json == approved.json)
            try await system.behave([:])
            #expect(try await hold.payment()["method"] == "card")
        }

        @Test("A booking that costs nothing has nothing to pay, one that is over can no longer be paid")
        func nothing() async throws {
            let system = try TestSystem.current()
            let hold = try await system.hold(type: "cabine")
            #expect(hold.answer["status"] == "active")
            try await hold.charge().expectProblem(422, "nothing_to_pay")
            let other = try await system.hold()
            try await other.member.client.delete("/reservations/\(other.id)").expect(200)
            try await other.charge().expectProblem(409, "charge_closed")
        }
    }

    @Suite(.serialized)
    struct GivingBack {
        @Test("A cancellation gives back what its policy says, at the provider too")
        func cancellation() async throws {
            let system = try TestSystem.current()
            let hold = try await system.paid()
            let cancelled = try await hold.member.client.delete("/reservations/\(hold.id)").expect(200)
            #expect(cancelled["refund"]["amount_cents"] == 6_000 && cancelled["refund"]["paid_cents"] == 6_000)
            try await hold.paymentBecomes("refunded")
            let payment = try await hold.payment()
            #expect(payment["refunds"].items.map { $0["reason"] } == ["cancellation"])
            let charge = try await system.sandbox.get("/charges/\(try #require(payment["transaction_id"].text))").expect(200)
            #expect(charge["refunds"].items.map { $0["amount_cents"] } == [6_000])
        }

        @Test("However many givings back are asked for at once, no more goes back than was paid")
        func race() async throws {
            let system = try TestSystem.current()
            let hold = try await system.paid()
            let payment = try #require(try await hold.payment()["id"].text)
            try await hold.member.client.post("/payments/refund", ["payment_id": .string(payment), "reason": "quero"])
                .expectProblem(403, "staff_only")
            let desk = try await system.receptionist()
            try await desk.client.post("/payments/refund", ["payment_id": .string(payment), "reason": " "])
                .expectProblem(422, "reason_required")
            let body: JSONValue = ["payment_id": .string(payment), "amount": 25, "reason": "cortesia"]

            let answers = try await concurrently(Array(0..<8), atATime: 8) { _ in
                try await desk.client.persistently { try await $0.post("/payments/refund", body, key: UUID().uuidString) }
            }

            #expect(answers.filter { $0.status == 200 }.count == 2)
            for answer in answers where answer.status != 200 { answer.expectProblem(409, "refund_exceeds_payment") }
            #expect(answers.filter { $0.status == 200 }.allSatisfy { $0["status"] == "refunded" && $0["refund_amount_cents"] == 2_500 })
            try await desk.client.post("/payments/refund", body.with("amount_cents", 1)).expectProblem(400, "invalid_field")
            // What is left, with a key, twice
            let rest: JSONValue = ["payment_id": .string(payment), "reason": "resto"]
            let one = try await desk.client.post("/payments/refund", rest, key: "rest").expect(200)
            let two = try await desk.client.post("/payments/refund", rest, key: "rest").expect(200)
            #expect(one["refund_amount_cents"] == 1_000 && one["refund_id"] == two["refund_id"])
            try await hold.paymentBecomes("refunded")
            let seen = try await desk.client.get("/payments/\(payment)", after: try await system.head()).expect(200)
            #expect(Set(seen["refunds"].items.compactMap { $0["note"].text }) == ["cortesia", "resto"])
        }

        @Test("What the provider gives back later, or will not, is recorded when it says so")
        func laterOrNever() async throws {
            let system = try TestSystem.current()
            let later = try await system.paid()
            let never = try await system.paid()
            let desk = try await system.receptionist()
            func giveBack(_ hold: Hold) async throws -> Answer {
                let payment = try #require(try await hold.payment()["id"].text)
                return try await desk.client.post("/payments/refund", ["payment_id": .string(payment), "reason": "x"]).expect(200)
            }
            try await system.behave(["refunds": "later", "delay_ms": 300])
            #expect(try await giveBack(later)["status"] == "processing")
            try await later.paymentBecomes("refunded")

            try await system.behave(["refunds": "refuse"])
            #expect(try await giveBack(never)["status"] == "refused")
            try await system.behave([:])
            let payment = try await never.payment()
            #expect(payment["refunds"].items.map { $0["status"] } == ["refused"] && payment["refunding_cents"] == 0)
            // The money is still there, and can be asked back again
            #expect(try await giveBack(never)["status"] == "refunded")
        }
    }
}

/// A booking that waits to be paid.
struct Hold: Sendable {
    let system: TestSystem
    var member: Member
    let room: String
    let answer: Answer
    let id: String

    func expires() throws -> Instante { try #require(Instante(try answer.text("expires_at"))) }

    func charge(_ method: String = "pix", token: String? = nil, key: String? = nil) async throws -> Answer {
        var body: JSONValue = ["reservation_id": .string(id), "method": .string(method)]
        if let token { body = body.with("card_token", .string(token)) }
        return try await member.client.post("/payments/charge", body, key: key)
    }

    /// The charge as its owner sees it now.
    func payment() async throws -> Answer {
        let list = try await member.client.get("/payments?reservation_id=\(id)", after: try await system.head()).expect(200)
        let payment = try #require(list.json.items.first?["id"].text)
        return try await member.client.get("/payments/\(payment)").expect(200)
    }

    func becomes(_ status: String) async throws {
        try await eventually("the booking is \(status)") {
            try await member.client.get("/reservations/\(id)", after: try await system.head())["status"].text == status
        }
    }

    func paymentBecomes(_ status: String) async throws {
        try await eventually("the payment is \(status)") { try await payment()["status"].text == status }
    }

    /// The same with a token that holds after the clock was moved.
    func again() async throws -> Hold {
        var hold = self
        hold.member = try await member.person.logIn(system.visitor, id: member.id)
        return hold
    }
}

extension TestSystem {
    /// The payment provider, as it is controlled.
    var sandbox: Client {
        get throws {
            var client = visitor.asking(with: nil)
            client = Client(http: client.http, address: try #require(settings.payments.sandbox).url)
            return client
        }
    }

    /// Waits until the policies have seen all that was recorded, and what they wanted done by now is done: who moves the clock while
    /// a command is under way has its deadline pass.
    func settled() async throws {
        try await eventually("all that is due is done") {
            try await pool.withConnection { connection in
                try connection.query(
                    """
                    select (select min(position) from subs.checkpoints) >= (select head from log.writer)
                       and not exists (select 1 from subs.timers where due <= $1)
                    """,
                    PostgresTimestamp(microsecondsSinceEpoch: clock.now)
                )[0].get(0, Bool.self)
            }
        }
    }

    /// Has the sandbox behave so; what is not said is as in the beginning.
    func behave(_ behaviour: JSONValue) async throws {
        try await sandbox.put("/control", behaviour).expect(200)
    }

    /// A new member's booking of a new room for an hour, two days ahead.
    func hold(type: String = "sala_de_reuniao") async throws -> Hold {
        var sketch = SpaceSketch()
        sketch.type = type
        let room = try await space(in: try await unit(), sketch)
        return try await hold(of: room, by: try await member())
    }

    func hold(of room: String, by member: Member) async throws -> Hold {
        let slot = booking(room, time(day: 2, minute: 600), time(day: 2, minute: 660))
        let answer = try await member.client.post("/reservations", slot).expect(201)
        return Hold(system: self, member: member, room: room, answer: answer, id: try answer.text("id"))
    }

    /// A booking that is paid.
    func paid() async throws -> Hold {
        let hold = try await hold()
        let charge = try await hold.charge().expect(200)
        try await sandbox.post("/control/charges/\(try charge.text("transaction_id"))/approve").expect(200)
        try await hold.becomes("active")
        return hold
    }
}

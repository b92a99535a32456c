import Foundation
import TestSupport
import Testing

extension WholeSystem {
    /// Addresses that are told of events, through faults of theirs.
    @Suite(.serialized, .system(mayLogErrors: true))
    struct Webhooks {
        private func book(_ system: TestSystem) async throws -> (member: Member, id: String) {
            let member = try await system.member()
            let cabin = try await system.space(in: try await system.unit(), .init(type: "cabine"))
            let answer = try await member.client.post(
                "/reservations", booking(cabin, system.time(day: 2, minute: 600), system.time(day: 2, minute: 660))
            ).expect(201)
            return (member, try answer.text("id"))
        }

        @Test("What is wanted is delivered, signed, in spite of failures, and is in the log of deliveries")
        func delivered() async throws {
            let system = try TestSystem.current()
            let admin = try await system.administrator().client
            try await WebhookReceiver.run { receiver, url in
                let made = try await admin.post("/webhooks", ["url": .string(url), "types": ["reservas.ReservaConfirmada"]], key: "hook")
                    .expect(201)
                let (id, secret) = (try made.text("id"), try made.text("secret"))
                // A secret is told nobody twice
                let again = try await admin.post("/webhooks", ["url": .string(url), "types": ["reservas.ReservaConfirmada"]], key: "hook")
                    .expect(201)
                #expect(again["id"].text == id)
                #expect(again["secret"] == .null)

                let (_, first) = try await book(system)
                try await eventually("the first delivery") { receiver.deliveries.count == 1 }
                let delivery = try #require(receiver.deliveries.first)
                #expect(delivery.isSigned(with: secret))
                #expect(delivery.json["type"] == "reservas.ReservaConfirmada")
                #expect(delivery.json["data"]["reserva"].text == first)
                #expect(delivery.headers["webhook-id"] == delivery.json["id"].text)

                // When the receiver fails
                receiver.answer(500)
                _ = try await book(system)
                try await eventually("an attempt that failed") { receiver.deliveries.count == 2 }
                try await eventually("the failure is written down") {
                    let log = try await admin.get("/webhooks/\(id)/deliveries").expect(200).json.items
                    return log.first?["state"] == "pending" && log.first?["last_status"] == 500 && log.first?["attempts"] == 1
                }
                // Then it is tried again later, with the same id
                receiver.answer(204)
                system.clock.jump(to: system.clock.now + 11_000_000)
                try await eventually("another attempt") { receiver.deliveries.count == 3 }
                #expect(receiver.deliveries[1].headers["webhook-id"] == receiver.deliveries[2].headers["webhook-id"])
                #expect((receiver.deliveries[1].json["position"].number ?? 0) > (delivery.json["position"].number ?? 0))
                try await eventually("both are settled") {
                    try await admin.get("/webhooks/\(id)/deliveries").expect(200).json.items.map { $0["state"] } == [
                        "delivered", "delivered",
                    ]
                }

                // When it is switched off, it is told nothing
                let off = try await admin.post("/webhooks/\(id)/disable").expect(200)
                let shown = try await admin.get("/webhooks/\(id)", after: try off.position()).expect(200)
                #expect(shown["active"] == false)
                #expect(shown["disabled_because"] == "administrator")
                _ = try await book(system)
                let on = try await admin.post("/webhooks/\(id)/enable").expect(200)
                let (_, last) = try await book(system)
                try await eventually("what came after") { receiver.deliveries.last?.json["data"]["reserva"].text == last }
                #expect(receiver.deliveries.count == 4)
                let removed = try await admin.delete("/webhooks/\(id)").expect(200)
                try await admin.get("/webhooks/\(id)", after: max(try on.position(), try removed.position())).expect(404)
            }
        }

        @Test("Who fails again and again is switched off, and says why")
        func switchedOff() async throws {
            let system = try TestSystem.current()
            let admin = try await system.administrator().client
            try await WebhookReceiver.run { receiver, url in
                receiver.answer(503)
                let made = try await admin.post("/webhooks", ["url": .string(url), "types": ["reservas.*"]]).expect(201)
                let id = try made.text("id")
                for _ in 0..<4 { _ = try await book(system) }
                try await eventually("it is switched off", within: .seconds(60)) {
                    // A step longer than the longest wait between two tries.
                    system.clock.jump(to: system.clock.now + 43_300_000_000)
                    let admin = try await system.administrator().client
                    let shown = try await admin.get("/webhooks/\(id)").expect(200)
                    return shown["active"] == false && shown["disabled_because"] == "failures"
                }
                let fresh = try await system.administrator().client
                try await eventually("nothing is pending") {
                    try await fresh.get("/webhooks/\(id)/deliveries").expect(200).json.items.allSatisfy { $0["state"] != "pending" }
                }
            }
        }

        @Test("Only administrators, only good addresses and types")
        func refusals() async throws {
            let system = try TestSystem.current()
            let (admin, desk) = (try await system.administrator().client, try await system.receptionist().client)
            let good: JSONValue = ["url": "http://127.0.0.1:1/", "types": ["reservas.*"]]
            try await desk.post("/webhooks", good).expectProblem(403, "forbidden")
            try await desk.get("/webhooks").expectProblem(403, "forbidden")
            try await admin.post("/webhooks", good.with("url", "https://10.0.0.1/")).expectProblem(400, "invalid_field")
            try await admin.post("/webhooks", good.with("url", "http://169.254.169.254/")).expectProblem(400, "invalid_field")
            try await admin.post("/webhooks", good.with("types", ["nonsense"])).expectProblem(400, "invalid_field")
            try await admin.post("/webhooks", good.with("types", [])).expectProblem(422, "too_many_types")
            let nobody = "01890a5d-ac96-774b-bcce-b302099a0001"
            try await admin.delete("/webhooks/\(nobody)").expectProblem(404, "webhook_not_found")
        }
    }
}

import TestSupport
import Testing

extension WholeSystem.OwnClock {
    @Suite(.serialized)
    struct History {
        /// The texts of a history's events, a list a step.
        private func texts(_ answer: Answer) -> [[String]] {
            answer["steps"].items.map { step in step["events"].items.compactMap { $0["type"].text } }
        }

        @Test("A booking's history tells what happened, who did it, and by which rules")
        func bookedConfirmedCancelled() async throws {
            // Given a booking that staff confirmed and the member cancelled
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let (owner, other) = (try await system.member(), try await system.member())
            let slot = booking(room, system.time(day: 3, minute: 600), system.time(day: 3, minute: 660)).with("notes", "com bolo")
            let booked = try await owner.client.post("/reservations", slot).expect(201)
            let id = try booked.text("id")
            let pending = try await owner.client.get("/reservations/\(id)/history", ["Accept-Language": "en"]).expect(200)
            #expect(pending["upcoming"].items.first?.text?.contains("unless it is confirmed") == true)
            let desk = try await system.receptionist()
            try await desk.client.post("/reservations/\(id)/confirm").expect(200)
            try await owner.client.delete("/reservations/\(id)", ["reason": "mudei de ideia"]).expect(200)

            // When its history is asked for, at once
            let english = try await owner.client.get("/reservations/\(id)/history", ["Accept-Language": "en"]).expect(200)

            // Then every command is a step, with all that it recorded
            #expect(
                texts(english) == [
                    ["reservas.ReservaSolicitada", "reservas.HorarioOcupado"],
                    ["reservas.ReservaConfirmada"],
                    ["reservas.ReservaCancelada", "reservas.HorarioLiberado"],
                ]
            )
            #expect(english["status"] == "cancelled")
            #expect(english["steps"].items.map(\.["by"]) == ["member", "staff", "member"])
            #expect(english["upcoming"].items.isEmpty)
            let first = try #require(english["steps"].items.first)
            #expect(first["by_text"] == "The member")
            let reasons = first["events"].items.first?["reasons"].items.compactMap(\.text) ?? []
            #expect(reasons.contains { $0.hasPrefix("Price ") && $0.contains("tariff version 1") })
            #expect(reasons.contains { $0.hasPrefix("Booking rules version 1") })
            let positions = english["steps"].items.flatMap(\.["events"].items).compactMap(\.["position"].number)
            #expect(positions == positions.sorted())

            // And it names nobody and opens nothing
            let whole = english.description
            for secret in [owner.person.name, owner.person.email, desk.id, "bolo", "mudei"] { #expect(!whole.contains(secret)) }

            // And it is told in Portuguese to whoever asks for nothing else
            let portuguese = try await owner.client.get("/reservations/\(id)/history").expect(200)
            #expect(portuguese["steps"].items.first?["by_text"] == "O membro")

            // And staff see it too, but no other member
            let seen = try await desk.client.get("/api/reservations/\(id)/history", ["Accept-Language": "en"]).expect(200)
            #expect(seen.json == english.json)
            try await other.client.get("/reservations/\(id)/history").expectProblem(404, "reservation_not_found")
            try await owner.client.get("/reservations/00000000-0000-7000-8000-000000000000/history")
                .expectProblem(404, "reservation_not_found")
        }

        @Test("What a timer did is told with the time that came and the event that asked for it")
        func expired() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let member = try await system.member()
            let slot = booking(room, system.time(day: 3, minute: 600), system.time(day: 3, minute: 660))
            let held = try await member.client.post("/reservations", slot).expect(201)
            let id = try held.text("id")

            try system.jump(to: try held.text("expires_at"), plus: 1)

            let owner = try await member.person.logIn(system.visitor, id: member.id)
            try await eventually("the booking has expired") {
                try await owner.client.get("/reservations/\(id)/history").expect(200)["status"] == "expired"
            }
            let history = try await owner.client.get("/reservations/\(id)/history", ["Accept-Language": "en"]).expect(200)
            let (asked, step) = (try #require(history["steps"].items.first), try #require(history["steps"].items.last))
            #expect(step["by"] == "timer")
            #expect(step["by_text"].text?.hasPrefix("The time to confirm, which ran out at ") == true)
            #expect(step["caused_by"]["position"] == asked["events"].items.first?["position"])
            #expect(step["caused_by"]["type"] == "reservas.ReservaSolicitada")
        }
    }
}

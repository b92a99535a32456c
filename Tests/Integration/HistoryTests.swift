import TestSupport
import Testing

extension WholeSystem.OwnClock {
    @Suite(.serialized)
    struct History {
        /// The steps that did more than follow with a charge.
        private func steps(_ answer: Answer) -> [JSONValue] {
            answer["steps"].items.filter { step in
                step["events"].items.contains { $0["stream"].text?.hasPrefix("pagamento-") == false }
            }
        }

        /// The types of the events, a list a step.
        private func types(_ steps: [JSONValue]) -> [[String]] {
            steps.map { step in step["events"].items.compactMap { $0["type"].text } }
        }

        /// The first step that recorded an event of a type.
        private func step(_ type: String, in answer: Answer) throws -> JSONValue {
            try #require(answer["steps"].items.first { step in step["events"].items.contains { $0["type"].text == type } })
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

            // When its history is asked for
            try await system.settled()
            let english = try await owner.client.get("/reservations/\(id)/history", ["Accept-Language": "en"]).expect(200)

            // Then every command is a step, with all that it recorded
            #expect(
                types(steps(english)) == [
                    ["reservas.ReservaSolicitada", "reservas.HorarioOcupado"],
                    ["reservas.ReservaConfirmada"],
                    ["reservas.ReservaCancelada", "reservas.HorarioLiberado"],
                ]
            )
            #expect(english["status"] == "cancelled")
            #expect(steps(english).map(\.["by"]) == ["member", "staff", "member"])
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
            let (asked, step) = (try #require(history["steps"].items.first), try step("reservas.ReservaExpirada", in: history))
            #expect(step["by"] == "timer")
            #expect(step["by_text"].text?.hasPrefix("The time to confirm, which ran out at ") == true)
            #expect(step["caused_by"]["position"] == asked["events"].items.first?["position"])
            #expect(step["caused_by"]["type"] == "reservas.ReservaSolicitada")
        }

        @Test("What was charged, paid and given back is told, by whom, and because of what")
        func paid() async throws {
            // Given a booking that was paid and given up
            let system = try TestSystem.current()
            let hold = try await system.hold()
            // By then the policy has made the charge: whoever pays sooner makes it themselves.
            try await system.settled()
            let charge = try await hold.charge().expect(200)
            try await system.sandbox.post("/control/charges/\(try charge.text("transaction_id"))/approve").expect(200)
            try await hold.becomes("active")
            try await hold.member.client.delete("/reservations/\(hold.id)").expect(200)
            try await hold.paymentBecomes("refunded")
            // When
            let history = try await hold.member.client.get("/reservations/\(hold.id)/history", ["Accept-Language": "en"]).expect(200)
            // Then each thing names the event that it answers, in whatever stream
            for (type, cause) in [
                ("pagamentos.CobrancaCriada", "reservas.ReservaSolicitada"), ("reservas.ReservaConfirmada", "pagamentos.PagamentoAprovado"),
                ("pagamentos.EstornoSolicitado", "reservas.ReservaCancelada"),
            ] {
                let (answer, asked) = (try step(type, in: history), try step(cause, in: history))
                #expect(answer["caused_by"]["type"].text == cause)
                let positions = asked["events"].items.compactMap { $0["type"].text == cause ? $0["position"].number : nil }
                #expect(positions == [answer["caused_by"]["position"].number])
            }
            #expect(try step("pagamentos.PixGerado", in: history)["by"] == "member")
            for type in ["pagamentos.PagamentoAprovado", "pagamentos.PagamentoEstornado"] {
                #expect(try step(type, in: history)["by_text"] == "The payment provider")
            }
            let texts = history["steps"].items.flatMap(\.["events"].items).compactMap(\.["text"].text)
            #expect(texts.contains("R$\u{A0}60,00 were paid by PIX."))
            #expect(texts.allSatisfy { !$0.hasPrefix("pagamentos.") })
            // And what the provider calls it, or the code says, is not
            let code = try charge["pix"]["copia_e_cola"].text ?? charge.text("transaction_id")
            #expect(!history.description.contains(code))
        }

        @Test("A time that another policy waited for is named")
        func missed() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit(), .init(noShowGrace: 15))
            let member = try await system.member()
            let slot = booking(room, system.time(day: 3, minute: 600), system.time(day: 3, minute: 660))
            let booked = try await member.client.post("/reservations", slot).expect(201)
            let id = try booked.text("id")
            try await system.receptionist().client.post("/reservations/\(id)/confirm").expect(200)
            try await system.proceed(to: system.time(day: 3, minute: 600), plus: 15)
            let owner = try await member.person.logIn(system.visitor, id: member.id)
            try await eventually("the booking is missed") {
                try await owner.client.get("/reservations/\(id)/history").expect(200)["status"] == "no_show"
            }
            let history = try await owner.client.get("/reservations/\(id)/history", ["Accept-Language": "en"]).expect(200)
            let step = try step("checkin.NaoComparecimentoRegistrado", in: history)
            #expect(step["by"] == "timer")
            #expect(step["by_text"].text?.hasPrefix("The time to come, which ran out at ") == true)
            #expect(step["caused_by"]["type"] == "reservas.ReservaSolicitada")
        }

        @Test("An offer from the waitlist names what freed the time")
        func offered() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let slot = booking(room, system.time(day: 3, minute: 600), system.time(day: 3, minute: 660))
            let (owner, waiting) = (try await system.member(), try await system.member())
            let taken = try await owner.client.post("/reservations", slot).expect(201)
            try await waiting.client.post("/reservations/waitlist", slot).expect(201)
            try await owner.client.delete("/reservations/\(try taken.text("id"))").expect(200)
            var offer: String?
            try await eventually("the time is offered") {
                offer = try await waiting.client.get("/reservations/waitlist").expect(200).json.items.first?["reservation_id"].text
                return offer != nil
            }
            let id = try #require(offer)
            let history = try await waiting.client.get("/reservations/\(id)/history", ["Accept-Language": "en"]).expect(200)
            let cause = try step("reservas.ReservaSolicitada", in: history)["caused_by"]
            #expect(cause["type"] == "reservas.HorarioLiberado")
            #expect(cause["position"].number != nil)
        }

        @Test("Who is offered a time by the command that offers others theirs sees nothing of those")
        func offeredTogether() async throws {
            // Given two who wait for the two halves of a time
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            func slot(_ from: Int, _ to: Int) -> JSONValue {
                booking(room, system.time(day: 3, minute: from), system.time(day: 3, minute: to))
            }
            let (owner, early, late) = (try await system.member(), try await system.member(), try await system.member())
            let taken = try await owner.client.post("/reservations", slot(600, 720)).expect(201)
            try await early.client.post("/reservations/waitlist", slot(600, 660)).expect(201)
            try await late.client.post("/reservations/waitlist", slot(660, 720)).expect(201)

            // When it is freed, and one command offers both theirs
            try await owner.client.delete("/reservations/\(try taken.text("id"))").expect(200)
            var offers: [String] = []
            try await eventually("both are offered their times") {
                offers = []
                for member in [early, late] {
                    let waiting = try await member.client.get("/reservations/waitlist").expect(200)
                    if let id = waiting.json.items.first?["reservation_id"].text { offers.append(id) }
                }
                return offers.count == 2
            }
            let histories = [
                try await early.client.get("/reservations/\(offers[0])/history").expect(200),
                try await late.client.get("/reservations/\(offers[1])/history").expect(200),
            ]
            #expect(Set(try histories.map { try step("reservas.ReservaSolicitada", in: $0)["command_id"].text }).count == 1)

            // Then each is told of the own one alone
            for (history, (own, other)) in zip(histories, [(offers[0], (offers[1], late.id)), (offers[1], (offers[0], early.id))]) {
                #expect(history.description.contains("reserva-\(own)"))
                #expect(!history.description.contains(other.0))
                #expect(!history.description.contains(other.1))
                let asked = try step("reservas.ReservaSolicitada", in: history)["events"].items.compactMap { $0["type"].text }
                #expect(asked.count { $0 == "reservas.ReservaSolicitada" } == 1)
            }
        }
    }
}

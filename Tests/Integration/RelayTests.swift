import Postgres
import TestSupport
import Testing

extension WholeSystem {
    /// Text and push messages, through a gateway of somebody else's that takes them by HTTP and has faults.
    @Suite(.serialized, .system(startsAt: "2026-03-02T12:00:00Z", relays: true))
    struct Relay {
        private let device = "dispositivo-abc123"

        /// Somebody who wants their bookings told over these channels.
        private func reachable(_ system: TestSystem, _ channels: [String], _ more: JSONValue = [:]) async throws -> (Member, String) {
            let member = try await system.member()
            let digits = Int.random(in: 100_000_000...999_999_999)
            let phone = system.confidential.add("+5511\(digits)")
            var wanted: JSONValue = [
                "phone": .string(phone), "push_token": .string(device + member.id),
                "kinds": [
                    ["kind": "booking_confirmed", "channels": .array(channels.map { .string($0) })],
                    ["kind": "booking_cancelled", "channels": []],
                ],
            ]
            if case .object(let fields) = more { for (name, value) in fields { wanted = wanted.with(name, value) } }
            try await member.client.put("/notifications/preferences", wanted).expect(200)
            return (member, phone)
        }

        private func book(_ system: TestSystem, _ member: Member) async throws -> String {
            let cabin = try await system.space(in: try await system.unit(), .init(type: "cabine"))
            return try await member.client.post(
                "/reservations", booking(cabin, system.time(day: 3, minute: 600), system.time(day: 3, minute: 660))
            ).expect(201).text("id")
        }

        private func sent(_ relay: TestSystem.Relay, to address: String) -> [WebhookReceiver.Delivery] {
            relay.receiver.deliveries.filter { $0.json["to"].text == address }
        }

        /// What became of a person's messages, the oldest first.
        private func outcomes(_ system: TestSystem, _ member: Member) async throws -> [String] {
            try await system.pool.withConnection { connection in
                try connection.query(
                    "select channel || ' ' || status || coalesce(' ' || reason, '') || ' ' || attempts from read.notificacoes_messages "
                        + "where user_id = $1::text::uuid order by created_at, channel",
                    member.id
                ).map { try $0.get(0, String.self) }
            }
        }

        @Test("A booking is told by text message and on the device, signed, once, and to nobody who turned it off")
        func carried() async throws {
            let system = try TestSystem.current()
            let relay = try #require(system.relay)
            relay.receiver.answer(202)
            let (member, phone) = try await reachable(system, ["sms", "push"])
            let id = try await book(system, member)
            try await eventually("both messages") {
                sent(relay, to: phone).count == 1 && sent(relay, to: device + member.id).count == 1
            }
            for (address, channel) in [(phone, "sms"), (device + member.id, "push")] {
                let delivery = try #require(sent(relay, to: address).first)
                #expect(delivery.isSigned(with: TestSystem.Relay.key))
                #expect(!delivery.isSigned(with: TestSystem.Relay.key + "x"))
                #expect(delivery.json["channel"].text == channel)
                #expect(delivery.json["title"].text?.hasPrefix("Reserva confirmada: Sala, ") == true)
                #expect(delivery.json["language"] == "pt-BR")
                #expect(delivery.headers["idempotency-key"] == delivery.json["id"].text)
                #expect(delivery.headers["webhook-id"] == delivery.json["id"].text)
            }
            // What they turned off is told nowhere
            try await member.client.delete("/reservations/\(id)").expect(200)
            try await system.settled()
            #expect(sent(relay, to: phone).count == 1 && sent(relay, to: device + member.id).count == 1)
            #expect(try await outcomes(system, member) == ["push sent 1", "sms sent 1"])
            #expect(try await member.client.get("/notifications").expect(200).json.items.isEmpty)
        }

        @Test("Who does not take a message is asked again, later each time, with the same id; who refuses it is not")
        func retries() async throws {
            let system = try TestSystem.current()
            let relay = try #require(system.relay)
            relay.receiver.answer(503)
            let (member, phone) = try await reachable(system, ["sms"])
            _ = try await book(system, member)
            try await eventually("a first try") { sent(relay, to: phone).count == 1 }
            relay.receiver.answer(429)
            try await eventually("another") { sent(relay, to: phone).count == 2 }
            relay.receiver.answer(200)
            try await eventually("it is taken at last") { try await outcomes(system, member) == ["sms sent 3"] }
            let tries = sent(relay, to: phone)
            #expect(Set(tries.compactMap { $0.json["id"].text }).count == 1)
            #expect(Set(tries.compactMap { $0.headers["idempotency-key"] }).count == 1)
            #expect(tries.allSatisfy { $0.isSigned(with: TestSystem.Relay.key) })
            let waits = zip(tries, tries.dropFirst()).map { $1.at - $0.at }
            #expect(waits.count == 2 && waits[0] > .seconds(1) && waits[1] > waits[0] + .seconds(1), "\(waits)")

            relay.receiver.answer(422)
            let (other, number) = try await reachable(system, ["sms"])
            _ = try await book(system, other)
            try await eventually("it has failed") { try await outcomes(system, other) == ["sms failed recusada 1"] }
            relay.receiver.answer(200)
            try await system.settled()
            #expect(sent(relay, to: number).count == 1)
        }

        @Test("In hours of silence nothing is sent; it is when they end")
        func silence() async throws {
            let system = try TestSystem.current()
            let relay = try #require(system.relay)
            relay.receiver.answer(200)
            // Silent around now, whatever the clock of the suite says by now, for two hours
            let now = system.time(day: 0, minute: 0)
            let minute = Int((system.clock.now / 60_000_000) % 1_440)
            func clock(_ minute: Int) -> JSONValue {
                let minute = (minute + 1_440) % 1_440
                return .string("\(minute / 60 < 10 ? "0" : "")\(minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60)")
            }
            let quiet: JSONValue = ["from": clock(minute - 60), "to": clock(minute + 60), "timezone": "UTC"]
            let (member, phone) = try await reachable(system, ["app", "sms"], ["quiet_hours": quiet])
            _ = try await book(system, member)
            try await eventually("it lies in the app") { try await member.client.get("/notifications").expect(200).json.items.count == 1 }
            try await system.settled()
            #expect(sent(relay, to: phone).isEmpty)
            #expect(try await outcomes(system, member) == ["sms pending 0"])
            try system.jump(to: now, plus: minute + 60)
            try await eventually("the silence is over") { sent(relay, to: phone).count == 1 }
            try await eventually("it is settled") { try await outcomes(system, member) == ["sms sent 1"] }
        }

        @Test("The desk sends text messages to numbers, and to the devices of who has named one")
        func desk() async throws {
            let system = try TestSystem.current()
            let relay = try #require(system.relay)
            relay.receiver.answer(200)
            let desk = try await system.receptionist()
            let number = system.confidential.add("+5511987650000")
            let words: JSONValue = ["phone": .string(number), "message": "Sua encomenda chegou."]
            let asked = try await desk.client.post("/notify/sms", words, key: "encomenda").expect(202)
            try await eventually("the text message") { sent(relay, to: number).count == 1 }
            #expect(try await desk.client.post("/notify/sms", words, key: "encomenda").expect(202)["id"] == asked["id"])
            #expect(sent(relay, to: number).first?.json["message"] == "Sua encomenda chegou.")
            let (member, _) = try await reachable(system, ["app"])
            try await desk.client.post("/notify/push", ["user_id": .string(member.id), "title": "Oi", "message": "Venha"]).expect(202)
            try await eventually("the push message") { sent(relay, to: device + member.id).count == 1 }
            try await system.settled()
            #expect(sent(relay, to: number).count == 1)
        }
    }
}

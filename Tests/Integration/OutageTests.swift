import TestSupport
import Testing

extension WholeSystem {
    @Suite(.serialized, .system(mayLogErrors: true))
    struct Outage {
        @Test("With the broker gone, a booking is acknowledged or 503, and repeated with its key it is made exactly once")
        func brokerGone() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let member = try await system.member()
            let before = try await system.count(of: "reservas.ReservaSolicitada")
            @Sendable func slot(_ number: Int) -> JSONValue {
                booking(room, system.time(day: 5, minute: number * 30), system.time(day: 5, minute: number * 30 + 30))
            }

            // When the broker ends every connection and loses every queue in a stream of bookings
            async let stream = concurrently(Array(0..<200), atATime: 4) { number in
                try await member.client.post("/reservations", slot(number), key: "booking-\(number)")
            }
            try await eventually("some bookings are made") { try await system.count(of: "reservas.ReservaSolicitada") >= before + 5 }
            try await system.servers.deleteVirtualHost(system.name)
            let first = try await stream

            // Then each is acknowledged, or told to come back
            #expect(first.contains { $0.status == 201 })
            #expect(first.contains { $0.status == 503 })
            for answer in first where answer.status != 201 {
                #expect(answer.status == 503, "\(answer)")
                #expect(["unavailable", "outcome_unknown"].contains(answer["code"].text), "\(answer)")
                #expect(answer.header("Retry-After").flatMap { Int($0) } ?? 0 > 0)
                answer.expectProblemForm()
            }
            // And what was acknowledged is in the log
            let recorded = try await system.count(of: "reservas.ReservaSolicitada") - before
            #expect(recorded >= first.count { $0.status == 201 })
            // Queries go on
            try await member.client.get("/reservations").expect(200)

            // When the broker is back and each booking is repeated with its key
            try await system.servers.createVirtualHost(system.name)
            let second = try await concurrently(Array(0..<200), atATime: 8) { number in
                try await member.client.persistently { try await $0.post("/reservations", slot(number), key: "booking-\(number)") }
            }

            // Then each is made exactly once, and seen
            for answer in second { #expect(answer.status == 201, "\(answer)") }
            for (one, two) in zip(first, second) where one.status == 201 { #expect(one.json == two.json) }
            #expect(Set(second.map { $0["id"] }).count == 200)
            #expect(try await system.count(of: "reservas.ReservaSolicitada") == before + 200)
            let list = try await member.client.get("/reservations?limit=200", after: try await system.head()).expect(200)
            #expect(Set(list.json.items.map { $0["id"] }) == Set(second.map { $0["id"] }))
        }
    }
}

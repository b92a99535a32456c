import Testing

extension WholeSystem.OneSystem {
    @Suite(.serialized)
    struct Idempotency {
        @Test("The same key and body give the same booking, also after it was cancelled; nothing more is recorded")
        func sameKey() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let member = try await system.member()
            let slot = booking(room, system.time(day: 6, minute: 600), system.time(day: 6, minute: 660))

            let first = try await member.client.post("/reservations", slot, key: "one").expect(201)
            let head = try await system.head()
            let second = try await member.client.post("/reservations", slot, key: "one").expect(201)
            #expect(second.json == first.json)
            #expect(try second.position() == first.position())
            #expect(try await system.head() == head)

            // When the booking is cancelled, the answer stays that of the first time
            try await member.client.delete("/reservations/\(try first.text("id"))", key: "two").expect(200)
            let third = try await member.client.post("/reservations", slot, key: "one").expect(201)
            #expect(third.json == first.json)

            // And without a key it is a booking of its own
            let other = try await member.client.post("/reservations", slot).expect(201)
            #expect(other["id"] != first["id"])
        }

        @Test("Concurrent duplicates with one key make one booking, and all are told of it", arguments: 0..<5)
        func concurrentDuplicates(round: Int) async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let member = try await system.member()
            let slot = booking(room, system.time(day: 7, minute: 600), system.time(day: 7, minute: 660))
            let before = try await system.count(of: "reservas.ReservaSolicitada")

            let answers = try await concurrently(Array(0..<20), atATime: 20) { _ in
                try await member.client.persistently { try await $0.post("/reservations", slot, key: "same") }
            }

            for answer in answers { #expect(answer.status == 201, "\(answer)") }
            #expect(Set(answers.map { $0["id"] }).count == 1)
            #expect(try await system.count(of: "reservas.ReservaSolicitada") == before + 1)
        }

        @Test("A key used before with another body is refused")
        func otherBody() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let member = try await system.member()
            let slot = booking(room, system.time(day: 6, minute: 600), system.time(day: 6, minute: 660))
            try await member.client.post("/reservations", slot, key: "one").expect(201)
            let head = try await system.head()

            let other = booking(room, system.time(day: 6, minute: 720), system.time(day: 6, minute: 780))
            try await member.client.post("/reservations", other, key: "one").expectProblem(422, "idempotency_key_reused")
            #expect(try await system.head() == head)
        }

        @Test("Keys of different people do not meet")
        func differentPeople() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit(), .init(seats: 2))
            let slot = booking(room, system.time(day: 6, minute: 600), system.time(day: 6, minute: 660))

            let one = try await system.member().client.post("/reservations", slot, key: "shared").expect(201)
            let two = try await system.member().client.post("/reservations", slot, key: "shared").expect(201)
            #expect(one["id"] != two["id"])
        }

        @Test("A refusal is not remembered: what was taken can be had with the same key once it is free")
        func refusalsAreDecidedAfresh() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let slot = booking(room, system.time(day: 6, minute: 600), system.time(day: 6, minute: 660))
            let (holder, other) = (try await system.member(), try await system.member())
            let held = try await holder.client.post("/reservations", slot).expect(201)

            try await other.client.post("/reservations", slot, key: "mine").expectProblem(409, "slot_taken")
            try await holder.client.delete("/reservations/\(try held.text("id"))").expect(200)
            try await other.client.post("/reservations", slot, key: "mine").expect(201)
        }

        @Test("A login repeated with its key is a login of its own: no repeat is told another's tokens")
        func loginsAreNotReplayed() async throws {
            let system = try TestSystem.current()
            let member = try await system.member()
            let logins = try await system.count(of: "usuarios.LoginRealizado")
            let first = try await system.visitor.post("/auth/login", member.person.credentials, key: "login").expect(200)
            let second = try await system.visitor.post("/auth/login", member.person.credentials, key: "login").expect(200)
            #expect(first["refresh_token"] != second["refresh_token"])
            #expect(try await system.count(of: "usuarios.LoginRealizado") == logins + 2)
        }

        @Test("A key must be of a sensible length", arguments: ["", String(repeating: "k", count: 256)])
        func badKeys(key: String) async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let slot = booking(room, system.time(day: 6, minute: 600), system.time(day: 6, minute: 660))
            try await system.member().client.post("/reservations", slot, key: key).expectProblem(400, "malformed_request")
        }
    }
}

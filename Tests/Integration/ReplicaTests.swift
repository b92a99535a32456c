import Testing

extension WholeSystem {
    /// Two recorders, one of them standing by, two processes of projections, two of reservas.
    @Suite(.serialized, .system(replicas: 2))
    struct TwoReplicas {
        @Test("Of fifty simultaneous bookings of one slot one is made, whichever replica is asked")
        func fiftyAtOnce() async throws {
            let system = try TestSystem.current()
            try await fiftyBookings(of: try await system.space(in: try await system.unit()), on: system)
        }

        @Test("Random overlapping requests to two replicas never exceed a space's seats")
        func randomRequests() async throws {
            let system = try TestSystem.current()
            var bookings = try await RandomBookings(on: system, seed: 20_190_217)
            try await bookings.request(400, atATime: 32)
            bookings.checkSeats()
            bookings.checkRefusals()
            try await bookings.checkReadModel()
        }

        @Test("What one replica has recorded the other knows")
        func repeats() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let member = try await system.member()
            let slot = booking(room, system.time(day: 6, minute: 600), system.time(day: 6, minute: 660))

            // Each request goes to the next replica in turn
            var answers: [Answer] = []
            for _ in 0..<4 { answers.append(try await member.client.post("/reservations", slot, key: "one").expect(201)) }

            #expect(Set(answers.map { $0["id"] }).count == 1)
        }
    }
}

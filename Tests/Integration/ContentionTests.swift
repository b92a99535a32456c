import FoundationEssentials
import TestSupport
import Testing

extension WholeSystem.OneSystem {
    @Suite(.serialized)
    struct Contention {
        @Test("Of fifty simultaneous bookings of one slot one is made; the others are offered times that are free")
        func fiftyAtOnce() async throws {
            let system = try TestSystem.current()
            try await fiftyBookings(of: try await system.space(in: try await system.unit()), on: system)
        }

        @Test("A thousand random overlapping requests never exceed a space's seats, and none is refused without reason")
        func randomRequests() async throws {
            let system = try TestSystem.current()
            var bookings = try await RandomBookings(on: system, seed: 20_181_104)
            try await bookings.request(1_000, atATime: 32)
            bookings.checkSeats()
            bookings.checkRefusals()
            try await bookings.checkReadModel()
            try await bookings.cancelSomeAndBookWhatWasRefused()
            bookings.checkSeats()
        }

        @Test("Whoever asks with the position of their booking sees it, however much else is going on")
        func readYourWrites() async throws {
            let system = try TestSystem.current()
            let area = try await system.space(in: try await system.unit(), .init(seats: 200))
            let member = try await system.member()
            let times = (9..<39).map { (start: system.time(day: $0, minute: 600), end: system.time(day: $0, minute: 660)) }

            let seen = try await concurrently(Array(0..<150), atATime: 16) { number in
                let (start, end) = times[number % 30]
                let slot = booking(area, start, end)
                let booked = try await member.client.persistently { try await $0.post("/reservations", slot, key: "\(number)") }.expect(201)
                let position = try booked.position()
                let one = try await fresh("/reservations/\(try booked.text("id"))", after: position, member.client)
                let list = try await fresh("/reservations?from=\(start)&to=\(end)", after: position, member.client)
                return (id: booked["id"], one: one, list: list)
            }

            for booking in seen {
                #expect(booking.one.status == 200, "\(booking.one)")
                #expect(booking.list.json.items.contains { $0["id"] == booking.id })
            }
        }

        /// What lags beyond the gateway's patience is said to be stale. Whoever asks again gets it as it is.
        private func fresh(_ path: String, after position: Int, _ client: Client) async throws -> Answer {
            var answer = try await client.get(path, after: position)
            try await eventually("\(path) is not stale") {
                if answer.header("CoworkFlow-Stale") == nil { return true }
                answer = try await client.get(path, after: position)
                return false
            }
            return answer
        }

        @Test("One address makes one account, however it is written and however many ask at once")
        func oneAddress() async throws {
            let system = try TestSystem.current()
            let person = Person("única", system.confidential)
            let spellings = [person.email, person.email.uppercased(), "  \(person.email)\t", person.email.capitalized]

            let answers = try await concurrently(Array(0..<20), atATime: 20) { number in
                try await system.visitor.persistently {
                    try await $0.post(
                        "/auth/signup", person.signUp.with("email", .string(spellings[number % 4])), key: "\(number)-\(person.email)")
                }
            }

            #expect(answers.count { $0.status == 201 } == 1)
            for refused in answers where refused.status != 201 { refused.expectProblem(409, "email_taken") }
            try await system.visitor.post("/auth/login", person.credentials).expect(200)
        }
    }
}

/// - Parameter space: a room that nobody has booked.
func fiftyBookings(of space: String, on system: TestSystem) async throws {
    let member = try await system.member()
    let slot = booking(space, system.time(day: 5, minute: 900), system.time(day: 5, minute: 960))

    let answers = try await concurrently(Array(0..<50), atATime: 50) { number in
        try await member.client.persistently { try await $0.post("/reservations", slot, key: "\(space)-\(number)") }
    }

    #expect(answers.count { $0.status == 201 } == 1)
    let refused = answers.filter { $0.status != 201 }
    #expect(refused.count == 49)
    for answer in refused {
        answer.expectProblem(409, "slot_taken")
        #expect(!answer["alternatives"].items.isEmpty)
    }
    for offer in try #require(refused.first)["alternatives"].items {
        let (start, end) = (try #require(offer["start_time"].text), try #require(offer["end_time"].text))
        try await member.client.post("/reservations", booking(space, start, end)).expect(201)
    }
}

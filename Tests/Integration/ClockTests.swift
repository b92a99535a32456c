import TestSupport
import Testing

extension WholeSystem {
    /// On a clock of its own, which begins two weeks before summer time in Brazil did for the last time.
    @Suite(.serialized, .system(startsAt: "2018-10-20T12:00:00Z"))
    struct OwnClock {}
}

extension WholeSystem.OwnClock {
    @Suite(.serialized)
    struct SummerTime {
        /// A day on which clocks are changed.
        struct Change: Sendable, CustomTestStringConvertible {
            let zone: String
            let date: String
            /// Half-hour slots of the day.
            let slots: Int
            /// The day's first slot.
            let first: String
            /// Slots that begin at one and the same wall clock time.
            let twice: [String]
            /// Local times that are not there.
            let missing: [String]
            var testDescription: String { "\(zone) \(date)" }
        }

        static let changes = [
            Change(
                zone: "America/Sao_Paulo", date: "2018-11-04", slots: 46, first: "2018-11-04T01:00:00-02:00", twice: [],
                missing: ["2018-11-04T00:00", "2018-11-04T00:30"]
            ),
            Change(
                zone: "America/Sao_Paulo", date: "2019-02-16", slots: 50, first: "2019-02-16T00:00:00-02:00",
                twice: ["2019-02-16T23:00:00-02:00", "2019-02-16T23:00:00-03:00"], missing: []
            ),
            Change(
                zone: "America/Sao_Paulo", date: "2019-02-17", slots: 48, first: "2019-02-17T00:00:00-03:00", twice: [], missing: []
            ),
            Change(
                zone: "America/New_York", date: "2018-11-04", slots: 50, first: "2018-11-04T00:00:00-04:00",
                twice: ["2018-11-04T01:30:00-04:00", "2018-11-04T01:30:00-05:00"], missing: []
            ),
            Change(
                zone: "America/New_York", date: "2019-03-10", slots: 46, first: "2019-03-10T00:00:00-05:00", twice: [],
                missing: ["2019-03-10T02:00", "2019-03-10T02:30"]
            ),
            Change(
                zone: "Australia/Lord_Howe", date: "2019-04-07", slots: 49, first: "2019-04-07T00:00:00+11:00",
                twice: ["2019-04-07T01:30:00+11:00", "2019-04-07T01:30:00+10:30"], missing: []
            ),
        ]

        @Test("The slots of a day are those that its clocks show, and each can be booked", arguments: changes)
        func slots(of change: Change) async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit(zone: change.zone), .init(horizonDays: 200))
            let member = try await system.member()
            let position = try await system.head()

            let day = try await system.visitor.get("/spaces/\(room)/availability?date=\(change.date)", after: position).expect(200)

            let slots = day["slots"].items
            #expect(slots.count == change.slots)
            #expect(slots.first?["start_time"].text == change.first)
            let starts = slots.compactMap { $0["start_time"].text }
            #expect(starts.allSatisfy { $0.hasPrefix(change.date) })
            #expect(Set(starts).count == change.slots)
            for start in change.twice { #expect(starts.contains(start)) }
            // Each slot ends where the next begins, on the same clock
            for (slot, next) in zip(slots, slots.dropFirst()) { #expect(slot["end_time"] == next["start_time"]) }

            // A time that is not there cannot be booked, as a start or as an end
            for time in change.missing {
                let answer = try await member.client.post("/reservations", booking(room, time, "\(change.date)T05:00"))
                answer.expectProblem(422, "nonexistent_local_time")
            }
            // Times that come twice are two slots
            for start in change.twice {
                let slot = try #require(slots.first { $0["start_time"].text == start })
                let end = try #require(slot["end_time"].text)
                let booked = try await member.client.post("/reservations", booking(room, start, end)).expect(201)
                #expect(booked["start_time"].text == start)
                #expect(booked["total_price_cents"] == 3_000)
                #expect(booked["end_time"].text == end)
            }
            // A local time without offset that comes twice means the first
            if let first = change.twice.first {
                let local = String(first.prefix(16))
                let other = try await system.space(in: try await system.unit(zone: change.zone), .init(horizonDays: 200))
                let end = try #require(slots.first { $0["start_time"].text == first }?["end_time"].text)
                let booked = try await member.client.post("/reservations", booking(other, local, end)).expect(201)
                #expect(booked["start_time"].text == first)
            }
        }

        /// A booking over a change of the clocks: local times, how they are shown, and how long it really is.
        static let nights: [(zone: String, from: String, to: String, shownFrom: String, shownTo: String, halfHours: Int)] = [
            ("America/Sao_Paulo", "2018-11-03T22:00", "2018-11-04T03:00", "2018-11-03T22:00:00-03:00", "2018-11-04T03:00:00-02:00", 8),
            ("America/Sao_Paulo", "2019-02-16T22:00", "2019-02-17T02:00", "2019-02-16T22:00:00-02:00", "2019-02-17T02:00:00-03:00", 10),
            ("America/New_York", "2018-11-04T00:00", "2018-11-04T03:00", "2018-11-04T00:00:00-04:00", "2018-11-04T03:00:00-05:00", 8),
            ("America/New_York", "2019-03-10T01:00", "2019-03-10T04:00", "2019-03-10T01:00:00-05:00", "2019-03-10T04:00:00-04:00", 4),
            ("Australia/Lord_Howe", "2019-04-07T01:00", "2019-04-07T03:00", "2019-04-07T01:00:00+11:00", "2019-04-07T03:00:00+10:30", 5),
        ]

        @Test("A booking over a change of the clocks costs what it lasts, and is shown as its unit's clocks tell it", arguments: nights)
        func price(
            zone: String,
            from: String,
            to: String,
            shownFrom: String,
            shownTo: String,
            halfHours: Int
        ) async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit(zone: zone), .init(horizonDays: 200))
            let member = try await system.member()
            let cents = JSONValue.number(Double(halfHours * 3_000))

            let quote = try await system.visitor.post("/pricing/calc", booking(room, from, to)).expect(200)
            #expect(quote["hours"] == .number(Double(halfHours) / 2))
            #expect(quote["total_cents"] == cents)

            let booked = try await member.client.post("/reservations", booking(room, from, to)).expect(201)
            #expect(booked["start_time"].text == shownFrom)
            #expect(booked["end_time"].text == shownTo)
            #expect(booked["total_price_cents"] == cents)
            let seen = try await member.client.get("/reservations/\(try booked.text("id"))", after: try booked.position()).expect(200)
            #expect(seen["start_time"].text == shownFrom)
            #expect(seen["end_time"].text == shownTo)
            #expect(seen["timezone"].text == zone)
            let day = try await system.visitor.get("/spaces/\(room)/availability?date=\(to.prefix(10))", after: try booked.position())
                .expect(200)
            #expect(day["busy"].items.last?["end_time"].text == shownTo)
        }
    }

    @Suite(.serialized)
    struct Deadlines {
        @Test("A hold that runs out gives its slot back, and cannot be confirmed any more")
        func expiry() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let member = try await system.member()
            let slot = booking(room, system.time(day: 3, minute: 600), system.time(day: 3, minute: 660))
            let held = try await member.client.post("/reservations", slot).expect(201)
            let id = try held.text("id")
            #expect(held["status"] == "pending")

            // When the time of the hold is over
            try system.jump(to: try held.text("expires_at"), plus: 1)

            // Then the booking expires by itself
            let owner = try await member.person.logIn(system.visitor, id: member.id)
            try await eventually("the booking has expired") {
                try await owner.client.get("/reservations/\(id)")["status"] == "expired"
            }
            let position = try await system.head()
            let seen = try await owner.client.get("/reservations/\(id)", after: position).expect(200)
            #expect(seen["status"] == "expired")

            // And nobody can bring it back
            try await system.administrator().client.post("/reservations/\(id)/confirm").expectProblem(409, "reservation_closed")
            try await owner.client.put(
                "/reservations/\(id)",
                ["start_time": .string(system.time(day: 4, minute: 600)), "end_time": .string(system.time(day: 4, minute: 660))]
            ).expectProblem(409, "reservation_closed")

            // And the slot is free
            let free = try await system.visitor.get(
                "/spaces?free_from=\(slot["start_time"].text ?? "")&free_to=\(slot["end_time"].text ?? "")&limit=200")
            #expect(try free.expect(200).json.items.contains { $0["id"].text == room })
            try await owner.client.post("/reservations", slot).expect(201)
        }

        @Test("What the desk confirms within the hold stays, and is completed at its end")
        func completion() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let member = try await system.member()
            let end = system.time(day: 2, minute: 660)
            let held = try await member.client.post("/reservations", booking(room, system.time(day: 2, minute: 600), end)).expect(201)
            let id = try held.text("id")
            try await system.administrator().client.post("/reservations/\(id)/confirm").expect(200)

            // When the time of the hold is over, and a later hold has been seen to run out
            let other = try await member.client.post(
                "/reservations",
                booking(room, system.time(day: 2, minute: 720), system.time(day: 2, minute: 780))
            ).expect(201)
            try system.jump(to: try other.text("expires_at"), plus: 1)
            var owner = try await member.person.logIn(system.visitor, id: member.id)
            try await eventually("the other booking has expired") { [owner] in
                try await owner.client.get("/reservations/\(try other.text("id"))")["status"] == "expired"
            }

            // Then the confirmed one is there still
            let seen = try await owner.client.get("/reservations/\(id)", after: try await system.head()).expect(200)
            #expect(seen["status"] == "active")

            // When its end comes
            try system.jump(to: end, plus: 1)
            owner = try await member.person.logIn(system.visitor, id: member.id)
            try await eventually("the booking is completed") { [owner] in
                try await owner.client.get("/reservations/\(id)")["status"] == "completed"
            }
            try await owner.client.delete("/reservations/\(id)").expectProblem(409, "reservation_closed")
        }

        @Test("A confirmation that comes after the hold is refused, even before the timer has done its work")
        func lateConfirmation() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let member = try await system.member()
            let held = try await member.client.post(
                "/reservations",
                booking(room, system.time(day: 3, minute: 600), system.time(day: 3, minute: 660))
            ).expect(201)

            try system.jump(to: try held.text("expires_at"))
            let late = try await system.administrator().client.post("/reservations/\(try held.text("id"))/confirm")

            #expect(late.status == 409, "\(late)")
            #expect(["hold_expired", "reservation_closed"].contains(late["code"].text), "\(late)")
        }

        @Test("An access token holds for a quarter of an hour and no longer")
        func accessTokens() async throws {
            let system = try TestSystem.current()
            let member = try await system.member()
            let now = system.clock.now
            system.clock.jump(to: now + 14 * 60_000_000)
            try await member.client.get("/users/me", after: try await system.head()).expect(200)
            system.clock.jump(to: now + 15 * 60_000_000 + 1_000_000)
            try await member.client.get("/users/me").expectProblem(401, "unauthenticated")
        }
    }
}

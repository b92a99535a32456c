import Testing

extension WholeSystem.OneSystem {
    @Suite(.serialized)
    struct Series {
        /// Daily at the same hour, from so many days ahead.
        private func series(
            _ system: TestSystem,
            _ room: String,
            rule: String = "FREQ=DAILY;COUNT=5",
            day: Int = 3,
            minute: Int = 600,
            conflict: String? = nil
        ) -> JSONValue {
            let slot = booking(room, system.time(day: day, minute: minute), system.time(day: day, minute: minute + 60))
            let asked = slot.with("rrule", .string(rule))
            return conflict.map { asked.with("on_conflict", .string($0)) } ?? asked
        }

        @Test("A series is previewed, booked without what is taken, moved and given up; all of it is visible at once")
        func life() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let (member, other) = (try await system.member(), try await system.member())
            // Given the third of five mornings is taken
            let taken = booking(room, system.time(day: 5, minute: 600), system.time(day: 5, minute: 660))
            try await other.client.post("/reservations", taken).expect(201)

            // When the series is previewed
            let preview = try await member.client.post("/reservations/series/preview", series(system, room)).expect(200)

            // Then the preview says so, and what could be instead
            #expect(preview["count"] == 5)
            #expect(preview["free"] == 4)
            #expect(preview["total_price_cents"] == 24_000)
            #expect(preview["occurrences"].items.map { $0["status"].text } == ["free", "free", "conflict", "free", "free"])
            #expect(preview["occurrences"].items[2]["code"] == "slot_taken")
            #expect(preview["occurrences"].items[2]["alternatives"].items.count == 3)

            // When all or nothing is wanted, nothing is booked
            try await member.client.post("/reservations/series", series(system, room)).expectProblem(409, "series_conflicts")
            let none = try await member.client.get("/reservations", after: try await system.head()).expect(200)
            #expect(none.json.items.isEmpty)

            // When the rest will do, four are booked, once however often it is asked
            let wanted = series(system, room, conflict: "skip")
            let booked = try await member.client.post("/reservations/series", wanted, key: "series").expect(201)
            let again = try await member.client.post("/reservations/series", wanted, key: "series").expect(201)
            #expect(again.json == booked.json)
            #expect(booked["done"] == 4)
            #expect(booked["skipped"] == 1)
            let id = try booked.text("id")
            let seen = try await member.client.get("/reservations/series/\(id)", after: try booked.position()).expect(200)
            #expect(seen["occurrences"].items.count == 4)
            #expect(seen["skipped"].items.map { $0["code"].text } == ["slot_taken"])
            #expect(seen["rrule"] == "FREQ=DAILY;COUNT=5")
            let first = try #require(seen["occurrences"].items.first?["reservation_id"].text)
            let one = try await member.client.get("/reservations/\(first)", after: try booked.position()).expect(200)
            #expect(one["series_id"].text == id)
            // Nobody else may know of it
            try await other.client.get("/reservations/series/\(id)").expectProblem(404, "not_found")

            // When those from the fourth on move by an hour
            let fourth = try #require(seen["occurrences"].items[2]["reservation_id"].text)
            let moved = try await member.client.put(
                "/reservations/series/\(id)",
                [
                    "scope": "following", "reservation_id": .string(fourth),
                    "start_time": .string(system.time(day: 6, minute: 660)), "end_time": .string(system.time(day: 6, minute: 720)),
                ]
            ).expect(200)
            #expect(moved["done"] == 2)
            let late = try await member.client.get("/reservations/series/\(id)", after: try moved.position()).expect(200)
            let starts = late["occurrences"].items.compactMap { $0["start_time"].text }
            #expect(starts.count == 4 && Set(starts).count == 4)
            #expect(late["occurrences"].items[2]["start_time"] != seen["occurrences"].items[2]["start_time"])
            #expect(late["occurrences"].items[2]["original_start"] == seen["occurrences"].items[2]["original_start"])

            // When all of it is given up
            try await other.client.delete("/reservations/series/\(id)").expectProblem(404, "series_not_found")
            let ended = try await member.client.delete("/reservations/series/\(id)", ["scope": "all"]).expect(200)
            #expect(ended["done"] == 4)

            // Then its slots are free
            let last = try await member.client.get("/reservations/series/\(id)", after: try ended.position()).expect(200)
            #expect(last["occurrences"].items.allSatisfy { $0["status"] == "cancelled" })
            try await other.client.post(
                "/reservations",
                booking(room, system.time(day: 3, minute: 600), system.time(day: 3, minute: 660))
            ).expect(201)
        }

        @Test("Of twenty simultaneous series over the same mornings one is booked")
        func race() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let member = try await system.member()
            let answers = try await concurrently(Array(0..<20), atATime: 20) { number in
                try await member.client.persistently {
                    try await $0.post("/reservations/series", series(system, room), key: "\(room)-\(number)")
                }
            }
            #expect(answers.count { $0.status == 201 } == 1)
            for refused in answers where refused.status != 201 { refused.expectProblem(409, "series_impossible") }
        }

        @Test("A series of a year is one command")
        func longest() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit(), .init(horizonDays: 400))
            let member = try await system.member()
            let booked = try await member.client.post(
                "/reservations/series",
                series(system, room, rule: "FREQ=DAILY;COUNT=366")
            ).expect(201)
            #expect(booked["done"] == 366)
            let seen = try await member.client.get("/reservations/series/\(try booked.text("id"))", after: try booked.position()).expect(
                200)
            #expect(seen["occurrences"].items.count == 366)
        }

        @Test("A rule that is none is refused by the part that is wrong")
        func rules() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let member = try await system.member()
            for (rule, code) in [
                ("FREQ=HOURLY;COUNT=2", "invalid_recurrence"), ("FREQ=DAILY", "invalid_recurrence"),
                ("FREQ=DAILY;COUNT=400", "recurrence_too_long"), ("FREQ=DAILY;UNTIL=20200101", "recurrence_empty"),
            ] {
                let wrong = series(system, room, rule: rule)
                try await member.client.post("/reservations/series", wrong).expectProblem(422, code)
                try await member.client.post("/reservations/series/preview", wrong).expectProblem(422, code)
            }
            try await member.client.post("/reservations/series", series(system, room, conflict: "maybe")).expectProblem(
                400, "invalid_field")
        }
    }
}

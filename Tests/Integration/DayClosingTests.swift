import Domain
import TestSupport
import Testing

extension WholeSystem.OwnClock {
    /// Units' local days, recorded when they end.
    @Suite(.serialized)
    struct DayClosing {
        @Test("A unit's day is recorded when it ends by its clock, and anew where it is corrected later")
        func revisions() async throws {
            let system = try TestSystem.current()
            let unit = try await system.unit(zone: "America/Manaus")
            let room = try await system.space(in: unit)
            let member = try await system.member()
            // In Manaus, four hours behind: from ten at night to two in the morning, two days from now
            let (start, end) = (system.time(day: 3, minute: 120), system.time(day: 3, minute: 360))
            let day = String(system.time(day: 2, minute: 0).prefix(10))
            let id = try await member.client.post("/reservations", booking(room, start, end)).expect(201).text("id")
            try await system.administrator().client.post("/reservations/\(id)/confirm").expect(200)

            try await system.proceed(to: system.time(day: 3, minute: 239))
            var desk = try await system.administrator().client
            let path = "/analytics/closings?unit=\(unit)&from=\(day)&to=\(day)"
            #expect(try await desk.get(path, after: try await system.head()).expect(200).json.items.isEmpty)

            try await system.proceed(to: system.time(day: 0, minute: 240))
            desk = try await system.administrator().client
            let first = try await closed(desk, path, revision: 1)
            #expect(first["timezone"].text == "America/Manaus")
            #expect(first["spaces"].items.first?["bookings"] == 1)
            // Two hours before midnight; the room is open day and night
            #expect(first["spaces"].items.first?["occupied_minutes"] == 120)
            #expect(first["spaces"].items.first?["available_minutes"] == 1_440)
            #expect(first["spaces"].items.first?["booked_revenue_cents"] == 24_000)
            // The same as the figures say
            let series = try await desk.get("/analytics/series?by=unit&unit=\(unit)&from=\(day)&to=\(day)").expect(200)
            let point = try #require(series["points"].items.first)
            for name in ["bookings", "occupied_minutes", "available_minutes", "booked_revenue_cents"] {
                #expect(point[name] == first["spaces"].items.first?[name], "\(name)")
            }

            // Given up when the day is over
            let asOf = try await system.head()
            try await desk.delete("/reservations/\(id)", ["reason": "engano"]).expect(200)
            let second = try await closed(desk, path, revision: 2)
            #expect(second["spaces"].items.first?["cancelled"] == 1)
            #expect(second["spaces"].items.first?["occupied_minutes"] == 0)
            let before = try await desk.get("/analytics/series?by=day&unit=\(unit)&from=\(day)&to=\(day)&as_of=\(asOf)").expect(200)
            #expect(before["points"].items.first?["bookings"] == 1)
        }

        private func closed(_ desk: Client, _ path: String, revision: Double) async throws -> JSONValue {
            try await eventually("revision \(revision) of \(path)") {
                try await desk.get(path).expect(200).json.items.first?["revision"] == .number(revision)
            }
            return try #require(try await desk.get(path).expect(200).json.items.first)
        }
    }
}

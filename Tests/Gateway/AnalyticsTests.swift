import Domain
import EventStore
import HTTPTypes
import HummingbirdTesting
import Projections
import Testing

@testable import Gateway

@Suite struct AnalyticsTests {
    private static let staff = TestGateway.receptionist
    private static let paths = ["/analytics/dashboard", "/analytics/usage", "/analytics/heatmap"]
    private static let week = "from=2026-03-02&to=2026-03-08"
    private static func space(_ number: Int) -> JSONValue { .string((Samples.id(number) as EspacoID).texto) }

    /// Two members, a unit with two rooms, three bookings of two hours: in the first room on Tuesday and Wednesday at nine, in the
    /// second on Wednesday at eleven. The log ends with the third.
    private func with(past: Bool = false, _ test: @Sendable @escaping (TestGateway, History) async throws -> Void) async throws {
        var log = History()
        try log.signUp(1, name: "Ana")
        try log.signUp(2, name: "Bia")
        try log.createUnit(1)
        try log.createSpace(1, in: 1, Samples.card("Araucária"))
        try log.createSpace(2, in: 1, Samples.card("Braúna"))
        try log.book(11, by: 1, space: 1, unit: 1, from: 24, to: 26)
        try log.book(12, by: 1, space: 1, unit: 1, from: 48, to: 50)
        try log.book(13, by: 2, space: 2, unit: 1, from: 50, to: 52)
        let complete = log
        try await TestDatabase.with { database in
            try await complete.write(to: database.pool)
            try await complete.project(into: database)
            try await TestGateway.with(pool: database.gateway, past: past ? database.projections : nil) { gateway in
                try await test(gateway, complete)
            }
        }
    }

    @Test func `figures are for the staff`() async throws {
        try await with { gateway, _ in
            for path in Self.paths {
                let anonymous = try await gateway.send(.get, path)
                #expect(anonymous.status == .unauthorized)
                let member = try await gateway.send(.get, path, as: TestGateway.member)
                #expect(member.status == .forbidden)
                let staff = try await gateway.send(.get, path, as: Self.staff)
                #expect(staff.status == .ok)
            }
        }
    }

    @Test func `the dashboard sums a range up`() async throws {
        try await with { gateway, _ in
            // when
            let board = try await gateway.send(.get, "/analytics/dashboard?\(Self.week)", as: Self.staff).json
            // then: two rooms are open for twelve hours on seven days
            #expect(board["total_users"] == .number(2))
            #expect(board["new_users"] == .number(2))
            #expect(board["active_members"] == .number(2))
            #expect(board["active_reservations"] == .number(3))
            #expect(board["pending_reservations"] == .number(0))
            #expect(board["reservations"]["active"] == .number(3))
            #expect(board["occupied_minutes"] == .number(360))
            #expect(board["available_minutes"] == .number(2 * 7 * 720))
            #expect(board["occupancy_rate"] == .number(360.0 / 10080))
            #expect(board["booked_revenue_cents"] == .number(3 * 8_050))
            #expect(board["booked_revenue"] == .number(241.5))
            #expect(board["cancellation_rate"] == .number(0))
            #expect(board["popular_spaces"].array.map { $0["name"] } == [.string("Araucária"), .string("Braúna")])
            #expect(board["popular_spaces"][0]["space_id"] == Self.space(1))
            #expect(board["popular_spaces"][0]["bookings"] == .number(2))
            #expect(board["peak_hours"].array.map { $0["hour"] } == [.number(9), .number(10), .number(11), .number(12)])
            #expect(board["peak_hours"][0]["occupied_minutes"] == .number(120))
            #expect(board["as_of"] == .null)
        }
    }

    @Test func `use is told by day and by space`() async throws {
        try await with { gateway, _ in
            let usage = try await gateway.send(.get, "/analytics/usage?\(Self.week)", as: Self.staff).json
            #expect(usage["daily_bookings"] == .number(3.0 / 7))
            #expect(usage["average_session_duration"] == .number(120))
            #expect(usage["most_used_space"]["name"] == .string("Araucária"))
            #expect(usage["busiest_day"]["date"] == .string("2026-03-04"))
            #expect(usage["days"].array.map { $0["bookings"] } == [0, 1, 2, 0, 0, 0, 0].map { .number($0) })
            #expect(usage["days"][0]["available_minutes"] == .number(1440))
            #expect(usage["spaces"].array.map { $0["occupied_minutes"] } == [.number(240), .number(120)])
            // and of one space, one unit, other days
            let one = try await gateway.send(
                .get, "/analytics/usage?\(Self.week)&space=\(Self.space(2).string ?? "")", as: Self.staff
            ).json
            #expect(one["spaces"].array.map { $0["name"] } == [.string("Braúna")])
            let foreign = try await gateway.send(
                .get, "/analytics/usage?\(Self.week)&unit=\((Samples.id(9) as UnidadeID).texto)", as: Self.staff
            ).json
            #expect(foreign["spaces"] == .array([]))
            #expect(foreign["most_used_space"] == .null)
            // Thirty days up to today, which is the Monday before all of them
            let usual = try await gateway.send(.get, "/analytics/usage", as: Self.staff).json
            #expect(usual["days"].array.count == 30)
            #expect(usual["to"] == .string("2026-03-02"))
            #expect(usual["daily_bookings"] == .number(0))
        }
    }

    @Test func `the heat map has every hour of the week`() async throws {
        try await with { gateway, _ in
            let cells = try await gateway.send(.get, "/analytics/heatmap?\(Self.week)", as: Self.staff).json["cells"].array
            #expect(cells.count == 168)
            let wednesdayNine = try #require(cells.first { $0["weekday"] == .number(3) && $0["hour"] == .number(9) })
            #expect(wednesdayNine["occupied_minutes"] == .number(60))
            #expect(wednesdayNine["available_minutes"] == .number(120))
            #expect(wednesdayNine["occupancy_rate"] == .number(0.5))
            let night = try #require(cells.first { $0["weekday"] == .number(3) && $0["hour"] == .number(3) })
            #expect(night["available_minutes"] == .number(0))
            #expect(night["occupancy_rate"] == .null)
        }
    }

    // MARK: As of

    /// Asks until the builder of earlier states is there: it starts with the gateway.
    private func get(_ uri: String, _ gateway: TestGateway, headers: HTTPFields = [:]) async throws -> TestResponse {
        let deadline = ContinuousClock.now + .seconds(30)
        while true {
            let response = try await gateway.send(.get, uri, as: Self.staff, headers: headers)
            guard response.status == .serviceUnavailable, ContinuousClock.now < deadline else { return response }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test func `as of a position or a time, figures are those of then`() async throws {
        try await with(past: true) { gateway, log in
            gateway.clock.advance(seconds: 1)
            let bookings = log.events.filter { $0.type == "reservas.ReservaSolicitada" }.map(\.position.rawValue)
            for (asOf, count, users) in [
                ("\(log.head)", 3, 2), ("\(bookings[2])", 3, 2), ("\(bookings[2] - 1)", 2, 2), ("\(bookings[1] - 1)", 1, 2),
                ("1", 0, 1), ("0", 0, 0), ("2026-03-02T12:00:00Z", 0, 0), ("2026-03-02T08:59:00-03:00", 0, 0),
                // The test's events are a microsecond apart.
                (Instante(microssegundos: TestClock.start + bookings[1]).texto, 2, 2),
            ] {
                let response = try await get("/analytics/dashboard?as_of=\(asOf)&\(Self.week)", gateway)
                #expect(response.status == .ok, "\(asOf)")
                #expect(try response.json["reservations"]["active"] == .number(Double(count)), "\(asOf)")
                #expect(try response.json["active_reservations"] == .number(Double(count)), "\(asOf)")
                #expect(try response.json["total_users"] == .number(Double(users)), "\(asOf)")
            }
            let usage = try await get("/analytics/usage?as_of=\(bookings[0])&\(Self.week)", gateway).json
            #expect(usage["as_of"] == .number(Double(bookings[0])))
            #expect(usage["days"].array.map { $0["bookings"] } == [0, 1, 0, 0, 0, 0, 0].map { .number($0) })
        }
    }

    @Test func `as of now, the answer is that of the live read model`() async throws {
        try await with(past: true) { gateway, log in
            for path in Self.paths {
                var past = try await get("\(path)?\(Self.week)&as_of=\(log.head)", gateway).json.object
                let live = try await gateway.send(.get, "\(path)?\(Self.week)", as: Self.staff).json.object
                #expect(past.removeValue(forKey: "as_of") == .number(Double(log.head.rawValue)))
                #expect(past == live)
            }
        }
    }

    @Test func `what the caller has written is waited for in the present only`() async throws {
        try await with(past: true) { gateway, log in
            let ahead: HTTPFields = [.after: "\(log.head.rawValue + 1)"]
            let past = try await get("/analytics/dashboard?as_of=1", gateway, headers: ahead)
            #expect(past.status == .ok)
            #expect(past.headers[.stale] == nil)
            let live = try await gateway.send(.get, "/analytics/dashboard", as: Self.staff, headers: ahead)
            #expect(live.headers[.stale] == "analytics")
        }
    }

    @Test func `nothing is said of the future`() async throws {
        try await with(past: true) { gateway, log in
            for asOf in ["\(log.head.rawValue + 1)", "2026-03-02T12:00:01Z"] {
                let response = try await get("/analytics/usage?as_of=\(asOf)", gateway)
                #expect(response.status == .unprocessableContent)
                #expect(try response.json["code"] == .string("as_of_in_the_future"))
            }
        }
    }

    @Test func `where earlier states cannot be had, the present can`() async throws {
        try await with { gateway, _ in
            let response = try await gateway.send(.get, "/analytics/usage?as_of=2026-03-02T11:00:00Z", as: Self.staff)
            #expect(response.status == .serviceUnavailable)
            #expect(response.headers[.retryAfter] != nil)
            #expect(try await gateway.send(.get, "/analytics/usage", as: Self.staff).status == .ok)
        }
    }
}

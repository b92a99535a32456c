import Domain
import EventStore
import Postgres
import Testing

@testable import Projections

@Suite("Figures of analytics")
struct AnalyticsFiguresTests {
    /// Weeks in which clocks are set: in São Paulo forward and in New York back on the same day; in São Paulo back.
    static let weeks = [("2018-10-28", 1), ("2018-10-28", 2), ("2019-02-08", 3)] as [(String, UInt64)]

    @Test("Every figure is the one that the log itself gives, minute by minute", arguments: weeks)
    func oracle(first: String, seed: UInt64) async throws {
        let first = try #require(DataCivil(first))
        let history = try BookingHistory(first: first, bookings: 300, seed: seed)
        let clock = "America/New_York"
        let last = first.somandoDias(20)
        try await TestDatabase.with { database in
            // Given the read model, written in batches, and the log
            try await Self.project(history.log, into: database)
            let oracle = AnalyticsOracle(database: database)
            try await oracle.prepare(first: first, last: last)
            let queries = AnalyticsQueries(pool: database.gateway, zone: BookingHistory.zone)
            var ranges = [
                AnalyticsRange(from: first, to: last), AnalyticsRange(from: first, to: last, space: Samples.id(3)),
                AnalyticsRange(from: first, to: last, unit: Samples.id(0)),
                AnalyticsRange(from: first, to: last, space: Samples.id(0), unit: Samples.id(1)),
                AnalyticsRange(from: first.somandoDias(-400), to: first.somandoDias(-300)),
            ]
            ranges += (6...9).map { AnalyticsRange(from: first.somandoDias($0), to: first.somandoDias($0)) }
            for range in ranges {
                // When
                let range = try #require(range)
                let figures = try await queries.figures(range, clock: try BookingHistory.zone(clock))
                // Then
                let expected = try await oracle.figures(range)
                #expect(figures.total == expected.total)
                #expect(figures.days == expected.days)
                #expect(figures.spaces == expected.spaces)
                #expect(figures.units == expected.units)
                #expect(figures.newMembers == expected.newMembers)
                #expect(figures.before == expected.before)
                #expect(figures.activeMembersBefore == expected.activeMembersBefore)
                #expect(figures.hours == expected.hours)
                #expect(figures.activeMembers == expected.activeMembers)
                #expect(figures.pendingNow == (try await oracle.open(.pending, range)))
                #expect(figures.activeNow == (try await oracle.open(.active, range)))
                #expect(figures.accounts == (try await oracle.accounts()))
                #expect(figures.newAccounts == (try await oracle.newAccounts(range, clock: clock)))
                let open = try await oracle.available(range)
                #expect(figures.available.days == open.days)
                #expect(figures.available.spaces == open.spaces)
                #expect(figures.available.units.values.reduce(0, +) == figures.available.total)
                #expect(figures.available.hours == open.hours)
                #expect(figures.available.total == open.days.values.reduce(0, +))
            }
            // And the history has something to say of each
            let all = try await queries.figures(try #require(ranges[0]), clock: try BookingHistory.zone(clock))
            for count in [
                all.total.pending, all.total.active, all.total.completed, all.total.cancelled, all.total.expired, all.total.booked.centavos,
                all.total.occupiedSeconds, all.available.total, all.activeMembers, Int64(all.newAccounts.count), all.pendingNow,
                all.activeNow, all.total.noShows, all.total.attended, all.newMembers,
            ] { #expect(count > 0) }
        }
    }

    static func project(_ log: TestLog, into database: TestDatabase) async throws {
        try await log.write(to: database.pool)
        let target = ProjectionTarget(AnalyticsModel(), opener: PlainOpener(), pool: database.projector, logger: TestDatabase.logger)
        var position = try #require(try await target.acquire())
        for start in stride(from: 0, to: log.events.count, by: 70) {
            let batch = Array(log.events[start..<min(start + 70, log.events.count)])
            let end = try #require(batch.last).position
            try await target.apply(batch, after: position, through: end)
            position = end
        }
    }
}

import Domain
import EventStore
import Postgres
import TestSupport
import Testing

@testable import Projections

/// A replay puts other tables in the place of those that are being read and written.
@Suite("Switching read models under load")
struct SwitchTests {
    private static let models: [any ReadModel] = [
        ReservasModel(), AgendaModel(), CatalogoModel(), NotificacoesModel(), AnalyticsModel(),
    ]

    @Test(
        "No query fails or finds less than before, no position goes back, who watches misses nothing, and the live subscription goes on",
        .timeLimit(.minutes(5))
    )
    func underLoad() async throws {
        var log = try RandomHistory.make(events: 600, seed: 1)
        for booking in 100..<160 { try log.book(booking, try Samples.interval(booking * 60, booking * 60 + 60)) }
        let beginning = log
        try await TestDatabase.with { database in
            try await beginning.write(to: database.pool)
            let targets = Self.models.map {
                ProjectionTarget($0, opener: PlainOpener(), pool: database.projector, logger: TestDatabase.logger)
            }
            for target in targets {
                _ = try await target.acquire()
                try await target.apply(beginning.events, after: .start, through: beginning.head)
            }
            let over = Counter()
            let asked = Counter()
            let last = try await withThrowingTaskGroup(of: TestLog?.self) { group in
                // Given a log that goes on, and live models that follow it
                group.addTask {
                    var log = beginning
                    var booking = 1000
                    while over.value == 0 {
                        let from = log.head
                        try log.book(booking, try Samples.interval(booking, booking + 60))
                        try log.createSpace(booking, in: 1, Samples.description("Sala \(booking)"))
                        booking += 1
                        try await log.write(to: database.pool)
                        let (events, end) = (log.events.filter { $0.position > from }, log.head)
                        for target in targets { try await target.apply(events, after: from, through: end) }
                    }
                    return log
                }
                // And queries, one after the other
                for _ in 0..<3 {
                    group.addTask {
                        var seen = Seen()
                        while over.value == 0 {
                            try await seen.look(at: database)
                            asked.count()
                        }
                        try await seen.checkWhatWasTold(by: database)
                        return nil
                    }
                }
                // When the models are replayed over and over
                group.addTask {
                    for _ in 0..<4 {
                        for model in Self.models {
                            let before = asked.value
                            let outcome = try await ReadModelReplay(
                                model, configuration: Projections.configuration(database.configuration), opener: PlainOpener(),
                                logger: TestDatabase.logger
                            ).run()
                            guard case .switched(_, compared: .some, differences: []) = outcome else {
                                Issue.record("\(outcome)")
                                continue
                            }
                            try await eventually("queries go on") { asked.value > before + 6 }
                        }
                    }
                    over.count()
                    return nil
                }
                var last = beginning
                for try await log in group { last = log ?? last }
                return last
            }
            // Then nothing has failed or gone back (or the group would have thrown), the log went on, and all is as it should be
            #expect(last.head > beginning.head)
            let verdicts = try await ReadModelVerifier(
                configuration: Projections.configuration(database.configuration), opener: PlainOpener(), models: Self.models,
                logger: TestDatabase.logger
            ).compare()
            for model in Self.models { #expect(verdicts[model.name] == .equal(at: last.head)) }
        }
    }

    @Test("A query that holds one table and asks for another is not ended by a switch that has that one and waits for the first")
    func crossing() async throws {
        try await TestDatabase.with { database in
            try await database.pool.withConnection { _ = try $0.executeScript("create table public.a (); create table public.b ()") }
            func connection() async throws -> PostgresConnection {
                try await PostgresConnection.connect(database.configuration, logger: TestDatabase.logger)
            }
            let (other, query, replay) = (try await connection(), try await connection(), try await connection())
            try await eventually("a switch and a query cross") {
                // Given a query that reads `a`, another that has read `b`, and a switch of both, which waits for `a`
                try await other.executeScript("begin; select from public.a")
                try await query.executeScript("begin; select from public.b")
                try await replay.executeScript("begin")
                let over = Counter()
                let switched = Task {
                    defer { over.count() }
                    try await replay.run { try LiveModel.lock("public.a, public.b", limit: ReplayRun.limits.last, on: $0) }
                }
                try await eventually("the switch waits, or has given up") { try await waiting(database) == 1 || over.value == 1 }
                // And the second query comes to `a` too
                let read = Task { try await query.executeScript("select from public.a") }
                try await eventually("both wait, or the switch has given up") { try await waiting(database) == 2 || over.value == 1 }
                // When the first one ends: the switch gets `a`, and waits for `b`, which the second holds
                let isInTime = over.value == 0
                try await other.executeScript("commit")
                // Then it is the switch that gives up, and the query has its answer
                await #expect { try await switched.value } throws: { ($0 as? PostgresError)?.sqlState == "57014" }
                try await replay.executeScript("rollback")
                try await read.value
                try await query.executeScript("commit")
                // On a busy machine it may have given up before they crossed.
                return isInTime
            }
            for connection in [other, query, replay] { await connection.close() }
        }
    }

    private func waiting(_ database: TestDatabase) async throws -> Int64 {
        try await database.pool.withConnection { connection in
            try connection.query(
                """
                select count(*) from pg_locks
                 where not granted and database = (select oid from pg_database where datname = current_database())
                """
            )[0].get(0, Int64.self)
        }
    }

    /// What one reader has seen: never less than before.
    private struct Seen {
        struct WentBack: Error {
            let what: String
        }

        private var bookings = 0
        private var spaces = 0
        private var counted = 0
        private var progress: [String: ReadModelProgress] = [:]
        /// Where in the log all is that happened, as who watches is told of it.
        private var told: [Int64] = []

        mutating func look(at database: TestDatabase) async throws {
            let before = bookings
            bookings = try await ReservasQueries(pool: database.gateway).bookings(limit: 10_000).items.count
            guard bookings >= before, bookings >= 60 else { throw WentBack(what: "bookings from \(before) to \(bookings)") }
            guard try await ReservasQueries(pool: database.gateway).booking(Samples.id(100)) != nil else {
                throw WentBack(what: "a booking")
            }
            let during = FreeTime(interval: try Samples.interval(-1000, -900))
            let known = spaces
            spaces = try await CatalogoQueries(pool: database.gateway).spaces(SpaceFilter(free: during), limit: 10_000).items.count
            guard spaces >= known else { throw WentBack(what: "spaces from \(known) to \(spaces)") }
            let busy = try await AgendaQueries(pool: database.gateway).busy([Samples.id(1)], during: Samples.interval(6000, 9600))
            guard busy.count >= 50 else {
                throw WentBack(what: "the agenda")
            }
            // Several statements that must see one instant.
            let days = try Samples.interval(0, 60 * 24 * 40)
            let range = try #require(AnalyticsRange(from: days.inicio.diaUTC, to: days.fim.diaUTC))
            let figures = try await AnalyticsQueries(pool: database.gateway, zone: BookingHistory.zone)
                .figures(range, clock: BookingHistory.zone("America/Sao_Paulo"))
            let named = counted
            counted = figures.names.count
            let bookings = Self.bookings(figures.total)
            guard counted >= named, bookings >= 50, bookings == figures.days.values.reduce(0, { $0 + Self.bookings($1) }) else {
                throw WentBack(what: "figures: \(figures.total)")
            }
            for now in try await database.gateway.withConnection({ try ReadModelProgress.all(on: $0) }) {
                if let then = progress[now.name], now.position < then.position || now.changed < then.changed {
                    throw WentBack(what: "\(then) to \(now)")
                }
                progress[now.name] = now
            }
            let page = try await NotificacoesQueries(pool: database.gateway).activity(after: told.last ?? 0, limit: 500)
            told += page.map(\.position)
        }

        private static func bookings(_ figures: BookingFigures) -> Int64 {
            figures.pending + figures.standing + figures.cancelled + figures.expired + figures.noShows
        }

        /// Nothing was left out, and nothing came twice.
        func checkWhatWasTold(by database: TestDatabase) async throws {
            let last = try #require(told.last)
            let all = try await NotificacoesQueries(pool: database.gateway).activity(after: 0, limit: 100_000).map(\.position)
            #expect(told == all.filter { $0 <= last })
        }
    }
}

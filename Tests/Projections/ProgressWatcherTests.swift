import EventStore
import Postgres
import Testing

@testable import Projections

@Suite("Reading one's own writes")
struct ProgressWatcherTests {
    /// Sets where read models stand.
    private func set(_ positions: [String: Int64], _ database: TestDatabase) async throws {
        try await database.pool.transaction { connection in
            for (name, position) in positions {
                try connection.execute(
                    """
                    insert into read.checkpoints (name, definition, position) values ($1, '', $2)
                    on conflict (name) do update set position = excluded.position
                    """,
                    name,
                    position
                )
            }
        }
    }

    /// Runs a test with a watcher that polls.
    private func withWatcher(
        _ database: TestDatabase,
        maximumWaiters: Int = 1000,
        _ test: (ProgressWatcher) async throws -> Void
    ) async throws {
        let watcher = ProgressWatcher(pool: database.gateway, maximumWaiters: maximumWaiters, logger: TestDatabase.logger)
        try await withThrowingTaskGroup { group in
            group.addTask { try await watcher.run() }
            try await test(watcher)
            group.cancelAll()
        }
    }

    @Test("A wait ends when every model asked for has come there, others aside")
    func arrives() async throws {
        try await TestDatabase.with { database in
            try await set(["contas": 5, "agenda": 5, "reservas": 2], database)
            try await withWatcher(database) { watcher in
                // Given somebody who waits for position 7 of two models
                async let laggards = watcher.wait(for: Position(7), models: ["contas", "agenda"], timeout: .seconds(20))
                // When the one comes there, then the other
                try await set(["contas": 8], database)
                try await set(["agenda": 7], database)
                // Then
                #expect(await laggards == [])
            }
        }
    }

    @Test("After the timeout the laggards are named; models that there are not lag for ever")
    func timesOut() async throws {
        try await TestDatabase.with { database in
            try await set(["contas": 7, "agenda": 5], database)
            try await withWatcher(database) { watcher in
                // Given a watcher that has seen where they are
                #expect(await watcher.wait(for: Position(5), models: ["contas", "agenda"], timeout: .seconds(20)) == [])
                // When somebody waits for more than one of them has
                let began = ContinuousClock.now
                let laggards = await watcher.wait(for: Position(6), models: ["contas", "agenda", "nada"], timeout: .milliseconds(100))
                // Then
                #expect(laggards == ["agenda", "nada"])
                #expect(ContinuousClock.now - began >= .milliseconds(100))
            }
        }
    }

    @Test("What is known costs no query, and neither does the beginning of the log")
    func remembers() async throws {
        try await TestDatabase.with { database in
            try await set(["contas": 7], database)
            let watcher = ProgressWatcher(pool: database.gateway, logger: TestDatabase.logger)
            // Given a watcher that knows where the model stands, and a database that is closed to it
            #expect(try await watcher.progress().map(\.position) == [Position(7)])
            let asked = database.gateway.openings
            #expect(asked == 1)
            await database.gateway.close()
            // Then it answers all the same
            #expect(await watcher.wait(for: Position(7), models: ["contas"], timeout: .seconds(20)) == [])
            #expect(await watcher.wait(for: .start, models: ["never seen"], timeout: .seconds(20)) == [])
        }
    }

    /// Ends every connection but one's own, as a server does that crashes, and takes back what it had not written to disk.
    private func crash(_ database: TestDatabase, losing positions: [String: Int64]) async throws {
        try await database.pool.withConnection { connection in
            _ = try connection.query(
                "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
            )
        }
        try await set(positions, database)
    }

    @Test("A server that was started anew may have lost the last steps: what was known before is not told")
    func forgets() async throws {
        try await TestDatabase.with { database in
            try await set(["contas": 7], database)
            try await withWatcher(database) { watcher in
                // Given a watcher that has told that position 7 was considered
                #expect(await watcher.wait(for: Position(7), models: ["contas"], timeout: .seconds(20)) == [])
                // When the server crashes, and somebody's query opens a connection
                try await crash(database, losing: ["contas": 5])
                try await database.gateway.withConnection { _ = try $0.query("select 1") }
                // Then
                #expect(await watcher.wait(for: Position(7), models: ["contas"], timeout: .milliseconds(200)) == ["contas"])
                #expect(await watcher.wait(for: Position(5), models: ["contas"], timeout: .seconds(20)) == [])
                try await set(["contas": 7], database)
                #expect(await watcher.wait(for: Position(7), models: ["contas"], timeout: .seconds(20)) == [])
            }
        }
    }

    @Test("A query before which the server was started anew is run again, or says that it is behind", arguments: [true, false])
    func readsAgain(catchesUp: Bool) async throws {
        struct NotThere: Error {}
        try await TestDatabase.with { database in
            try await set(["contas": 7], database)
            try await withWatcher(database) { watcher in
                #expect(await watcher.wait(for: Position(7), models: ["contas"], timeout: .seconds(20)) == [])
                var runs = 0
                // When the server crashes between the wait and the query, which finds less than there was
                let read = try await watcher.reading(["contas"], after: Position(7), timeout: .milliseconds(300)) { laggards in
                    runs += 1
                    if runs == 1 { try await crash(database, losing: ["contas": 5]) }
                    let position = try await database.gateway.withConnection { try ReadModelProgress.all(on: $0) }.first?.position
                    if runs == 1, catchesUp { try await set(["contas": 7], database) }
                    if runs == 1 { throw NotThere() }
                    return position
                }
                // Then
                #expect(runs == 2)
                #expect(read.answer == Position(catchesUp ? 7 : 5))
                #expect(read.laggards == (catchesUp ? [] : ["contas"]))
            }
        }
    }

    @Test("Many wait on one connection, each for their own position")
    func shares() async throws {
        try await TestDatabase.with { database in
            try await set(["contas": 0], database)
            try await withWatcher(database) { watcher in
                try await withThrowingTaskGroup(of: Set<String>.self) { group in
                    for position in 1...500 {
                        group.addTask {
                            await watcher.wait(for: Position(Int64(position)), models: ["contas"], timeout: .seconds(30))
                        }
                    }
                    for position in stride(from: 50, through: 500, by: 50) {
                        #expect(database.gateway.usage.open <= 1)
                        try await set(["contas": Int64(position)], database)
                    }
                    for try await laggards in group { #expect(laggards == []) }
                }
                #expect(database.gateway.usage.open <= 1)
            }
        }
    }

    @Test("A cancelled wait ends at once")
    func cancelled() async throws {
        try await TestDatabase.with { database in
            try await set(["contas": 0], database)
            try await withWatcher(database) { watcher in
                let began = ContinuousClock.now
                await withTaskGroup(of: Set<String>.self) { group in
                    group.addTask { await watcher.wait(for: Position(1), models: ["contas"], timeout: .seconds(60)) }
                    group.cancelAll()
                    for await laggards in group { #expect(laggards == ["contas"]) }
                }
                #expect(ContinuousClock.now - began < .seconds(30))
            }
        }
    }

    @Test("While the database is away the wait goes on, and ends when it is back")
    func outage() async throws {
        try await TestDatabase.with { database in
            try await set(["contas": 0], database)
            try await withWatcher(database) { watcher in
                async let laggards = watcher.wait(for: Position(1), models: ["contas"], timeout: .seconds(30))
                // Given that every connection of the watcher is cut
                try await database.pool.withConnection { connection in
                    _ = try connection.execute(
                        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
                    )
                }
                // When the model comes there
                try await set(["contas": 1], database)
                // Then
                #expect(await laggards == [])
            }
        }
    }

    @Test("Where too many wait already, the laggards are named at once")
    func full() async throws {
        try await TestDatabase.with { database in
            try await set(["contas": 0], database)
            try await withWatcher(database, maximumWaiters: 0) { watcher in
                let began = ContinuousClock.now
                #expect(await watcher.wait(for: Position(1), models: ["contas"], timeout: .seconds(60)) == ["contas"])
                #expect(ContinuousClock.now - began < .seconds(30))
            }
        }
    }

    @Test("A model that is built anew is not taken for as far as it once was")
    func setBack() {
        // Given
        var room = WaitingRoom<String>(capacity: 1)
        func news(_ position: Int64) -> [ReadModelProgress] {
            [ReadModelProgress(name: "contas", position: Position(position), changed: .start)]
        }
        #expect(room.learn(news(9)).isEmpty)
        #expect(room.laggards(among: ["contas"], at: Position(9)) == [])
        // When it is set back
        #expect(room.learn(news(1)).isEmpty)
        room.admit(.init(position: Position(9), models: ["contas"], token: "a"), as: 1)
        // Then whoever comes waits, and fills the room
        #expect(room.isFull)
        #expect(room.learn(news(8)).isEmpty)
        #expect(room.learn(news(9)) == ["a"])
        #expect(room.isEmpty)
        // And when all is forgotten, it lags again
        room.forget()
        #expect(room.laggards(among: ["contas"], at: Position(1)) == ["contas"])
    }
}

import FoundationEssentials
import Postgres
import TestSupport
import Testing

@testable import EventStore

@Suite struct LogReaderTests {
    @Test func `streams come whole and in order, those that do not exist not at all`() async throws {
        try await TestWorld.run(broker: false) { world in
            try await world.record([.sample(["a": 0, "b": 0], events: 2), .sample(["a": 2]), .sample(["c": 0])])
            let streams = try await world.reader.streams(["a", "b", "nowhere", "a"])
            #expect(streams.keys.sorted() == ["a", "b"])
            #expect(streams["a"]?.map(\.version.rawValue) == [1, 2, 3])
            #expect(streams["a"]?.map(\.position.rawValue) == [1, 2, 5])
            #expect(streams["b"]?.map(\.position.rawValue) == [3, 4])
            #expect(try await world.reader.streams([]).isEmpty)
        }
    }

    @Test func `pages are complete up to their end, whatever the contexts`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            try await world.record([.sample(["a": 0], events: 5, type: "reservas.X"), .sample(["b": 0], events: 5, type: "precos.X")])
            let reader = world.reader
            // then
            let all = try await reader.page(after: .start, contexts: nil, window: 4)
            #expect(all.events.map(\.position.rawValue) == [1, 2, 3, 4])
            #expect(all.end == Position(4))
            #expect(all.head == Position(10))
            let some = try await reader.page(after: Position(4), contexts: ["precos", "none"], window: 4)
            #expect(some.events.map(\.position.rawValue) == [6, 7, 8])
            #expect(some.end == Position(8))
            let nothing = try await reader.page(after: .start, contexts: ["none"], window: 100)
            #expect(nothing.events.isEmpty)
            #expect(nothing.end == Position(10))
            let past = try await reader.page(after: Position(10), contexts: nil)
            #expect(past.end == Position(10))
            let beyond = try await reader.page(after: Position(50), contexts: nil)
            #expect(beyond.end == Position(50))
            #expect(beyond.events.isEmpty)
        }
    }

    @Test func `large events make small pages, and none is left out`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given some that two pages cannot hold, one that fills a page alone, and small ones
            let sizes = [3_000_000, 3_000_000, 3_000_000, 3_000_000, 9_000_000, 10, 10]
            for (version, size) in sizes.enumerated() {
                var request = AppendRequest.sample(["a": Int32(version)], type: "reservas.X")
                request.streams[0].events[0].payload = [UInt8](repeating: UInt8(ascii: "7"), count: size)
                try await world.record([request])
            }
            // then
            for contexts in [nil, ["reservas"]] as [Set<String>?] {
                var (position, pages) = (Position.start, [[Int64]]())
                while position < Position(7) {
                    let page = try await world.reader.page(after: position, contexts: contexts)
                    pages.append(page.events.map(\.position.rawValue))
                    #expect(page.head == Position(7))
                    try #require(page.end > position)
                    position = page.end
                }
                #expect(pages == [[1, 2, 3], [4, 5], [6, 7]])
            }
        }
    }

    @Test func `a command is found with its positions`() async throws {
        try await TestWorld.run(broker: false) { world in
            let request = AppendRequest.sample(["a": 0], events: 3, fingerprint: [4, 2])
            try await world.record([.sample(["x": 0]), request])
            #expect(
                try await world.reader.command(request.commandID)
                    == LogReader.CommandRecord(fingerprint: [4, 2], first: Position(2), last: Position(4))
            )
            #expect(try await world.reader.command(UUID()) == nil)
            #expect(
                try await world.reader.events(from: Position(2), through: Position(3)).map(\.commandID) == [
                    request.commandID, request.commandID,
                ])
        }
    }

    @Test func `streams are found by how they begin`() async throws {
        try await TestWorld.run(broker: false) { world in
            let names = ["sala-1", "sala-2", "sala-é", "sala", "sala.1", "Sala-1", "salao-1", "sala-"]
            try await world.record(names.map { .sample([$0: 0], events: 2) })
            #expect(try await world.reader.streams(beginningWith: "sala-") == ["sala-", "sala-1", "sala-2", "sala-é"])
            #expect(try await world.reader.streams(beginningWith: "copa-") == [])
        }
    }

    /// Against 200,000 events, with the plans that prepared statements end up with.
    @Test func `no statement of reader or writer, nor the verifier's walk, scans a table`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            try await world.admin.executeScript(
                """
                insert into log.events
                select p, gen_random_uuid(), 's' || p % 20000, 1 + p / 20000, 'reservas', 'reservas.X', 1, now(), gen_random_uuid(),
                       '{}', '{}', sha256('')
                  from generate_series(1, 200000) p;
                insert into log.commands select command_id, '', position, position from log.events;
                update log.writer set head = 200000;
                analyze log.events, log.commands;
                """
            )
            var configuration = world.database
            configuration.options["plan_cache_mode"] = "force_generic_plan"
            let pool = PostgresPool(configuration, maximumConnections: 1, logger: quiet)
            let reader = LogReader(pool: pool)
            // What filled the tables is counted before the counters are set back, not after.
            try await world.admin.executeScript("select pg_stat_force_next_flush()")
            try await world.admin.executeScript("select pg_stat_reset()")
            // when
            #expect(try await reader.streams((0..<20).map { "s\($0 * 37)" }).count == 20)
            #expect(try await reader.page(after: Position(150_000), contexts: nil).events.count == 2000)
            #expect(try await reader.page(after: Position(100_000), contexts: ["reservas"]).events.count == 2000)
            #expect(try await reader.events(from: Position(7), through: Position(9)).count == 3)
            #expect(try await reader.streams(beginningWith: "s1999").count == 11)
            _ = try await reader.command(UUID())
            _ = try await reader.head()
            _ = try await LogVerifier(pool: pool).verify()
            await pool.close()
            var writer = try await LogWriter.takeOver(configuration, logger: quiet)
            _ = try await writer.write([.sample(["s5": 10, "new": 0])], now: systemClock())
            await writer.close()
            // then
            try await eventually("the statistics are in") {
                try await world.number("select n_tup_ins from pg_stat_user_tables where relname = 'commands'") == 1
            }
            try await eventually("the reader's too") {
                try await world.number("select idx_scan from pg_stat_user_tables where relname = 'events'") >= 5
            }
            #expect(
                try await world.number(
                    "select sum(seq_scan)::bigint from pg_stat_user_tables where schemaname = 'log' and relname in ('events', 'commands')"
                ) == 0
            )
        }
    }
}

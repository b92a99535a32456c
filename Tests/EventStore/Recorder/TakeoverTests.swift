import FoundationEssentials
import Postgres
import Synchronization
import TestSupport
import Testing

@testable import EventStore

/// Of several writers one has the log, whatever the others believe.
@Suite struct TakeoverTests {
    @Test func `two writers used in turn: the former is fenced and nothing of it lands`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given a writer that holds an epoch, and its request
            var former = try await world.takeOver()
            _ = try await former.write([.sample(["a": 0])], now: someTime)
            // when another takes over, and the former comes back
            var present = try await world.takeOver()
            let written = try await present.write([.sample(["a": 1])], now: someTime)
            // then its backend is gone
            #expect(written.outcomes == [.accepted(first: Position(2), last: Position(2))])
            await #expect(throws: PostgresError.self) { _ = try await former.write([.sample(["b": 0])], now: someTime) }
            await former.close()
            await present.close()
            #expect(try await world.expectSoundLog().count == 2)
        }
    }

    /// A backend that cannot be ended in time, or one behind a connection pooler, is what the fence is for.
    @Test func `a writer whose backend lives on is fenced by its epoch`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given a takeover that found no backend to end
            var former = try await world.takeOver()
            _ = try await former.write([.sample(["a": 0])], now: someTime)
            try await world.admin.executeScript("update log.writer set backend_pid = null")
            var present = try await world.takeOver()
            // when both write in turn
            _ = try await present.write([.sample(["a": 1])], now: someTime)
            var fenced = false
            do { _ = try await former.write([.sample(["b": 0])], now: someTime) } catch is LogWriter.Fenced { fenced = true }
            _ = try await present.write([.sample(["a": 2])], now: someTime)
            // then
            #expect(fenced)
            await former.close()
            await present.close()
            #expect(try await world.expectSoundLog().map(\.stream) == ["a", "a", "a"])
        }
    }

    @Test func `a former writer refuses nobody by what it remembers`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given a takeover that found no backend to end, and a stream that has moved since
            var former = try await world.takeOver()
            _ = try await former.write([.sample(["a": 0])], now: someTime)
            try await world.admin.executeScript("update log.writer set backend_pid = null")
            var present = try await world.takeOver()
            _ = try await present.write([.sample(["a": 1])], now: someTime)
            // when the former is asked for what the log would accept
            var fenced = false
            do { _ = try await former.writeLookingUp([.sample(["a": 2])]) { someTime } } catch is LogWriter.Fenced { fenced = true }
            // then
            #expect(fenced, "no conflict is told where no rival came")
            await former.close()
            await present.close()
        }
    }

    @Test func `the log is not taken over while a checkpoint is ahead of it`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            try await world.record([.sample(["a": 0])])
            for (table, columns, name) in [("subs.checkpoints", "", "reservas.prazos"), ("read.checkpoints", ", definition", "agenda")] {
                // when the log is of an older backup than what follows it
                try await world.admin.executeScript(
                    "insert into \(table) (name, position\(columns)) values ('\(name)', 2\(columns.isEmpty ? "" : ", ''"))"
                )
                // then nothing is recorded that its owner would pass over
                await #expect(throws: LogWriter.CheckpointAhead(name: name, position: Position(2), head: Position(1))) {
                    try await world.record([.sample(["a": 1])])
                }
                #expect(try await world.expectSoundLog().count == 1)
                // and when it is right again, it goes on
                try await world.admin.executeScript("update \(table) set position = 1")
            }
            try await world.record([.sample(["a": 1])])
            #expect(try await world.expectSoundLog().count == 2)
        }
    }

    @Test func `a takeover fences before it has written anything`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            var former = try await world.takeOver()
            _ = try await former.write([.sample(["a": 0])], now: someTime)
            try await world.admin.executeScript("update log.writer set backend_pid = null")
            // when the head is still where the former left it
            var present = try await world.takeOver()
            var fenced = false
            do { _ = try await former.write([.sample(["b": 0])], now: someTime) } catch is LogWriter.Fenced { fenced = true }
            // then
            #expect(fenced)
            _ = try await present.write([.sample(["a": 1])], now: someTime)
            await former.close()
            await present.close()
            #expect(try await world.expectSoundLog().map(\.stream) == ["a", "a"])
        }
    }

    @Test func `a batch that waits while the log is taken over is fenced when its turn comes`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given a takeover that is not committed yet
            var former = try await world.takeOver()
            _ = try await former.write([.sample(["a": 0])], now: someTime)
            try await world.admin.executeScript("begin; update log.writer set epoch = epoch + 1")
            // when
            let committer = former.committer
            let drafted = former.draft(after: nil, now: someTime)
            var batch = try #require(drafted)
            former.add([.sample(["b": 0])], to: &batch, after: nil, now: someTime)
            let written = Task { [batch] in try await committer.commit(batch) }
            try await world.expectSomebodyWaitsForAdmin()
            try await world.admin.executeScript("commit")
            // then
            await #expect(throws: LogWriter.Fenced.self) { _ = try await written.value }
            await former.close()
            #expect(try await world.expectSoundLog().map(\.stream) == ["a"])
        }
    }

    @Test func `a writer paused in the middle of its transaction is ended by the takeover, and leaves nothing`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given a transaction of the present epoch that has passed the fence and written, but not committed
            let sleeper = try await world.connection(.recorder)
            try await sleeper.run { connection in
                _ = try connection.query("select log.take_over()")
                try connection.executeScript("begin")
                _ = try connection.pipeline([Committer.fence(1, from: .start, to: Position(1), EventHash.origin)])
                try connection.execute(
                    """
                    insert into log.events (position, event_id, stream, version, context, type, schema_version, recorded_at,
                                            command_id, payload, metadata, hash)
                    values (1, gen_random_uuid(), 's', 1, 'x', 'x', 1, now(), gen_random_uuid(), '', '', $1)
                    """,
                    EventHash.origin
                )
            }
            // when
            let took = try await duration(of: {
                var writer = try await world.takeOver()
                _ = try await writer.write([.sample(["a": 0])], now: someTime)
                await writer.close()
            })
            // then
            #expect(took < .seconds(2))
            await #expect(throws: PostgresError.self) { try await sleeper.executeScript("commit") }
            #expect(try await world.expectSoundLog().map(\.stream) == ["a"])
        }
    }

    @Test func `many who take over at once get epochs of their own, and one of them has the log`() async throws {
        try await TestWorld.run(broker: false) { world in
            // when
            let acknowledged = await withTaskGroup(of: (stream: String, outcome: AppendOutcome?)?.self) { group in
                for index in 0..<6 {
                    group.addTask {
                        guard var writer = try? await world.takeOver() else { return nil }
                        let written = try? await writer.write([.sample(["s\(index)": 0])], now: someTime)
                        await writer.close()
                        return written.map { ("s\(index)", $0.outcomes.first) }
                    }
                }
                return await group.reduce(into: [String: AppendOutcome]()) { if let told = $1 { $0[told.stream] = told.outcome } }
            }
            // then what was acknowledged is there, where it was said to be
            #expect(!acknowledged.isEmpty)
            let events = try await world.expectSoundLog()
            for (stream, outcome) in acknowledged {
                let positions = events.filter { $0.stream == stream }.map(\.position)
                #expect(positions.count == 1)
                #expect(outcome == positions.first.map { .accepted(first: $0, last: $0) })
            }
            #expect(try await world.number("select epoch from log.writer") >= Int64(acknowledged.count))
        }
    }
}

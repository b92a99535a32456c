import Postgres
import TestSupport
import Testing

@testable import AMQP
@testable import EventStore

@Suite struct CommitLineTests {
    /// A message that came over a connection that nobody runs.
    private static func message(_ stream: String, deadline: Int64 = someTime) throws -> AppendMessage {
        let connection = AMQPConnection(try AMQPConfiguration(url: "amqp://nowhere"), logger: quiet)
        let subscription = AMQP.Subscription(id: 1, queue: "", prefetch: 1, exclusive: false, core: connection.core)
        let delivery = AMQPDelivery(
            message: AMQPMessage(), exchange: "", routingKey: "", redelivered: false, connectionGeneration: 1, epoch: 1, tag: 1,
            subscription: subscription
        )
        return AppendMessage(delivery, requests: [.sample([stream: 0], deadline: deadline)])
    }

    /// Has a message decided as part of the next batch.
    ///
    /// - Returns: whether it joined.
    @discardableResult
    private static func join(_ stream: String, _ line: CommitLine, _ writer: inout LogWriter, deadline: Int64 = someTime) throws -> Bool {
        let message = try message(stream, deadline: deadline)
        return line.join { batch, underWay in
            if batch.isEmpty { batch.draft = writer.draft(after: underWay, now: someTime) }
            if var draft = batch.draft.take() {
                writer.add(message.requests, to: &draft, after: underWay, now: someTime)
                batch.draft = draft
            }
            batch.add(message)
        }
    }

    /// What landed, as the streams of each batch and whether it was committed.
    private static func describe(_ landed: [CommitLine.Landed]) -> [String] {
        landed.map { landed in
            let streams = landed.batch.requests.flatMap { $0.streams.map(\.stream) }.joined()
            return "\(streams) \((try? landed.result.get()).map(String.init) ?? "failed")"
        }
    }

    /// Waits until a commit waits for the transaction of a connection.
    private static func expectWaiting(for connection: PostgresConnection) async throws {
        try await eventually("a commit waits") {
            try await connection.query(
                "select exists (select from pg_locks where not granted and transactionid::text = pg_current_xact_id_if_assigned()::text)"
            )[0].get(0, Bool.self)
        }
    }

    /// Runs a test on a writer that takes requests at their word.
    private func withWriter(_ body: (TestWorld, CommitLine, inout LogWriter) async throws -> Void) async throws {
        try await TestWorld.run(broker: false) { world in
            try await world.record([.sample(["taken": 0])])
            var writer = try await world.takeOver()
            _ = try await writer.write([.sample(["first": 0])], now: someTime)
            try await body(world, CommitLine { someTime }, &writer)
            await writer.close()
        }
    }

    @Test func `what joins while a batch is committed goes together in the next, without the loop`() async throws {
        try await withWriter { world, line, writer in
            // given a batch whose commit waits
            try Self.join("a", line, &writer)
            try await world.admin.executeScript("begin; select from log.writer for update")
            let (committer, rings) = (writer.committer, Shared(0))
            #expect(line.begin())
            #expect(!line.begin(), "one works at a time")
            try await withThrowingTaskGroup { group in
                group.addTask { await line.work(committer) { rings.withLock { $0 += 1 } } }
                try await Self.expectWaiting(for: world.admin)
                // when
                for stream in ["b", "c"] { try Self.join(stream, line, &writer) }
                #expect(line.takeDoubtful() == nil && line.takeLanded().isEmpty)
                try await world.admin.executeScript("rollback")
                try await group.waitForAll()
            }
            // then
            let landed = line.takeLanded()
            #expect(Self.describe(landed) == ["a true", "bc true"])
            #expect(rings.value == 2)
            #expect(try await world.expectSoundLog().map(\.stream) == ["taken", "first", "a", "b", "c"])
        }
    }

    @Test func `what stands on a batch that failed is not taken, and nothing joins before the loop knows`() async throws {
        try await withWriter { world, line, writer in
            // given a batch that takes a stream for new that is not
            try Self.join("taken", line, &writer)
            try await world.admin.executeScript("begin; select from log.writer for update")
            let committer = writer.committer
            #expect(line.begin())
            try await withThrowingTaskGroup { group in
                group.addTask { await line.work(committer) {} }
                try await Self.expectWaiting(for: world.admin)
                try Self.join("b", line, &writer)
                try await world.admin.executeScript("rollback")
                try await group.waitForAll()
            }
            // then
            let joined = try Self.join("c", line, &writer)
            #expect(!joined)
            #expect(!line.begin() && line.takeDoubtful() == nil)
            #expect(Self.describe(line.takeLanded()) == ["taken false"])
            #expect(line.takeBack().flatMap(\.requests).flatMap(\.streams).map(\.stream) == ["b"])
            #expect(try await world.expectSoundLog().map(\.stream) == ["taken", "first"])
        }
    }

    @Test func `a batch that is late, or refuses somebody, is left for the loop, which is rung`() async throws {
        try await withWriter { world, _, writer in
            let now = Shared(someTime)
            let (committer, line) = (writer.committer, CommitLine { now.value })
            for (stream, deadline, later) in [("b", someTime, someTime + 1), ("c", someTime - 1, someTime)] {
                now.withLock { $0 = someTime }
                // given one that was decided, or refused, while another is committed
                let rings = Shared(0)
                try Self.join("a-\(stream)", line, &writer)
                #expect(line.begin())
                try await world.admin.executeScript("begin; select from log.writer for update")
                try await withThrowingTaskGroup { group in
                    group.addTask { await line.work(committer) { rings.withLock { $0 += 1 } } }
                    try await Self.expectWaiting(for: world.admin)
                    try Self.join(stream, line, &writer, deadline: deadline)
                    now.withLock { $0 = later }
                    try await world.admin.executeScript("rollback")
                    try await group.waitForAll()
                }
                // then
                #expect(rings.value == 2)
                let landed = line.takeLanded()
                #expect(Self.describe(landed) == ["a-\(stream) true"])
                if let draft = landed.first?.batch.draft { _ = writer.advance(to: draft) }
                #expect(!line.begin())
                #expect(line.takeDoubtful()?.messages.count == 1)
            }
        }
    }

    @Test func `halted, it lets what is under way end and no other begin`() async throws {
        try await withWriter { world, line, writer in
            let committer = writer.committer
            try Self.join("a", line, &writer)
            #expect(line.begin())
            line.halt()
            await line.work(committer) {}
            #expect(line.takeLanded().isEmpty && !line.begin())
            line.resume()
            #expect(line.begin())
            await line.work(committer) {}
            #expect(Self.describe(line.takeLanded()) == ["a true"])
        }
    }
}

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

    private static func describe(_ duty: CommitLine.Duty) -> String {
        switch duty {
        case .nothing: "nothing"
        case .commit: "commit"
        case .lookUp(let batch): "look up \(batch.messages.count)"
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
            #expect(Self.describe(line.begin()) == "commit")
            #expect(Self.describe(line.begin()) == "nothing", "one works at a time")
            try await withThrowingTaskGroup { group in
                group.addTask { await line.work(committer) { rings.withLock { $0 += 1 } } }
                try await world.expectSomebodyWaitsForAdmin()
                // when
                for stream in ["b", "c"] { try Self.join(stream, line, &writer) }
                #expect(Self.describe(line.begin()) == "nothing" && line.takeLanded().isEmpty)
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
            #expect(Self.describe(line.begin()) == "commit")
            try await withThrowingTaskGroup { group in
                group.addTask { await line.work(committer) {} }
                try await world.expectSomebodyWaitsForAdmin()
                try Self.join("b", line, &writer)
                try await world.admin.executeScript("rollback")
                try await group.waitForAll()
            }
            // then
            let joined = try Self.join("c", line, &writer)
            #expect(!joined)
            #expect(Self.describe(line.begin()) == "nothing")
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
                #expect(Self.describe(line.begin()) == "commit")
                try await world.admin.executeScript("begin; select from log.writer for update")
                try await withThrowingTaskGroup { group in
                    group.addTask { await line.work(committer) { rings.withLock { $0 += 1 } } }
                    try await world.expectSomebodyWaitsForAdmin()
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
                #expect(Self.describe(line.begin()) == "look up 1")
            }
        }
    }

    @Test func `who waits is told by the thread that commits, before the loop hears of it, and only of what was committed`() async throws {
        try await withWriter { world, line, writer in
            let (committer, heard) = (writer.committer, Shared<[String]>([]))
            for stream in ["a", "taken"] {
                try Self.join(stream, line, &writer)
                #expect(Self.describe(line.begin()) == "commit")
                await line.work(committer) { batch, outcomes in
                    let streams = batch.requests.flatMap(\.streams).map(\.stream)
                    let isFirst = line.takeLanded().isEmpty && outcomes == [.accepted(first: Position(3), last: Position(3))]
                    heard.withLock { $0.append("\(streams) \(isFirst)") }
                } ring: {
                    heard.withLock { $0.append("ring") }
                }
                if let draft = line.takeLanded().first?.batch.draft { _ = writer.advance(to: draft) }
            }
            #expect(heard.value == [#"["a"] true"#, "ring", "ring"])
            #expect(try await world.expectSoundLog().map(\.stream) == ["taken", "first", "a"])
        }
    }

    @Test func `halted, it lets what is under way end and no other begin`() async throws {
        try await withWriter { world, line, writer in
            let committer = writer.committer
            try Self.join("a", line, &writer)
            #expect(Self.describe(line.begin()) == "commit")
            line.halt()
            await line.work(committer) {}
            #expect(line.takeLanded().isEmpty && Self.describe(line.begin()) == "nothing")
            line.resume()
            #expect(Self.describe(line.begin()) == "commit")
            await line.work(committer) {}
            #expect(Self.describe(line.takeLanded()) == ["a true"])
        }
    }

    /// The loop is told once what to do: what it heard a moment ago and what it hears now could leave the batch to nobody.
    @Test func `a batch that becomes late the moment after it was to be committed is left for the loop, which is rung`() async throws {
        try await withWriter { world, _, writer in
            let reading = Shared(someTime - 1)
            let line = CommitLine {
                reading.withLock { reading in
                    reading += 1
                    return reading
                }
            }
            let (committer, rings) = (writer.committer, Shared(0))
            try Self.join("a", line, &writer)
            #expect(Self.describe(line.begin()) == "commit")
            await line.work(committer) { rings.withLock { $0 += 1 } }
            #expect(rings.value == 1 && line.takeLanded().isEmpty)
            #expect(Self.describe(line.begin()) == "look up 1")
        }
    }
}

extension CommitLine {
    /// Commits batches for which nobody waits.
    fileprivate func work(_ committer: Committer, ring: @escaping @Sendable () -> Void) async {
        await work(committer, answer: { _, _ in }, ring: ring)
    }
}

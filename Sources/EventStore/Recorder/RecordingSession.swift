import AMQP
import Logging
import Metrics
import Postgres

/// What happens to a recorder.
enum RecordingSignal: Sendable {
    case message(AppendMessage)
    /// The commit that was under way has ended.
    case landed
}

/// Why a recorder stopped serving.
enum RecordingEnd {
    /// Cancelled, or no more deliveries will ever come.
    case over
    /// Another recorder has the log, or the deliveries in hand are somebody else's by now.
    case putBack
}

/// A recorder's stay at the queue: one batch is being committed, and the next is decided as its requests come.
///
/// The next batch is closed no sooner than the one before has landed, so that as much as can be goes together; but by then all that
/// remains to be done of it is to send it. It stands on the batch before: where that fails, it is decided again.
struct RecordingSession: ~Copyable {
    /// How long it tries to reach the log before another recorder, which may be able to, is given the requests.
    private static let patience = Duration.seconds(2)

    private let database: PostgresConfiguration
    private let connection: AMQPConnection
    private let clock: @Sendable () -> Int64
    private let announcer: Announcer
    private let logger: Logger

    private var writer: LogWriter?
    /// The connection over which the messages in hand came.
    private var generation: UInt64?
    /// What no batch has taken yet.
    private var waiting: [AppendMessage] = []
    private var next = Batch()
    private var underWay: (batch: Batch, draft: LogWriter.Draft)?

    private typealias Landing = TaskGroup<Result<Bool, any Error>>

    /// Messages whose requests are recorded in one transaction.
    private struct Batch {
        /// Past a thousand events or requests a bigger batch is hardly faster, and everyone in it waits longer.
        private static let enough = 1000

        private(set) var messages: [AppendMessage] = []
        private var weight = 0
        private var bytes = 0
        /// Absent where the requests must be looked up before they are decided.
        var draft: LogWriter.Draft?

        var isEmpty: Bool { messages.isEmpty }
        var requests: [AppendRequest] { messages.flatMap(\.requests) }

        /// Nor more than a few megabytes, because the batch is announced in one message.
        func hasRoom(for message: AppendMessage) -> Bool {
            isEmpty || (weight < Self.enough && bytes + message.bytes <= AppendClient.maximumBytesPerMessage)
        }

        mutating func add(_ message: AppendMessage) {
            messages.append(message)
            weight += message.weight
            bytes += message.bytes
        }

        /// Whether somebody has given up on a request while the batch before it was committed.
        func isLate(at now: Int64) -> Bool {
            messages.contains { $0.requests.contains { $0.deadline < now } }
        }
    }

    init(
        database: PostgresConfiguration,
        connection: AMQPConnection,
        clock: @escaping @Sendable () -> Int64,
        announcer: Announcer,
        logger: Logger
    ) {
        self.database = database
        self.connection = connection
        self.clock = clock
        self.announcer = announcer
        self.logger = logger
    }

    /// Records what comes until nothing more can come, or until somebody else should.
    consuming func serve(_ inbox: Inbox<RecordingSignal>) async -> RecordingEnd {
        await withTaskGroup(of: Result<Bool, any Error>.self) { group in
            var end = RecordingEnd.over
            while let signals = await inbox.takeAll() {
                guard await handle(signals, &group), await send(&group, ringing: inbox) else {
                    end = .putBack
                    break
                }
            }
            // What is on its way is answered, whatever made us stop.
            _ = await land(&group)
            await discard()
            return end
        }
    }

    /// - Returns: false where another recorder has the log or will be given the requests; so does every function here.
    private mutating func handle(_ signals: [RecordingSignal], _ group: inout Landing) async -> Bool {
        var messages: [AppendMessage] = []
        var hasLanded = false
        for signal in signals {
            switch signal {
            case .message(let message): messages.append(message)
            case .landed: hasLanded = true
            }
        }
        // A new connection means that the broker may have made another recorder active in between.
        let latest = messages.last?.delivery.connectionGeneration ?? generation
        if hasLanded || latest != generation {
            guard await land(&group) else { return false }
        }
        if latest != generation {
            await discard()
            (next, waiting, generation) = (Batch(), [], latest)
        }
        waiting += messages.filter { $0.delivery.connectionGeneration == generation }
        gather()
        return true
    }

    /// Decides what waits as part of the next batch, as far as there is room in it.
    private mutating func gather() {
        var taken = 0
        let now = clock()
        for message in waiting {
            guard next.hasRoom(for: message) else { break }
            if next.isEmpty { next.draft = writer?.draft(after: underWay?.draft, now: now) }
            // Past a refusal there is no use in deciding on: all of it is decided again, on what is looked up.
            if var draft = next.draft.take(), draft.isSound {
                writer?.add(message.requests, to: &draft, after: underWay?.draft, now: now)
                next.draft = draft
            }
            next.add(message)
            taken += 1
        }
        waiting.removeFirst(taken)
    }

    /// Sends the next batch on its way, unless one is under way already.
    private mutating func send(_ group: inout Landing, ringing inbox: Inbox<RecordingSignal>) async -> Bool {
        while underWay == nil, !next.isEmpty {
            let batch = next
            next = Batch()
            if let draft = batch.draft, draft.isSound, !batch.isLate(at: clock()), let commitment = writer?.commitment(to: draft) {
                group.addTask {
                    defer { inbox.put(.landed) }
                    do { return .success(try await commitment.carryOut()) } catch { return .failure(error) }
                }
                underWay = (batch, draft)
            } else {
                guard await recordLookingUp(batch) else { return false }
            }
            gather()
        }
        return true
    }

    /// Waits for the batch that is under way, if one is, and answers it.
    private mutating func land(_ group: inout Landing) async -> Bool {
        guard let (batch, draft) = underWay.take(), let result = await group.next() else { return true }
        switch result {
        case .success(true):
            guard let written = writer?.advance(to: draft) else { return false }
            await answer(batch, written)
            return true
        case .success(false):
            decideNextAnew()
            return await recordLookingUp(batch)
        case .failure(let error):
            decideNextAnew()
            return await recordLookingUp(batch, after: error)
        }
    }

    /// What the next batch stands on did not come to be.
    private mutating func decideNextAnew() {
        waiting = next.messages + waiting
        next = Batch()
    }

    /// Records a batch after a look at all that it names: whatever is known of its commands and its streams.
    /// - Parameter failure: What came of an earlier try.
    private mutating func recordLookingUp(_ batch: Batch, after failure: (any Error)? = nil) async -> Bool {
        var backoff = Backoff()
        var failure = failure
        let giveUp = ContinuousClock.now + Self.patience
        while true {
            if let error = failure {
                if Self.isFull(error), let answers = try? await writer?.answersToRepeats(among: batch.requests) {
                    refuse(batch, but: answers)
                    return true
                }
                guard await recover(from: error, &backoff), ContinuousClock.now < giveUp else { return false }
            }
            guard !Task.isCancelled else { return false }
            do {
                await answer(batch, try await write(batch.requests))
                return true
            } catch {
                failure = error
            }
        }
    }

    /// Whether the disk of the log is full: then Postgres rolled the batch back, and to try again would only keep callers waiting.
    private static func isFull(_ error: any Error) -> Bool {
        guard let error = error as? PostgresError else { return false }
        return !error.isConnectionLost && error.sqlState == "53100"
    }

    /// - Parameter answers: to requests that were recorded earlier, though their answer may have got lost.
    private func refuse(_ batch: Batch, but answers: [AppendOutcome?]) {
        let refused = answers.count { $0 == nil }
        logger.error("the log's disk is full; nothing is recorded", metadata: ["requests": "\(refused)"])
        Counter(label: "coworkflow_appends_without_room_total").increment(by: refused)
        reply(to: batch, answers)
    }

    private mutating func write(_ requests: [AppendRequest]) async throws -> LogWriter.Written {
        var writer = if let held = writer.take() { held } else { try await LogWriter.takeOver(database, logger: logger) }
        do {
            let written = try await writer.writeLookingUp(requests, now: clock())
            self.writer = consume writer
            return written
        } catch let error where Self.isFull(error) {
            // The log is as it was, and who asks for what it has already is still to be answered.
            self.writer = consume writer
            throw error
        } catch {
            await writer.close()
            throw error
        }
    }

    /// After a commit that failed, or of which nobody knows whether it did: what is in memory may be wrong.
    private mutating func recover(from error: any Error, _ backoff: inout Backoff) async -> Bool {
        await discard()
        if error is LogWriter.Fenced {
            logger.notice("another recorder has taken the log over; standing by")
            return false
        }
        var details: Logger.Metadata = ["error": "\(error)"]
        // What a server says to a connection that it refuses quotes no values.
        if let error = error as? PostgresError, error.kind == .connectionFailed { details["server"] = "\(error.serverMessage ?? "")" }
        logger.error("could not write the log; taking it over anew", metadata: details)
        try? await Task.sleep(for: backoff.next())
        // Without the connection that they came over, the broker has given the requests to somebody else, from whom the
        // log must not be taken back.
        return connection.isConnected && connection.generation == generation
    }

    private mutating func discard() async {
        if let held = writer.take() { await held.close() }
    }

    private func answer(_ batch: Batch, _ written: LogWriter.Written) async {
        reply(to: batch, written.outcomes)
        await FaultPoint.hit(.afterReply, sentOver: connection)
        if !written.events.isEmpty { announcer.announce(written) }
    }

    private func reply(to batch: Batch, _ outcomes: [AppendOutcome?]) {
        var outcomes = outcomes[...]
        for message in batch.messages {
            let mine = Array(outcomes.prefix(message.requests.count))
            outcomes = outcomes.dropFirst(mine.count)
            reply(to: message, AppendWire.encode(mine))
        }
        // Messages are answered in the order in which they came.
        batch.messages.last?.delivery.acknowledgeUpTo()
    }

    private func reply(to message: AppendMessage, _ body: [UInt8]) {
        guard let replyTo = message.delivery.message.replyTo else { return }
        var reply = AMQPMessage(body: body)
        reply.correlationID = message.delivery.message.correlationID
        // A reply that cannot be sent is found out by the client, which asks again with the same command id.
        try? connection.publish(reply, exchange: "", routingKey: replyTo)
    }
}

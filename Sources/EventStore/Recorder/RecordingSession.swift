import AMQP
import Logging
import Metrics
import Postgres

/// What happens to a recorder.
enum RecordingSignal: Sendable {
    case message(AppendMessage)
    /// A commit has ended.
    case landed
}

/// Why a recorder stopped serving.
enum RecordingEnd {
    /// Cancelled, or no more deliveries will ever come.
    case over
    /// Another recorder has the log, or the deliveries in hand are somebody else's by now.
    case putBack
}

/// A recorder's stay at the queue: while one batch is committed, the next is decided as its requests come.
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
    private let line: CommitLine
    /// Somebody commits what stands in line, or has just ended.
    private var isWorking = false

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
        line = CommitLine(clock: clock)
    }

    /// Records what comes until nothing more can come, or until somebody else should.
    consuming func serve(_ inbox: Inbox<RecordingSignal>) async -> RecordingEnd {
        await withTaskGroup { group in
            var end = RecordingEnd.over
            while let signals = await inbox.takeAll() {
                guard await handle(signals, &group), await goOn(&group, ringing: inbox) else {
                    end = .putBack
                    break
                }
            }
            // What is on its way is answered, whatever made us stop.
            _ = await settle(&group)
            await discard()
            return end
        }
    }

    /// - Returns: false where another recorder has the log or will be given the requests; so does every function here.
    private mutating func handle(_ signals: [RecordingSignal], _ group: inout TaskGroup<Void>) async -> Bool {
        let messages = signals.compactMap { if case .message(let message) = $0 { message } else { nil } }
        // A new connection means that the broker may have made another recorder active in between.
        let latest = messages.last?.delivery.connectionGeneration ?? generation
        if latest != generation {
            guard await settle(&group) else { return false }
            await discard()
            _ = line.takeBack()
            (waiting, generation) = ([], latest)
        }
        waiting += messages.filter { $0.delivery.connectionGeneration == generation }
        return true
    }

    /// Sees to what has landed, and has what waits recorded.
    private mutating func goOn(_ group: inout TaskGroup<Void>, ringing inbox: Inbox<RecordingSignal>) async -> Bool {
        while true {
            // What is decided next stands on it.
            guard await seeLanded() else { return false }
            guard gather() else { continue }
            switch line.begin() {
            case .nothing: return true
            case .lookUp(let batch): guard await recordLookingUp(batch) else { return false }
            case .commit:
                guard let committer = writer?.committer else { return false }
                await workerEnded(&group)
                isWorking = true
                group.addTask { [line, connection] in
                    await line.work(committer) { batch, outcomes in
                        FaultPoint.hit(.afterCommit)
                        batch.answer(outcomes, over: connection)
                    } ring: {
                        inbox.put(.landed)
                    }
                }
                return true
            }
        }
    }

    /// Decides what waits as part of the next batch, as far as there is room in it.
    ///
    /// - Returns: false where something has landed meanwhile.
    private mutating func gather() -> Bool {
        var taken = 0
        var isUpToDate = true
        for message in waiting {
            var hasRoom = false
            // One at a time, so that who has committed a batch need not wait for more than one to be decided.
            isUpToDate = line.join { batch, underWay in
                hasRoom = batch.hasRoom(for: message)
                guard hasRoom else { return }
                let now = clock()
                if batch.isEmpty { batch.draft = writer?.draft(after: underWay, now: now) }
                // Past a refusal there is no use in deciding on: all of it is decided again, on what is looked up.
                if var draft = batch.draft.take(), draft.isSound {
                    writer?.add(message.requests, to: &draft, after: underWay, now: now)
                    batch.draft = draft
                }
                batch.add(message)
            }
            guard isUpToDate, hasRoom else { break }
            taken += 1
        }
        waiting.removeFirst(taken)
        return isUpToDate
    }

    /// Announces what has been committed and answered, and looks up what could not be committed.
    private mutating func seeLanded() async -> Bool {
        for landed in line.takeLanded() {
            switch landed.result {
            case .success(true):
                guard let draft = landed.batch.draft, let written = writer?.advance(to: draft) else { return false }
                await announce(written)
            case .success(false):
                decideNextAnew()
                guard await recordLookingUp(landed.batch) else { return false }
            case .failure(let error):
                decideNextAnew()
                guard await recordLookingUp(landed.batch, after: error) else { return false }
            }
        }
        return true
    }

    /// What the next batch stands on did not come to be.
    private mutating func decideNextAnew() {
        waiting = line.takeBack() + waiting
    }

    /// Waits for what is under way, and sees to it.
    private mutating func settle(_ group: inout TaskGroup<Void>) async -> Bool {
        line.halt()
        await workerEnded(&group)
        line.resume()
        return await seeLanded()
    }

    private mutating func workerEnded(_ group: inout TaskGroup<Void>) async {
        guard isWorking else { return }
        await group.next()
        isWorking = false
    }

    /// Records a batch after a look at all that it names: whatever is known of its commands and its streams.
    /// - Parameter failure: What came of an earlier try.
    private mutating func recordLookingUp(_ batch: RecordingBatch, after failure: (any Error)? = nil) async -> Bool {
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
                let written = try await write(batch.requests)
                if !written.events.isEmpty { FaultPoint.hit(.afterCommit) }
                batch.answer(written.outcomes, over: connection)
                await announce(written)
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
    private func refuse(_ batch: RecordingBatch, but answers: [AppendOutcome?]) {
        let refused = answers.count { $0 == nil }
        logger.error("the log's disk is full; nothing is recorded", metadata: ["requests": "\(refused)"])
        Counter(label: "coworkflow_appends_without_room_total").increment(by: refused)
        batch.answer(answers, over: connection)
    }

    private mutating func write(_ requests: [AppendRequest]) async throws -> LogWriter.Written {
        var writer = if let held = writer.take() { held } else { try await LogWriter.takeOver(database, logger: logger) }
        do {
            let written = try await writer.writeLookingUp(requests, clock: clock)
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

    private func announce(_ written: LogWriter.Written) async {
        await FaultPoint.hit(.afterReply, sentOver: connection)
        if !written.events.isEmpty { announcer.announce(written) }
    }
}

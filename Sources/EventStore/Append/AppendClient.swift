package import AMQP
import FoundationEssentials
package import Logging
import Metrics
import ServiceLifecycle
import Synchronization

/// Why an append has no outcome.
package enum AppendError: Error, Sendable, Equatable {
    /// Nothing was recorded: no broker, or it takes no more, or the log has no room. Come back in a moment.
    case unavailable
    /// No answer before the deadline. The command may have been recorded or may not; the same command id finds out.
    case outcomeUnknown
}

/// Sends append requests to the recorder and waits for the outcome.
///
/// One message is on its way at a time, and requests that come meanwhile travel together in the next one: what a message costs is shared
/// by all that are in it. A request whose answer got lost is sent again, which the command id makes harmless, until its deadline.
package final class AppendClient: Service {
    private struct Pending: Sendable {
        let request: AppendRequest
        let size: Int
        let answer: Answer
        /// Whether an earlier try may have reached the recorder.
        var mayHaveArrived = false

        /// Tells the caller that there is no outcome.
        func giveUp() {
            answer.give(.failure(mayHaveArrived ? .outcomeUnknown : .unavailable))
        }
    }

    /// What a caller waits for: the first that is given holds.
    private final class Answer: Sendable {
        private let waiting = Mutex<CheckedContinuation<Result<AppendOutcome, AppendError>, Never>?>(nil)

        func expect(_ continuation: CheckedContinuation<Result<AppendOutcome, AppendError>, Never>) {
            waiting.withLock { $0 = continuation }
        }

        func give(_ result: Result<AppendOutcome, AppendError>) {
            waiting.withLock { $0.take() }?.resume(returning: result)
        }
    }

    private static let maximumRequestsPerMessage = 128
    /// What requests that travel together may come to, so that those in a recorder's hand stay some tens of megabytes.
    static let maximumBytesTogether = 1_000_000
    /// A request alone may be as large as this, so that no message comes near the broker's limit, and no recorder's batch takes long.
    static let maximumBytesPerMessage = 4_000_000
    private static let maximumWaiting = 2000
    private static let maximumBytesWaiting = 32_000_000
    /// How much longer who is cancelled waits: a recorder that is there answers sooner, and one that has ended before its clients must
    /// not hold them up.
    private static let lastPatience = Duration.seconds(3)

    private let requester: AMQPRequester
    private let connection: AMQPConnection
    private let clock: @Sendable () -> Int64
    private let logger: Logger
    private let inbox = WaitingLine<Pending>(
        capacity: AppendClient.maximumWaiting,
        maximumWeight: AppendClient.maximumBytesWaiting,
        weight: \.size
    )

    /// - Parameters:
    ///   - connection: kept running by the caller, declared with `broker.topology`.
    ///   - clock: microseconds since the Unix epoch, the clock that deadlines are told by.
    package init(
        connection: AMQPConnection,
        broker: BrokerTopology,
        clock: @escaping @Sendable () -> Int64,
        logger: Logger
    ) {
        self.connection = connection
        requester = AMQPRequester(connection: connection, exchange: "", routingKey: broker.appendQueue)
        self.clock = clock
        self.logger = logger
    }

    /// Carries requests until the task is cancelled or the service group shuts down.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await self.carry()
        }
        for pending in inbox.close() { pending.giveUp() }
    }

    /// Appends, and waits for the recorder's word, about two seconds past the request's deadline at most.
    ///
    /// Who is cancelled still waits for three seconds, because what was sent may be recorded.
    /// - Throws: `.unavailable` at once where there is no broker or it takes no more, or when too many requests wait already.
    package func append(_ request: AppendRequest) async throws(AppendError) -> AppendOutcome {
        guard connection.isConnected, !connection.isBlocked else { throw .unavailable }
        let size = AppendWire.size(of: request)
        guard size <= Self.maximumBytesPerMessage else { return .malformed }
        let answer = Answer()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer.expect(continuation)
                if !inbox.put(Pending(request: request, size: size, answer: answer)) { answer.give(.failure(.unavailable)) }
            }
        } onCancel: {
            // Nothing is lost with it: the caller waits for whichever comes first.
            Task {
                try? await Task.sleep(for: Self.lastPatience)
                answer.give(.failure(.outcomeUnknown))
            }
        }
        return try result.get()
    }

    private func carry() async {
        var backoff = Backoff(first: .milliseconds(20), longest: .milliseconds(500))
        while let batch = await inbox.take(atMost: Self.maximumRequestsPerMessage, weighing: Self.maximumBytesTogether) {
            // Where nobody answers, those further back in the line would wait for every message before theirs.
            let now = clock()
            for pending in inbox.remove(where: { $0.request.deadline <= now }) { pending.giveUp() }
            let again = await send(batch)
            if again.isEmpty {
                backoff = Backoff(first: .milliseconds(20), longest: .milliseconds(500))
                // Those who were just answered may have more to ask, and then go along.
                await Task.yield()
            } else {
                try? await Task.sleep(for: backoff.next())
                for pending in again where !inbox.put(pending, force: true) { pending.giveUp() }
            }
        }
    }

    /// - Returns: the requests to try again.
    private func send(_ batch: [Pending]) async -> [Pending] {
        let now = clock()
        let (live, late) = (batch.filter { $0.request.deadline > now }, batch.filter { $0.request.deadline <= now })
        for pending in late { pending.giveUp() }
        guard let longest = live.map(\.request.deadline).max() else { return [] }
        let patience = Duration.microseconds(min(longest - now, 2_000_000))
        do {
            let reply = try await requester.request(AppendWire.encode(live.map(\.request)), timeout: patience)
            let outcomes = try AppendWire.decodeOutcomes(reply.body)
            guard outcomes.count == live.count else { throw ByteReader.Malformed() }
            for (pending, outcome) in zip(live, outcomes) {
                if let outcome { pending.answer.give(.success(outcome)) } else { pending.giveUp() }
            }
            return []
        } catch let error as AMQPError where !error.outcomeIsUnknown {
            // Those that an earlier try may have brought there are worth asking for again: the answer tells what became of them.
            let again = error == .closed ? [] : live.filter(\.mayHaveArrived)
            for pending in live where error == .closed || !pending.mayHaveArrived { pending.giveUp() }
            return again
        } catch {
            logger.warning("no answer from the recorder; asking again", metadata: ["error": "\(error)", "requests": "\(live.count)"])
            return live.map { pending in
                var pending = pending
                pending.mayHaveArrived = true
                return pending
            }
        }
    }
}

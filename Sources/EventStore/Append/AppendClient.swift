package import AMQP
import FoundationEssentials
package import Logging
import Metrics
import ServiceLifecycle

/// Why an append has no outcome.
package enum AppendError: Error, Sendable, Equatable {
    /// Nothing was recorded: no broker, or it takes no more. Come back in a moment.
    case unavailable
    /// No answer before the deadline. The command may have been recorded or may not; the same command id finds out.
    case outcomeUnknown
}

/// Sends append requests to the recorder and waits for the outcome.
///
/// Requests that come while a message is on its way travel together in the next one. A request whose answer got lost is
/// sent again, which the command id makes harmless, until its deadline.
package final class AppendClient: Service {
    private struct Pending: Sendable {
        let request: AppendRequest
        let answer: CheckedContinuation<Result<AppendOutcome, AppendError>, Never>
        /// Whether an earlier try may have reached the recorder.
        var mayHaveArrived = false
    }

    /// Messages on their way at once. Two keep the recorder busy while one answer travels back; more would only make
    /// smaller batches.
    private static let lanes = 2
    private static let maximumRequestsPerMessage = 128
    private static let maximumWaiting = 2000

    private let requester: AMQPRequester
    private let connection: AMQPConnection
    private let clock: @Sendable () -> Int64
    private let logger: Logger
    private let inbox = WaitingLine<Pending>(capacity: AppendClient.maximumWaiting)

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
            await withTaskGroup { group in
                for _ in 0..<Self.lanes {
                    group.addTask { await self.carry() }
                }
            }
        }
        for pending in inbox.close() {
            pending.answer.resume(returning: .failure(.unavailable))
        }
    }

    /// Appends, and waits for the recorder's word.
    package func append(_ request: AppendRequest) async throws(AppendError) -> AppendOutcome {
        let result = await withCheckedContinuation { answer in
            if !inbox.put(Pending(request: request, answer: answer)) {
                answer.resume(returning: .failure(.unavailable))
            }
        }
        return try result.get()
    }

    private func carry() async {
        var backoff = Backoff(first: .milliseconds(20), longest: .milliseconds(500))
        while let batch = await inbox.take(atMost: Self.maximumRequestsPerMessage) {
            let again = await send(batch)
            if again.isEmpty {
                backoff = Backoff(first: .milliseconds(20), longest: .milliseconds(500))
            } else {
                try? await Task.sleep(for: backoff.next())
                for pending in again where !inbox.put(pending, force: true) {
                    pending.answer.resume(returning: .failure(pending.mayHaveArrived ? .outcomeUnknown : .unavailable))
                }
            }
        }
    }

    /// - Returns: the requests to try again.
    private func send(_ batch: [Pending]) async -> [Pending] {
        let now = clock()
        let (live, late) = (batch.filter { $0.request.deadline > now }, batch.filter { $0.request.deadline <= now })
        for pending in late {
            pending.answer.resume(returning: .failure(pending.mayHaveArrived ? .outcomeUnknown : .unavailable))
        }
        guard let longest = live.map(\.request.deadline).max() else { return [] }
        let patience = Duration.microseconds(min(longest - now, 2_000_000))
        do {
            let reply = try await requester.request(AppendWire.encode(live.map(\.request)), timeout: patience)
            let outcomes = try AppendWire.decodeOutcomes(reply.body)
            guard outcomes.count == live.count else { throw ByteReader.Malformed() }
            for (pending, outcome) in zip(live, outcomes) {
                pending.answer.resume(returning: .success(Self.interpreted(outcome, of: pending)))
            }
            return []
        } catch let error as AMQPError where !error.outcomeIsUnknown {
            for pending in live {
                pending.answer.resume(returning: .failure(pending.mayHaveArrived ? .outcomeUnknown : .unavailable))
            }
            return []
        } catch {
            logger.warning("no answer from the recorder; asking again", metadata: ["error": "\(error)", "requests": "\(live.count)"])
            return live.map { pending in
                var pending = pending
                pending.mayHaveArrived = true
                return pending
            }
        }
    }

    /// A repeat that is only our own second try is the acceptance whose word got lost.
    private static func interpreted(_ outcome: AppendOutcome, of pending: Pending) -> AppendOutcome {
        if case .repeated(let first, let last, true) = outcome, pending.mayHaveArrived {
            return .accepted(first: first, last: last)
        }
        return outcome
    }
}

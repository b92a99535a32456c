import Synchronization

/// One answer, waited for by one task and given by whoever comes first: the broker, the clock, cancellation or the end.
final class Waiter<Value: Sendable>: Sendable {
    typealias Answer = Result<Value, AMQPError>

    private enum State {
        case open
        case waiting(CheckedContinuation<Answer, Never>)
        case answered(Answer)
        /// The answer has been taken and is not kept: a deadline may hold on to the waiter long after.
        case done
    }

    private let state = Mutex(State.open)

    var isAnswered: Bool {
        state.withLock { state in
            switch state {
            case .open, .waiting: false
            case .answered, .done: true
            }
        }
    }

    func answer(_ answer: Answer) {
        let continuation = state.withLock { state -> CheckedContinuation<Answer, Never>? in
            switch state {
            case .answered, .done: return nil
            case .open:
                state = .answered(answer)
                return nil
            case .waiting(let continuation):
                state = .done
                return continuation
            }
        }
        continuation?.resume(returning: answer)
    }

    func fail(_ error: AMQPError) {
        answer(.failure(error))
    }

    /// To be called once.
    func value() async throws(AMQPError) -> Value {
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Answer, Never>) in
                let known = state.withLock { state -> Answer? in
                    guard case .answered(let answer) = state else {
                        state = .waiting(continuation)
                        return nil
                    }
                    state = .done
                    return answer
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            fail(.cancelled)
        }
        return try answer.get()
    }
}

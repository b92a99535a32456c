import Synchronization

/// One answer, waited for by one task and given by whoever comes first: the broker, the clock, cancellation or the end.
final class Waiter<Value: Sendable>: Sendable {
    typealias Answer = Result<Value, AMQPError>

    private enum State {
        case open
        case waiting(CheckedContinuation<Answer, Never>)
        case answered(Answer)
    }

    private let state = Mutex(State.open)

    var isAnswered: Bool {
        state.withLock { state in
            if case .answered = state { true } else { false }
        }
    }

    func answer(_ answer: Answer) {
        let continuation = state.withLock { state -> CheckedContinuation<Answer, Never>? in
            switch state {
            case .answered: return nil
            case .open:
                state = .answered(answer)
                return nil
            case .waiting(let continuation):
                state = .answered(answer)
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
                    if case .answered(let answer) = state { return answer }
                    state = .waiting(continuation)
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            fail(.cancelled)
        }
        return try answer.get()
    }
}

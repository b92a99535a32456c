import Synchronization

/// A bounded line that several takers share; each takes as much as waits, up to a limit.
final class WaitingLine<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [Element] = []
        var takers: [CheckedContinuation<Void, Never>] = []
        var closed = false
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// - Parameter force: past the bound, for an element that had its place before.
    /// - Returns: false where the line is full or closed.
    func put(_ element: Element, force: Bool = false) -> Bool {
        let (accepted, taker) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            guard !state.closed, force || state.waiting.count < capacity else { return (false, nil) }
            state.waiting.append(element)
            return (true, state.takers.popLast())
        }
        taker?.resume()
        return accepted
    }

    /// What waits, at once or as soon as there is anything; nil when the line is closed or the task cancelled.
    func take(atMost limit: Int) async -> [Element]? {
        while !Task.isCancelled {
            let taken = state.withLock { state -> [Element]? in
                if state.closed { return nil }
                let taken = Array(state.waiting.prefix(limit))
                state.waiting.removeFirst(taken.count)
                return taken
            }
            guard let taken else { return nil }
            if !taken.isEmpty { return taken }
            await waitForElement()
        }
        return nil
    }

    /// - Returns: what was left waiting.
    func close() -> [Element] {
        let (left, takers) = state.withLock { state in
            defer { (state.waiting, state.takers, state.closed) = ([], [], true) }
            return (state.waiting, state.takers)
        }
        for taker in takers { taker.resume() }
        return left
    }

    private func waitForElement() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { taker in
                let resumeNow = state.withLock { state -> Bool in
                    if state.closed || !state.waiting.isEmpty || Task.isCancelled { return true }
                    state.takers.append(taker)
                    return false
                }
                if resumeNow { taker.resume() }
            }
        } onCancel: {
            // Every taker looks again for itself: those that were not cancelled go back to waiting.
            let takers = state.withLock { state in
                defer { state.takers = [] }
                return state.takers
            }
            for taker in takers { taker.resume() }
        }
    }
}

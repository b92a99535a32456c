import Synchronization

/// A line, bounded in elements and in their weight, that several takers share; each takes as much as waits, up to a limit.
final class WaitingLine<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [Element] = []
        var weight = 0
        var takers: [CheckedContinuation<Void, Never>] = []
        var closed = false

        mutating func takeTakers() -> [CheckedContinuation<Void, Never>] {
            defer { takers = [] }
            return takers
        }
    }

    private let capacity: Int
    private let maximumWeight: Int
    private let weight: @Sendable (Element) -> Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - capacity: elements that may wait.
    ///   - maximumWeight: what they may weigh together; an element that is alone in the line may weigh anything.
    init(capacity: Int, maximumWeight: Int = .max, weight: @escaping @Sendable (Element) -> Int = { _ in 1 }) {
        self.capacity = capacity
        self.maximumWeight = maximumWeight
        self.weight = weight
    }

    /// - Parameter force: past the bounds, for an element that had its place before.
    /// - Returns: false where the line is full or closed.
    func put(_ element: Element, force: Bool = false) -> Bool {
        let load = weight(element)
        let (accepted, taker) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            let fits = state.waiting.isEmpty || (state.waiting.count < capacity && load <= maximumWeight - state.weight)
            guard !state.closed, force || fits else { return (false, nil) }
            state.waiting.append(element)
            state.weight += load
            return (true, state.takers.popLast())
        }
        taker?.resume()
        return accepted
    }

    /// What waits, at once or as soon as there is anything; nil when the line is closed or the task cancelled.
    ///
    /// - Parameter weighing: what the elements may weigh together; the first may weigh anything.
    func take(atMost limit: Int, weighing maximum: Int = .max) async -> [Element]? {
        while !Task.isCancelled {
            let taken = state.withLock { state -> [Element]? in
                state.closed ? nil : take(from: &state, limit, maximum)
            }
            guard let taken else { return nil }
            if !taken.isEmpty { return taken }
            await waitForElement()
        }
        // The wake-up that this taker leaves with may have been meant for an element that still waits.
        wakeAll()
        return nil
    }

    private func take(from state: inout State, _ limit: Int, _ maximum: Int) -> [Element] {
        var count = 0
        var load = 0
        for element in state.waiting.prefix(limit) {
            let more = weight(element)
            guard count == 0 || more <= maximum - load else { break }
            load += more
            count += 1
        }
        defer {
            state.waiting.removeFirst(count)
            state.weight -= load
        }
        return Array(state.waiting.prefix(count))
    }

    /// - Returns: what was left waiting.
    func close() -> [Element] {
        let left = state.withLock { state in
            defer { (state.waiting, state.weight, state.closed) = ([], 0, true) }
            return state.waiting
        }
        wakeAll()
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
            wakeAll()
        }
    }

    private func wakeAll() {
        for taker in state.withLock({ $0.takeTakers() }) { taker.resume() }
    }
}

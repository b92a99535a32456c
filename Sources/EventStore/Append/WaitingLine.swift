import Synchronization

/// A line, bounded in elements and in their weight, whose one taker takes as much as waits, up to a limit.
final class WaitingLine<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [Element] = []
        var weight = 0
        var taker: CheckedContinuation<Void, Never>?
        var closed = false
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
            return (true, state.taker.take())
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

    /// Takes out of the line, wherever they stand in it, the elements that meet a condition.
    func remove(where condition: (Element) -> Bool) -> [Element] {
        state.withLock { state in
            let removed = state.waiting.filter(condition)
            if !removed.isEmpty {
                state.waiting.removeAll(where: condition)
                state.weight -= removed.reduce(0) { $0 + weight($1) }
            }
            return removed
        }
    }

    /// - Returns: what was left waiting.
    func close() -> [Element] {
        let left = state.withLock { state in
            defer { (state.waiting, state.weight, state.closed) = ([], 0, true) }
            return state.waiting
        }
        wake()
        return left
    }

    private func waitForElement() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { taker in
                let resumeNow = state.withLock { state -> Bool in
                    if state.closed || !state.waiting.isEmpty || Task.isCancelled { return true }
                    state.taker = taker
                    return false
                }
                if resumeNow { taker.resume() }
            }
        } onCancel: {
            wake()
        }
    }

    private func wake() {
        state.withLock { $0.taker.take() }?.resume()
    }
}

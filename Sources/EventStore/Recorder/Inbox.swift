import Synchronization

/// A mailbox whose reader takes everything that waits in one go: how batches form without anyone waiting for them.
///
/// One reader. It holds no bound of its own: the writers' side must have one (a prefetch, a pool of callers).
final class Inbox<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [Element] = []
        var finished = false
    }

    private let state = Mutex(State())
    private let signal: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    init() {
        (signal, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func put(_ element: Element) {
        state.withLock { $0.waiting.append(element) }
        bell.yield()
    }

    /// What waits already is still handed out; after that `takeAll` returns nil.
    func finish() {
        state.withLock { $0.finished = true }
        bell.finish()
    }

    /// Everything that waits, as soon as there is anything. Nil once finished and empty, or when the task is cancelled.
    func takeAll() async -> [Element]? {
        while true {
            let (taken, finished) = state.withLock { state in
                defer { state.waiting = [] }
                return (state.waiting, state.finished)
            }
            if !taken.isEmpty { return taken }
            if finished { return nil }
            var ring = signal.makeAsyncIterator()
            guard await ring.next() != nil else {
                if Task.isCancelled { return nil }
                continue
            }
        }
    }
}

import Synchronization

/// Counts across tasks.
final class Counter: Sendable {
    private let counted = Mutex(0)

    var value: Int { counted.withLock { $0 } }

    func count() {
        counted.withLock { $0 += 1 }
    }
}

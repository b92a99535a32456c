import Synchronization

@testable import coworkflow

/// Goes like the system's clock, from wherever it is set.
final class TestClock: Sendable {
    private let offset: Mutex<Int64>

    /// - Parameter start: microseconds since the Unix epoch; nil for the system's time.
    init(start: Int64?) {
        offset = Mutex(start.map { $0 - systemMicroseconds() } ?? 0)
    }

    /// Microseconds since the Unix epoch.
    var now: Int64 { systemMicroseconds() + offset.withLock { $0 } }

    func jump(to time: Int64) {
        offset.withLock { $0 = time - systemMicroseconds() }
    }
}

import Crabbitmq
import Glibc

/// An eventfd by which any thread wakes the connection's thread from its poll.
final class WakeUp: Sendable {
    let descriptor: Int32

    init() throws(AMQPError) {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard descriptor >= 0 else { throw .invalidConfiguration("no file descriptor is left for the connection's thread") }
    }

    deinit {
        close(descriptor)
    }

    func signal() {
        var one: UInt64 = 1
        _ = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    func clear() {
        var count: UInt64 = 0
        _ = unsafe read(descriptor, &count, MemoryLayout<UInt64>.size)
    }

    /// Waits until signalled, until `socket` (if not negative) can be read (or written, if `forWriting`), or for `timeout`.
    /// - Returns: Whether the socket can be read, or has failed.
    @discardableResult
    func wait(socket: Int32 = -1, forWriting: Bool = false, timeout: Duration) -> Bool {
        let events = Int16(POLLIN) | (forWriting ? Int16(POLLOUT) : 0)
        // poll ignores negative descriptors.
        var descriptors = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: socket, events: events, revents: 0)]
        let (seconds, attoseconds) = max(timeout, .zero).components
        // Rounded up, so that what is due in half a millisecond does not make the thread spin.
        let milliseconds = seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        _ = unsafe poll(&descriptors, 2, Int32(clamping: milliseconds))
        if descriptors[0].revents != 0 { clear() }
        return descriptors[1].revents & ~Int16(POLLOUT) != 0
    }
}

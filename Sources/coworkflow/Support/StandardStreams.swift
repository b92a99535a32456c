import Glibc
import Synchronization

/// Whole lines to standard output, at once: what reads them may be a pipe.
enum StandardOutput {
    private static let lock = Mutex(())

    static func write(_ line: String) {
        lock.withLock { _ in Descriptor.write(line + "\n", to: STDOUT_FILENO) }
    }
}

/// Whole lines to standard error.
enum StandardError {
    static func write(_ line: String, terminator: String = "\n") {
        Descriptor.write(line + terminator, to: STDERR_FILENO)
    }
}

private enum Descriptor {
    static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            // Nobody reads any more, or the disk behind it is full: there is nowhere left to say so.
            guard written > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(0, written))
        }
    }
}

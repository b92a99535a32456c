import FoundationEssentials
import Glibc
import Synchronization

/// Tells whoever waits how far something is, on standard error: in one line that is written over where that is a terminal,
/// otherwise in a line every few seconds.
final class ProgressLine: Sendable {
    private struct State {
        var told: ContinuousClock.Instant?
        var length = 0
    }

    private let what: String
    private let start: Int64
    private let started = ContinuousClock.now
    private let isTerminal: Bool
    private let write: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - what: what goes on, for the beginning of the line.
    ///   - start: how many events were done before.
    init(
        _ what: String,
        from start: Int64 = 0,
        isTerminal: Bool = isatty(STDERR_FILENO) == 1,
        write: @escaping @Sendable (String) -> Void = { StandardError.write($0, terminator: "") }
    ) {
        self.what = what
        self.start = start
        self.isTerminal = isTerminal
        self.write = write
    }

    /// Says that `done` of `total` events are done, unless it said something a moment ago.
    func report(_ done: Int64, of total: Int64, now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            let pause: Duration = isTerminal ? .milliseconds(200) : .seconds(5)
            guard now - (state.told ?? (isTerminal ? started - pause : started)) >= pause else { return }
            state.told = now
            var line = Self.line(what, from: start, done, of: total, after: now - started)
            guard isTerminal else { return write(line + "\n") }
            line = Self.bar(done, of: total) + line
            write("\r" + line + String(repeating: " ", count: max(0, state.length - line.count)))
            state.length = line.count
        }
    }

    /// Leaves a clean line to whatever is written next.
    func finish() {
        state.withLock { state in
            guard state.length > 0 else { return }
            write("\r" + String(repeating: " ", count: state.length) + "\r")
            state.length = 0
        }
    }

    /// How much is done, as a picture.
    static func bar(_ done: Int64, of total: Int64) -> String {
        let width = 20
        let full = total > 0 ? min(width, Int(Double(done) / Double(total) * Double(width))) : width
        return "[" + String(repeating: "#", count: full) + String(repeating: "-", count: width - full) + "] "
    }

    static func line(_ what: String, from start: Int64 = 0, _ done: Int64, of total: Int64, after elapsed: Duration) -> String {
        let seconds = max(elapsed / .seconds(1), 0.001)
        let rate = Double(done - start) / seconds
        let percent = total > 0 ? Int(Double(done) / Double(total) * 100) : 100
        var line = "\(what): \(done.grouped) of \(total.grouped) events (\(percent) %), \(Int64(rate).grouped) events/s"
        if rate > 0, done < total { line += ", \(duration(Double(total - done) / rate)) left" }
        return line
    }

    private static func duration(_ seconds: Double) -> String {
        let seconds = Int64(min(seconds.rounded(.up), 1e12))
        if seconds < 60 { return "\(seconds) s" }
        if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
        return "\(seconds / 3600) h \(seconds % 3600 / 60) min"
    }
}

extension BinaryInteger {
    /// `1,234,567`.
    var grouped: String {
        var grouped = ""
        let digits = String(magnitude)
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { grouped.append(",") }
            grouped.append(digit)
        }
        return (self < 0 ? "-" : "") + grouped
    }
}

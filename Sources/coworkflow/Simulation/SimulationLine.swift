import Glibc
import Synchronization

/// Tells on standard error how far a simulation is: in one line that is written over where that is a terminal, otherwise in a line every few
/// seconds.
final class SimulationLine: Sendable {
    private struct State {
        var told: ContinuousClock.Instant?
        var length = 0
    }

    private let what: String
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let state = Mutex(State())

    /// - Parameter what: what goes on, for the beginning of the line.
    init(_ what: String) {
        self.what = what
    }

    func report(_ progress: SimulationProgress) {
        state.withLock { state in
            let pause: Duration = isTerminal ? .milliseconds(200) : .seconds(5)
            if let told = state.told, ContinuousClock.now - told < pause { return }
            state.told = .now
            let line = "\(what): \(Self.text(progress))"
            guard isTerminal else { return StandardError.write(line) }
            StandardError.write("\r" + line + String(repeating: " ", count: max(0, state.length - line.count)), terminator: "")
            state.length = line.count
        }
    }

    /// Leaves a clean line to whatever is written next.
    func finish() {
        state.withLock { state in
            guard state.length > 0 else { return }
            StandardError.write("\r" + String(repeating: " ", count: state.length) + "\r", terminator: "")
            state.length = 0
        }
    }

    static func text(_ progress: SimulationProgress) -> String {
        let seconds = max(progress.elapsed / .seconds(1), 0.001)
        let rate = (Double(progress.bookings) / seconds * 10).rounded() / 10
        var text = "day \(progress.day) of \(progress.days), \(progress.bookings.grouped) bookings, \(rate) bookings/s"
        if progress.day > 0, progress.day < progress.days {
            let left = Int(seconds / Double(progress.day) * Double(progress.days - progress.day))
            text += left < 60 ? ", \(left) s left" : ", \(left / 60) min \(left % 60) s left"
        }
        return text
    }
}

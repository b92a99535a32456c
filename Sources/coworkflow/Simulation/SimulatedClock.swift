import Domain
import Synchronization

/// The clock of a simulation. It stands still until it is set, and then wakes everything that waits for a time to come.
final class SimulatedClock: Sendable {
    private struct State {
        var now: Int64
        var sleepers: [@Sendable () -> Void] = []
    }

    private let state: Mutex<State>

    init(at time: Instante) {
        state = Mutex(State(now: time.microssegundos))
    }

    /// Microseconds since the Unix epoch.
    var now: Int64 { state.withLock { $0.now } }

    var time: Instante { Instante(microssegundos: now) }

    func wakes(_ sleeper: @escaping @Sendable () -> Void) {
        state.withLock { $0.sleepers.append(sleeper) }
    }

    /// Sets it to a later time; it never goes back.
    func advance(to time: Instante) {
        let sleepers = state.withLock { state in
            state.now = max(state.now, time.microssegundos)
            return state.sleepers
        }
        for wake in sleepers { wake() }
    }
}

import Domain
import Synchronization

/// The clock of a simulation. It stands still until it is set, and then wakes whoever gives the commands that are due.
final class SimulatedClock: Sendable {
    private struct Sleeper {
        let kinds: Set<String>
        let wake: @Sendable () -> Void
    }

    private struct State {
        var now: Int64
        var sleepers: [Sleeper] = []
    }

    private let state: Mutex<State>

    init(at time: Instante) {
        state = Mutex(State(now: time.microssegundos))
    }

    /// Microseconds since the Unix epoch.
    var now: Int64 { state.withLock { $0.now } }

    var time: Instante { Instante(microssegundos: now) }

    /// - Parameter kinds: of the commands that the sleeper gives.
    func wakes(_ kinds: Set<String>, _ sleeper: @escaping @Sendable () -> Void) {
        state.withLock { $0.sleepers.append(Sleeper(kinds: kinds, wake: sleeper)) }
    }

    /// Sets it to a later time; it never goes back.
    ///
    /// - Parameter kinds: of the commands that are due then; nil for any.
    func advance(to time: Instante, for kinds: Set<String>? = nil) {
        let sleepers = state.withLock { state in
            state.now = max(state.now, time.microssegundos)
            return state.sleepers
        }
        for sleeper in sleepers where kinds.map({ !$0.isDisjoint(with: sleeper.kinds) }) ?? true { sleeper.wake() }
    }
}

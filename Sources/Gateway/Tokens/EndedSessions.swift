import Domain
import HTTP
import Logging
import Projections
import ServiceLifecycle
import Synchronization

/// The sessions that ended while access tokens of theirs may still hold: those of who signed out,
/// changed their password elsewhere, was blocked or erased.
///
/// Looked up in the read model every second. What ends through this gateway ends here at once.
final class EndedSessions: Service {
    private enum Ended: Hashable {
        case session(SessaoID)
        case account(UsuarioID)
    }

    private struct State {
        var known: Set<SessaoID> = []
        /// Until when what ended here is remembered for itself: by then the read model has it.
        var here: [Ended: Int64] = [:]
    }

    private static let pause = Duration.seconds(1)
    /// In microseconds.
    private static let memory: Int64 = 60_000_000

    private let contas: ContasQueries
    /// Of access tokens, in microseconds: what ended longer ago has none left.
    private let lifetime: Int64
    private let clock: @Sendable () -> Int64
    private let logger: Logger
    private let state = Mutex(State())

    /// - Parameters:
    ///   - lifetime: of access tokens, in seconds.
    ///   - clock: microseconds since the Unix epoch.
    init(contas: ContasQueries, lifetime: Int64, clock: @escaping @Sendable () -> Int64, logger: Logger) {
        self.contas = contas
        self.lifetime = lifetime * 1_000_000
        self.clock = clock
        self.logger = logger
    }

    func contains(_ identity: Identity) -> Bool {
        state.withLock { state in
            state.known.contains(identity.session) || state.here[.session(identity.session)] != nil
                || state.here[.account(identity.user)] != nil
        }
    }

    func end(_ session: SessaoID) {
        remember(.session(session))
    }

    /// Ends all sessions of an account, which opens no more unless it is admitted again.
    func endAll(of user: UsuarioID) {
        remember(.account(user))
    }

    /// The account opens sessions again. Those that ended stay so: the read model has them.
    func admit(_ user: UsuarioID) {
        state.withLock { $0.here[.account(user)] = nil }
    }

    private func remember(_ ended: Ended) {
        let until = clock() + Self.memory
        state.withLock { $0.here[ended] = until }
    }

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var isFailing = false
            while true {
                do {
                    try await self.look()
                    isFailing = false
                } catch is CancellationError {
                    return
                } catch {
                    if !isFailing { self.logger.warning("ended sessions cannot be looked up", metadata: ["error": "\(error)"]) }
                    isFailing = true
                }
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    /// Learns what has ended.
    func look() async throws {
        let now = clock()
        // Clocks differ a little between machines.
        let sessions = Set(try await contas.endedSessions(since: Instante(microssegundos: now - lifetime - Self.memory)))
        state.withLock { state in
            state.known = sessions
            state.here = state.here.filter { $0.value > now }
        }
    }
}

import Domain
import FoundationEssentials
import HTTP
import HTTPTypes
import Hummingbird
import Logging
import ServiceLifecycle
import Synchronization

/// Programs of others that want to be told of what happens: one that fails now and then, and one that is given up one day.
final class SimulatedReceiver: Sendable {
    enum Door: String, Sendable, CaseIterable {
        /// Away for forty minutes of some days, and forgets one call of many.
        case moody
        /// Answers until it is left alone, and then never again.
        case forsaken
    }

    /// What each wants to be told of.
    static let doors: [(Door, [String])] = [
        (.moody, ["reservas.ReservaCancelada", "pagamentos.PagamentoEstornado", "usuarios.UsuarioApagado"]),
        (.forsaken, ["reservas.ReservaCancelada", "precos.AssinaturaIniciada"]),
    ]

    /// What one was told.
    struct Told: Sendable {
        /// Its id at ours.
        fileprivate(set) var webhook = ""
        /// By the id of the event: how often it was taken.
        fileprivate(set) var taken: [String: Int] = [:]
        fileprivate(set) var turnedAway: Set<String> = []
        /// Since the last that was taken.
        fileprivate(set) var failures = 0
        fileprivate(set) var failingSince: Instante?
        fileprivate(set) var lastFailure: Instante?
    }

    private static let outage = Duracao.minutos(40)
    private static let forgets = 17

    private let clock: SimulatedClock
    /// From when on nobody looks after the one that is given up.
    let leaves: Instante
    private let port = Mutex(0)
    private let told = Mutex<[Door: Told]>([:])

    init(clock: SimulatedClock, leaves: Instante) {
        self.clock = clock
        self.leaves = leaves
    }

    func url(_ door: Door) -> String { "http://127.0.0.1:\(port.withLock { $0 })/\(door.rawValue)" }

    /// What a door was told.
    func told(_ door: Door) -> Told { told.withLock { $0[door] ?? Told() } }

    func register(_ door: Door, as webhook: String) {
        told.withLock { $0[door, default: Told()].webhook = webhook }
    }

    /// Listens on a free port of the loopback address.
    ///
    /// - Parameter ready: called once it does.
    func server(_ logger: Logger, ready: @escaping @Sendable () -> Void) -> any Service {
        let router = Router(context: CoworkRequestContext.self)
        for door in Door.allCases {
            router.post("\(door.rawValue)") { [self] request, _ in
                let id = HTTPField.Name("webhook-id").flatMap { request.headers[$0] } ?? ""
                return Response(status: take(id, at: door) ? .noContent : .serviceUnavailable)
            }
        }
        return ServiceRouter.application(router, host: "127.0.0.1", port: 0, name: "receiver", logger: logger) { [self] port in
            self.port.withLock { $0 = port }
            ready()
        }
    }

    private func take(_ id: String, at door: Door) -> Bool {
        let now = clock.time
        return told.withLock { told in
            var state = told[door] ?? Told()
            defer { told[door] = state }
            guard isThere(door, id, now, state) else {
                state.turnedAway.insert(id)
                state.failures += 1
                state.failingSince = state.failingSince ?? now
                state.lastFailure = now
                return false
            }
            state.taken[id, default: 0] += 1
            state.failures = 0
            state.failingSince = nil
            return true
        }
    }

    private func isThere(_ door: Door, _ id: String, _ now: Instante, _ state: Told) -> Bool {
        switch door {
        case .moody:
            let day = now.segundos / 86_400
            let time = Duracao.segundos(now.segundos % 86_400)
            let isAway = day.isMultiple(of: 3) && time >= .horas(14) && time < .horas(14) + Self.outage
            let forgets = (state.taken.count + state.turnedAway.count) % Self.forgets == Self.forgets - 1
            return !isAway && (!forgets || state.turnedAway.contains(id))
        case .forsaken: return now < leaves
        }
    }
}

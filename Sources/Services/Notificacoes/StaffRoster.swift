import Domain
import EventStore

/// Who ever had which role, as the log tells it. It only grows, and goes on where it was: whether somebody still has the role is read
/// from their account by whoever asks.
actor StaffRoster {
    /// What is known up to a position.
    private struct Known {
        var position = Position.start
        var highest: [UsuarioID: Papel] = [:]

        mutating func note(_ user: UsuarioID, _ role: Papel) {
            if highest[user].map({ $0 < role }) ?? (role > .membro) { highest[user] = role }
        }
    }

    private static let window: Int64 = 10_000

    private let reader: LogReader
    private var known = Known()

    init(reader: LogReader) {
        self.reader = reader
    }

    /// Everybody who had a role or a wider one at any time up to now, in a stable order.
    func everybody(atLeast role: Papel) async throws -> [UsuarioID] {
        let head = try await reader.head()
        // A copy, so that two who ask at once do not mix what they read; whoever is further is believed.
        var mine = known
        while mine.position < head {
            let end = Position(min(mine.position.rawValue + Self.window, head.rawValue))
            for event in try await reader.events(after: mine.position, through: end, types: Self.types) {
                switch try reader.decoded.event(event) {
                case .usuarios(.usuarioCadastrado(let registered)): mine.note(registered.usuario, registered.papel)
                case .usuarios(.papelAlterado(let changed)): mine.note(changed.usuario, changed.para)
                case .usuarios, .espacos, .precos, .reservas, .pagamentos, .checkin, .notificacoes, .analytics, .financeiro: break
                }
            }
            mine.position = end
            if mine.position > known.position { known = mine }
        }
        return mine.highest.filter { $0.value >= role }.keys.sorted { $0.texto < $1.texto }
    }

    private static let types: Set<String> = [UsuarioCadastrado.tipo, PapelAlterado.tipo]
}

import Domain
import EventStore

/// Who ever had which role, as the log tells it. It only grows, and goes on where it was: whether somebody still has the role is read
/// from their account by whoever asks.
actor StaffRoster {
    /// What is known up to a position.
    private struct Known {
        var position = Position.start
        var highest: [UsuarioID: Papel] = [:]

        mutating func note(_ event: EventoDoDominio) {
            switch event {
            case .usuarios(.usuarioCadastrado(let registered)): note(registered.usuario, registered.papel)
            case .usuarios(.papelAlterado(let changed)): note(changed.usuario, changed.para)
            case .usuarios, .espacos, .precos, .reservas, .pagamentos, .checkin, .notificacoes, .analytics, .financeiro: break
            }
        }

        private mutating func note(_ user: UsuarioID, _ role: Papel) {
            if highest[user].map({ $0 < role }) ?? (role > .membro) { highest[user] = role }
        }
    }

    private static let window: Int64 = 10_000
    /// How many accounts are read at once.
    private static let atOnce = 1_000

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
        if mine.position == .start {
            mine = try await accounts(through: head)
            if mine.position > known.position { known = mine }
        }
        while mine.position < head {
            let end = Position(min(mine.position.rawValue + Self.window, head.rawValue))
            let page = try await reader.events(after: mine.position, through: end, types: Self.types)
            for event in page.events { mine.note(try reader.decoded.event(event)) }
            mine.position = page.end
            if mine.position > known.position { known = mine }
        }
        return mine.highest.filter { $0.value >= role }.keys.sorted { $0.texto < $1.texto }
    }

    /// What the accounts themselves tell: they are few beside all that the log holds, so whoever begins does not read all of that.
    ///
    /// - Parameter head: of the log, read before.
    private func accounts(through head: Position) async throws -> Known {
        var known = Known(position: head)
        let names = try await reader.streams(beginningWith: NomeDeFluxo.inicioDeUsuario)
        for start in stride(from: 0, to: names.count, by: Self.atOnce) {
            let streams = try await reader.streams(Array(names[start..<min(start + Self.atOnce, names.count)]))
            for event in streams.values.joined() where Self.types.contains(event.type) {
                known.note(try reader.decoded.event(event))
            }
        }
        return known
    }

    private static let types: Set<String> = [UsuarioCadastrado.tipo, PapelAlterado.tipo]
}

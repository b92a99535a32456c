package import Domain
import FoundationEssentials

/// Loads streams for one decision and remembers at which version each was seen.
package actor StreamLoader {
    private let reader: LogReader
    private(set) var versions: [NomeDeFluxo: StreamVersion] = [:]
    /// In whose name the decision is, until their account was looked at.
    private var unchecked: Ator?

    /// - Parameter actor: in whose name the decision is. Their account is loaded along with whatever is loaded first, so it costs no
    ///   question of its own, and guards the decision.
    package init(reader: LogReader, actor: Ator? = nil) {
        self.reader = reader
        unchecked = actor
    }

    /// Makes sure that the actor's account was looked at, for a decision that loads nothing.
    ///
    /// - Throws: as every first load does: `RecusaDeUsuarios` for an actor who is erased or blocked, or has lost the role.
    package func requireActor() async throws {
        if unchecked != nil { _ = try await recorded([]) }
    }

    /// The events of each stream named, in order, all read at one instant; a stream that does not exist is empty.
    ///
    /// The decision holds only if none of these streams moves before it is recorded.
    package func load(_ names: [NomeDeFluxo]) async throws -> [NomeDeFluxo: [EventoDoDominio]] {
        try await recorded(names).mapValues { try $0.map(reader.decoded.event) }
    }

    /// All events of several streams in the order in which they were recorded, each with its id and stream.
    package func history(of names: [NomeDeFluxo]) async throws -> [Fato] {
        try await recorded(names).values.joined().sorted { $0.position < $1.position }.map { event in
            Fato(id: EventoID(bitsOf: event.id), fluxo: NomeDeFluxo(lido: event.stream), evento: try reader.decoded.event(event))
        }
    }

    private func recorded(_ names: [NomeDeFluxo]) async throws -> [NomeDeFluxo: [RecordedEvent]] {
        let actor = unchecked
        let account = actor.map { NomeDeFluxo.usuario($0.usuario) }
        let streams = try await reader.streams((names + [account].compactMap(\.self)).map(\.texto))
        var recorded: [NomeDeFluxo: [RecordedEvent]] = [:]
        for name in names {
            recorded[name] = saw(streams[name.texto] ?? [], of: name)
        }
        if let actor, let account {
            try Conta.dobrar(try saw(streams[account.texto] ?? [], of: account).map(reader.decoded.event)).exigir(actor)
            unchecked = nil
        }
        return recorded
    }

    /// A stream loaded twice keeps its first version: if it moved in between, the append must fail.
    private func saw(_ events: [RecordedEvent], of name: NomeDeFluxo) -> [RecordedEvent] {
        versions[name] = min(versions[name] ?? .init(.max), events.last?.version ?? .none)
        return events
    }

    /// The events of one stream, in order; empty where it does not exist.
    package func load(_ name: NomeDeFluxo) async throws -> [EventoDoDominio] {
        try await load([name])[name] ?? []
    }
}

extension StreamLoader {
    /// The agenda of a space on these UTC days.
    package func agendas(of space: EspacoID, on days: [DataCivil]) async throws -> Agendas {
        let names = days.map { NomeDeFluxo.agenda(space, $0) }
        let streams = try await load(names)
        return Agendas(
            Dictionary(uniqueKeysWithValues: zip(days, names).map { day, name in (day, Agenda.dobrar(streams[name] ?? [])) })
        )
    }
}

extension Identificador {
    fileprivate init(bitsOf id: UUID) {
        let bytes = id.bytes
        self.init(
            alto: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) },
            baixo: bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
        )
    }
}

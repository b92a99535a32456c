package import Domain
import FoundationEssentials
import Logging
import Metrics

/// Why a command has no result although no rule refused it.
package enum CommandError: Error, Sendable, Equatable {
    /// The command id was used before for something else.
    case keyReused
    /// Others kept changing what the decision rests on. Nothing was recorded.
    case contended
    /// Nothing was recorded: the log cannot be reached, or takes no more for now.
    case unavailable
    /// It may have been recorded or not; the same command id finds out.
    case outcomeUnknown
}

/// A decision that the log cannot hold: no event, a stream twice, a name or a size past the log's limits. A mistake in the
/// program; nothing was recorded.
package struct MalformedDecision: Error, Sendable, Equatable {
    package init() {}
}

/// What a command did.
package struct Execution: Sendable {
    /// The events recorded, in order; the first time's where the command is a repeat. Empty where there was nothing to do.
    package let events: [EventoDoDominio]
    /// The last position of these events; the head of the log where there are none.
    package let position: Position
    /// Whether the events were recorded by an earlier try of the same command.
    package let repeated: Bool
}

/// The one loop of the write side: load → decide → append → (conflict? again).
package struct CommandExecutor: Sendable {
    private static let maximumTries = 24

    private let reader: LogReader
    private let client: AppendClient
    private let clock: @Sendable () -> Int64

    package init(
        reader: LogReader,
        client: AppendClient,
        clock: @escaping @Sendable () -> Int64
    ) {
        self.reader = reader
        self.client = client
        self.clock = clock
    }

    /// Decides and records. `decide` runs again, on streams loaded anew, whenever another command got in between.
    ///
    /// Where the command has an actor, their account is looked at before anything is decided, and guards the decision: whoever is erased
    /// or blocked, or has lost the role that they claim, does nothing from that event on, whatever token they hold.
    ///
    /// - Parameter decide: loads what it needs through the streams given and returns what is to be recorded. Every stream
    ///   that it loads must still be at that version when the events are recorded, whether it writes to it or not; a
    ///   stream that it writes to without loading must be new.
    /// - Throws: what `decide` throws, `CommandError`, or `MalformedDecision`.
    package func execute(
        _ command: CommandEnvelope,
        decide: @Sendable (StreamLoader) async throws -> [EventosDoFluxo]
    ) async throws -> Execution {
        if let earlier = try await earlier(of: command) { return earlier }
        var backoff = Backoff(first: .milliseconds(2), longest: .milliseconds(100))
        for _ in 0..<Self.maximumTries {
            let loader = StreamLoader(reader: reader, actor: command.actor)
            let decision: [EventosDoFluxo]
            do {
                decision = try await decide(loader).filter { !$0.eventos.isEmpty }
                if !decision.isEmpty { try await loader.requireActor() }
            } catch {
                // The refusal may be over what this very command did when it was given before, a moment ago.
                if let earlier = try await earlier(of: command) { return earlier }
                throw error
            }
            guard !decision.isEmpty else {
                return Execution(events: [], position: try await reader.head(), repeated: false)
            }
            switch try await append(decision, loaded: await loader.versions, for: command) {
            case .accepted(_, let last):
                return Execution(events: decision.flatMap(\.eventos), position: last, repeated: false)
            case .repeated(_, let last, true) where !command.mayRepeat:
                // Nobody else gives this command: the repeat is our own second try, whose first answer got lost.
                return Execution(events: decision.flatMap(\.eventos), position: last, repeated: false)
            case .repeated(let first, let last, let sameFingerprint):
                guard sameFingerprint else { throw CommandError.keyReused }
                return try await repeated(from: first, through: last)
            case .conflict:
                Counter(label: "coworkflow_append_conflicts_total").increment()
                try await Task.sleep(for: backoff.next())
            case .expired:
                throw CommandError.unavailable
            case .malformed:
                throw MalformedDecision()
            }
            guard clock() < command.deadline else { break }
        }
        throw CommandError.contended
    }

    /// Looks at the actor's account before a command asks somebody else something, who would not know.
    ///
    /// - Throws: as `execute` does of the actor.
    package func requireActor(of command: CommandEnvelope) async throws {
        try await StreamLoader(reader: reader, actor: command.actor).requireActor()
    }

    /// What the command did when it was given before, nil if it did nothing so far.
    package func earlier(of command: CommandEnvelope) async throws -> Execution? {
        guard command.mayRepeat, let earlier = try await reader.command(command.commandID) else { return nil }
        guard earlier.fingerprint == command.fingerprint else { throw CommandError.keyReused }
        return try await repeated(from: earlier.first, through: earlier.last)
    }

    private func append(
        _ decision: [EventosDoFluxo],
        loaded: [NomeDeFluxo: StreamVersion],
        for command: CommandEnvelope
    ) async throws -> AppendOutcome {
        let metadata = try command.metadata.encoded()
        let now = clock()
        var streams = try decision.map { part in
            StreamAppend(
                stream: part.fluxo.texto,
                expected: loaded[part.fluxo] ?? .none,
                events: try part.eventos.map { try event($0, metadata: metadata, now: now) }
            )
        }
        let written = Set(decision.map(\.fluxo))
        for (stream, version) in loaded.sorted(by: { $0.key < $1.key }) where !written.contains(stream) {
            streams.append(StreamAppend(stream: stream.texto, expected: version))
        }
        do {
            return try await client.append(
                AppendRequest(
                    commandID: command.commandID,
                    fingerprint: command.fingerprint,
                    deadline: command.deadline,
                    streams: streams
                )
            )
        } catch AppendError.unavailable {
            throw CommandError.unavailable
        } catch AppendError.outcomeUnknown {
            throw CommandError.outcomeUnknown
        }
    }

    private func event(_ event: EventoDoDominio, metadata: [UInt8], now: Int64) throws -> NewEvent {
        let encoded = try CodecDeEventos.padrao.codificar(event)
        let id = UUID.v7(microseconds: now)
        reader.decoded.remember(event, as: id)
        return NewEvent(
            id: id,
            type: encoded.tipo,
            schemaVersion: Int16(encoded.versaoDoEsquema),
            payload: encoded.carga,
            metadata: metadata
        )
    }

    private func repeated(from first: Position, through last: Position) async throws -> Execution {
        let events = try await reader.events(from: first, through: last)
        return Execution(events: try events.map(reader.decoded.event), position: last, repeated: true)
    }
}

extension CodecDeEventos {
    /// The domain's event in a recorded one.
    package func decode(_ event: RecordedEvent) throws(ErroDeCodec) -> EventoDoDominio {
        try decodificar(tipo: event.type, versao: Int(event.schemaVersion), carga: event.payload)
    }
}

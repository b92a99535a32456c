import Domain
import EventStore
import FoundationEssentials
import Postgres

@testable import Projections

/// Makes recorded events of the domain's, as the recorder would, and writes them where it would.
struct TestLog {
    private(set) var events: [RecordedEvent] = []
    private var versions: [String: Int32] = [:]

    /// Adds events to the end, in order.
    @discardableResult
    mutating func record(
        _ stream: NomeDeFluxo,
        _ domain: EventoDoDominio...,
        by principal: String = "tester"
    ) throws -> [RecordedEvent] {
        try domain.map { try record(stream, $0, by: principal) }
    }

    private mutating func record(_ stream: NomeDeFluxo, _ event: EventoDoDominio, by principal: String) throws -> RecordedEvent {
        let encoded = try CodecDeEventos.padrao.codificar(event)
        versions[stream.texto, default: 0] += 1
        let position = Int64(events.count + 1)
        let recorded = RecordedEvent(
            position: Position(position),
            id: UUID(),
            stream: stream.texto,
            version: StreamVersion(versions[stream.texto] ?? 1),
            type: encoded.tipo,
            schemaVersion: Int16(encoded.versaoDoEsquema),
            recordedAt: 1_770_000_000_000_000 + position,
            commandID: UUID(),
            payload: encoded.carga,
            metadata: Array(#"{"principal":"\#(principal)"}"#.utf8)
        )
        events.append(recorded)
        return recorded
    }

    var head: Position { events.last?.position ?? .start }

    /// Puts an event in the place of another that cannot be read.
    mutating func damage(at position: Position, type: String) {
        let event = events[Int(position.rawValue) - 1]
        events[Int(position.rawValue) - 1] = RecordedEvent(
            position: position, id: event.id, stream: event.stream, version: event.version, type: type, schemaVersion: 1,
            recordedAt: event.recordedAt, commandID: event.commandID, payload: Array("{}".utf8), metadata: event.metadata
        )
    }

    private var spoiled: [Int: RecordedEvent] = [:]

    /// Makes the payload of the event at a position no JSON.
    mutating func spoil(_ position: Int) {
        let event = events[position - 1]
        spoiled[position] = event
        events[position - 1] = RecordedEvent(
            position: event.position, id: UUID(), stream: event.stream, version: event.version, type: event.type,
            schemaVersion: event.schemaVersion, recordedAt: event.recordedAt, commandID: event.commandID, payload: [0x7B],
            metadata: event.metadata
        )
    }

    /// Undoes that, as a program would that can read it.
    mutating func heal(_ position: Int) {
        if let event = spoiled.removeValue(forKey: position) { events[position - 1] = event }
    }

    /// Writes the events after what the database's log holds already.
    ///
    /// - Parameter count: only so many of all; all where it is nil.
    func write(to pool: PostgresPool, through count: Int? = nil) async throws {
        let known = try await LogReader(pool: pool).head()
        let head = count.map { Position(Int64($0)) } ?? head
        let events = events.filter { $0.position > known && $0.position <= head }
        try await pool.transaction { connection in
            try connection.execute(
                """
                insert into log.events (position, event_id, stream, version, context, type, schema_version, recorded_at,
                                        command_id, payload, metadata, hash)
                select e.*, decode(repeat('00', 32), 'hex')
                  from unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) as e
                """,
                PostgresArray(events.map(\.position.rawValue)),
                PostgresArray(events.map(\.id)),
                PostgresArray(events.map(\.stream)),
                PostgresArray(events.map(\.version.rawValue)),
                PostgresArray(events.map(\.context)),
                PostgresArray(events.map(\.type)),
                PostgresArray(events.map(\.schemaVersion)),
                PostgresArray(events.map { PostgresTimestamp(microsecondsSinceEpoch: $0.recordedAt) }),
                PostgresArray(events.map(\.commandID)),
                PostgresArray(events.map(\.payload)),
                PostgresArray(events.map(\.metadata))
            )
            try connection.execute("update log.writer set head = $1", head.rawValue)
        }
    }
}

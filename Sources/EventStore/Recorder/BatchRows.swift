import FoundationEssentials
import Postgres

/// The rows that a batch adds to the log, in the form in which Postgres takes them.
///
/// They are brought into it as the batch is decided, beside the commit of the batch before: when its turn comes, all that is left is to
/// send it.
struct BatchRows: Sendable {
    private var eventCount = 0
    private var position = PostgresArrayBuilder<Int64>()
    private var id = PostgresArrayBuilder<UUID>()
    private var stream = PostgresArrayBuilder<String>()
    private var version = PostgresArrayBuilder<Int32>()
    private var context = PostgresArrayBuilder<String>()
    private var type = PostgresArrayBuilder<String>()
    private var schemaVersion = PostgresArrayBuilder<Int16>()
    private var recordedAt = PostgresArrayBuilder<PostgresTimestamp>()
    private var commandID = PostgresArrayBuilder<UUID>()
    private var payload = PostgresArrayBuilder<[UInt8]>()
    private var metadata = PostgresArrayBuilder<[UInt8]>()
    private var hash = PostgresArrayBuilder<[UInt8]>()

    private var commandCount = 0
    private var command = PostgresArrayBuilder<UUID>()
    private var fingerprint = PostgresArrayBuilder<[UInt8]>()
    private var first = PostgresArrayBuilder<Int64>()
    private var last = PostgresArrayBuilder<Int64>()

    /// Adds what the plan has come to have since the last time.
    mutating func catchUp(with plan: BatchPlanner) {
        let events = eventCount..<plan.events.count
        eventCount = plan.events.count
        // By index, because an event taken out of the array is retained and released, for each column.
        position.append(events.map { plan.events[$0].position.rawValue })
        id.append(events.map { plan.events[$0].id })
        stream.append(events.map { plan.events[$0].stream })
        version.append(events.map { plan.events[$0].version.rawValue })
        context.append(events.map { EventType.context(of: plan.events[$0].type) })
        type.append(events.map { plan.events[$0].type })
        schemaVersion.append(events.map { plan.events[$0].schemaVersion })
        recordedAt.append(events.map { PostgresTimestamp(microsecondsSinceEpoch: plan.events[$0].recordedAt) })
        commandID.append(events.map { plan.events[$0].commandID })
        payload.append(events.map { plan.events[$0].payload })
        metadata.append(events.map { plan.events[$0].metadata })
        hash.append(Array(plan.hashes[events]))

        let commands = plan.newCommands[commandCount...]
        commandCount = plan.newCommands.count
        command.append(commands.map(\.id))
        fingerprint.append(commands.map(\.fingerprint))
        first.append(commands.map(\.first.rawValue))
        last.append(commands.map(\.last.rawValue))
    }

    /// The statements that write them. Arrays are unnested in the list of columns, where Postgres reads them in step, and not in `from`,
    /// where it writes all rows down first, which took as long as storing them.
    var inserts: [PostgresStatement] {
        [
            PostgresStatement(
                """
                insert into log.events (position, event_id, stream, version, context, type, schema_version, recorded_at,
                                        command_id, payload, metadata, hash)
                select unnest($1::int8[]), unnest($2::uuid[]), unnest($3::text[]), unnest($4::int4[]), unnest($5::text[]),
                       unnest($6::text[]), unnest($7::int2[]), unnest($8::timestamptz[]), unnest($9::uuid[]), unnest($10::bytea[]),
                       unnest($11::bytea[]), unnest($12::bytea[])
                """,
                position, id, stream, version, context, type, schemaVersion, recordedAt, commandID, payload, metadata, hash
            ),
            PostgresStatement(
                """
                insert into log.commands (command_id, fingerprint, first_position, last_position)
                select unnest($1::uuid[]), unnest($2::bytea[]), unnest($3::int8[]), unnest($4::int8[])
                """,
                command, fingerprint, first, last
            ),
        ]
    }
}

import FoundationEssentials
package import Postgres

/// What the log holds, in numbers, as of one instant.
package struct LogStatistics: Sendable {
    package struct Kind: Sendable {
        /// `context.NameInThePast`.
        package let type: String
        package let events: Int64
        /// Of payloads and metadata, as they were hashed.
        package let bytes: Int64
        /// Recorded in the hour, and in the day, before now by the database's clock.
        package let lastHour: Int64
        package let lastDay: Int64
    }

    package let head: Position
    package let epoch: Int64
    package let hash: [UInt8]
    /// Every type that was ever recorded, in order of name.
    package let kinds: [Kind]
    package let streams: Int64
    package let commands: Int64
    /// When the first and the last event were recorded, in microseconds since the Unix epoch; nil for an empty log.
    package let times: (first: Int64, last: Int64)?
    /// Bytes on disk of tables and indexes of the log, the largest first.
    package let sizes: [(name: String, bytes: Int64)]

    /// Reads all of it. It takes as long as reading the whole table takes; nobody waits for it.
    ///
    /// - Parameter pool: connections of a role that may read the log.
    package static func read(_ pool: PostgresPool) async throws -> LogStatistics {
        try await pool.transaction(isolation: .repeatableRead, readOnly: true) { connection in
            let writer = try connection.query("select head, epoch, hash from log.writer")[0]
            let totals = try connection.query(
                """
                select min(recorded_at), max(recorded_at),
                       (select count(*) from log.events where version = 1), (select count(*) from log.commands)
                  from log.events
                 where position = 1 or position = (select head from log.writer)
                """
            )[0]
            return LogStatistics(
                head: Position(try writer.get(0, Int64.self)),
                epoch: try writer.get(1, Int64.self),
                hash: try writer.get(2, [UInt8].self),
                kinds: try kinds(connection),
                streams: try totals.get(2, Int64.self),
                commands: try totals.get(3, Int64.self),
                times: try totals.get(0, PostgresTimestamp?.self).flatMap { first in
                    try totals.get(1, PostgresTimestamp?.self).map { (first.microsecondsSinceEpoch, $0.microsecondsSinceEpoch) }
                },
                sizes: try sizes(connection)
            )
        }
    }

    private static func kinds(_ connection: isolated PostgresConnection) throws -> [Kind] {
        try connection.query(
            """
            select type, count(*), coalesce(sum(octet_length(payload) + octet_length(metadata)), 0)::bigint,
                   count(*) filter (where recorded_at > now() - interval '1 hour'),
                   count(*) filter (where recorded_at > now() - interval '1 day')
              from log.events group by type order by type
            """
        ).map { row in
            Kind(
                type: try row.get(0, String.self),
                events: try row.get(1, Int64.self),
                bytes: try row.get(2, Int64.self),
                lastHour: try row.get(3, Int64.self),
                lastDay: try row.get(4, Int64.self)
            )
        }
    }

    private static func sizes(_ connection: isolated PostgresConnection) throws -> [(name: String, bytes: Int64)] {
        try connection.query(
            """
            select c.relname::text, pg_relation_size(c.oid) + coalesce(pg_relation_size(nullif(c.reltoastrelid, 0)), 0)
              from pg_class c
              join pg_namespace n on n.oid = c.relnamespace
             where n.nspname = 'log' and c.relkind in ('r', 'i')
             order by 2 desc, 1
            """
        ).map { (try $0.get(0, String.self), try $0.get(1, Int64.self)) }
    }
}

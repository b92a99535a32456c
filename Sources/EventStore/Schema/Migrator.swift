import Crypto
import FoundationEssentials
package import Logging
package import Postgres

/// Brings a database to this program's schema: plain SQL files, applied in order, each once and in its own transaction.
package struct Migrator: Sendable {
    /// Why a database cannot be migrated.
    package enum Problem: Error, Sendable, Equatable, CustomStringConvertible {
        /// A migration that was applied has been edited since: the schema is not what the files say.
        case changed(name: String)
        /// The database knows a migration that this program does not have: the program is older than the database.
        case unknown(name: String)

        package var description: String {
            switch self {
            case .changed(let name): "migration \(name) was edited after it was applied; write a new one instead"
            case .unknown(let name): "the database has migration \(name), which this program lacks; run a newer program"
            }
        }
    }

    struct Migration: Sendable {
        let name: String
        let sql: [UInt8]

        var checksum: [UInt8] { Array(SHA256.hash(data: sql)) }
    }

    private let migrations: [Migration]
    private let logger: Logger

    package init(logger: Logger) {
        self.init(migrations: Self.shipped, logger: logger)
    }

    init(migrations: [Migration], logger: Logger) {
        self.migrations = migrations
        self.logger = logger
    }

    /// Applies what is missing. Any number of processes may call it at once: an advisory lock lets one work.
    ///
    /// - Returns: the names applied by this call, in order.
    /// - Throws: `Problem`, or a `PostgresError` of the migration that failed; that one is rolled back.
    @discardableResult
    package func migrate(_ connection: PostgresConnection) async throws -> [String] {
        let migrations = migrations
        let applied = try await connection.run { connection in
            try connection.executeScript("select pg_advisory_lock(7310584019240)")
            defer { try? connection.executeScript("select pg_advisory_unlock(7310584019240)") }
            try connection.executeScript(
                """
                create table if not exists public.schema_migrations (
                    name text primary key, checksum bytea not null, applied_at timestamptz not null default now()
                )
                """
            )
            return try Self.apply(migrations, on: connection)
        }
        for name in applied {
            logger.info("applied a migration", metadata: ["migration": "\(name)"])
        }
        return applied
    }

    private static func apply(_ migrations: [Migration], on connection: isolated PostgresConnection) throws -> [String] {
        var known: [String: [UInt8]] = [:]
        for row in try connection.query("select name, checksum from public.schema_migrations") {
            known[try row.get(0, String.self)] = try row.get(1, [UInt8].self)
        }
        let names = Set(migrations.map(\.name))
        if let unknown = known.keys.filter({ !names.contains($0) }).min() {
            throw Problem.unknown(name: unknown)
        }
        var applied: [String] = []
        for migration in migrations {
            if let checksum = known[migration.name] {
                guard checksum == migration.checksum else { throw Problem.changed(name: migration.name) }
                continue
            }
            try connection.transaction { connection in
                try connection.executeScript(String(decoding: migration.sql, as: UTF8.self))
                try connection.execute(
                    "insert into public.schema_migrations (name, checksum) values ($1, $2)",
                    migration.name,
                    migration.checksum
                )
            }
            applied.append(migration.name)
        }
        return applied
    }

    static let shipped = [
        Migration(name: "0001_roles_and_schemas", sql: PackageResources._001_roles_and_schemas_sql),
        Migration(name: "0002_log", sql: PackageResources._002_log_sql),
        Migration(name: "0003_subscriptions", sql: PackageResources._003_subscriptions_sql),
        Migration(name: "0004_keys_and_sessions", sql: PackageResources._004_keys_and_sessions_sql),
        Migration(name: "0005_read", sql: PackageResources._005_read_sql),
        Migration(name: "0006_dead_letters", sql: PackageResources._006_dead_letters_sql),
        Migration(name: "0007_erasure", sql: PackageResources._007_erasure_sql),
        Migration(name: "0008_replay", sql: PackageResources._008_replay_sql),
        Migration(name: "0009_expect", sql: PackageResources._009_expect_sql),
        Migration(name: "0010_webhooks", sql: PackageResources._010_webhooks_sql),
        Migration(name: "0011_beginning", sql: PackageResources._011_beginning_sql),
        Migration(name: "0012_rebuilds", sql: PackageResources._012_rebuilds_sql),
        Migration(name: "0013_set_aside", sql: PackageResources._013_set_aside_sql),
        Migration(name: "0014_moved_bookings", sql: PackageResources._014_moved_bookings_sql),
        Migration(name: "0015_forgotten_builds", sql: PackageResources._015_forgotten_builds_sql),
        Migration(name: "0016_pages_in_order", sql: PackageResources._016_pages_in_order_sql),
        Migration(name: "0017_versions", sql: PackageResources._017_versions_sql),
        Migration(name: "0018_fence", sql: PackageResources._018_fence_sql),
        Migration(name: "0019_forgotten_leftovers", sql: PackageResources._019_forgotten_leftovers_sql),
        Migration(name: "0020_restored", sql: PackageResources._020_restored_sql),
    ]
}

import Foundation
import Postgres
import Testing

@testable import EventStore

@Suite struct MigratorTests {
    private static func migration(_ name: String, _ sql: String) -> Migrator.Migration {
        Migrator.Migration(name: name, sql: Array(sql.utf8))
    }

    /// Databases have these, comments and all, and refuse a program whose migrations are others: a line is added with each migration and
    /// never changed.
    private static let shipped = [
        "0001_roles_and_schemas": "c6d3eb154d6a12236ad500d560501dae5ae9a4e6110de565bf7d53a3afed5221",
        "0002_log": "65b68481fc7b00b7f53eb5b60356af8f8c5fa2eeba53e11ea5c17126864a145f",
        "0003_subscriptions": "86657181a819dba348341754174fc007244a2739693e26ebf1dac60040fbe3c0",
        "0004_keys_and_sessions": "9ee4e089e6f2b2ba2b8170f05e8fc596e71948bfb0643ae156b50b333ccea6d5",
        "0005_read": "0f951a1e519047c12209296d4629b07090cc0104b8102c4f7246c677798dedef",
        "0006_dead_letters": "e8e2eca8d0f8919259de84091ec96caad6765185fb5a60121d3b84e24dbc9468",
        "0007_erasure": "2b2b4da1d61707432ae6f3e81933977ac660448da4fa94f446ff5e0cb76cff2b",
        "0008_replay": "2ea98283c1cc1320efd5573834b955ded359655a9a8cb51875caa990c9098d02",
        "0009_expect": "3f6e1a3b697a09b85144c26e69caf4fdb66cb2f4545c83dcd3bad0782ae3e144",
        "0010_webhooks": "2fc96776f95c963181afd6ac6504761d53cbc6b585109215e3ff645b8f886816",
        "0011_beginning": "9233a8e6bfd923a07fea5e4c644d78b039c2863f4783f984b2e04bd6e35a7de2",
        "0012_rebuilds": "f9b7e6e1480fff675a44526c65e1467e21c799355b39ab212693f337185cad9a",
        "0013_set_aside": "0fee91810c052232a1fe3f8992d31d3b993cf10a0ae434b756c3674fbee76a1c",
        "0014_moved_bookings": "18fee2bcef422f48cd00fd3908aeb2d8548010dc3be85876d96e151e7d8d9c77",
        "0015_forgotten_builds": "73f17a16304e5ad6a0745b9daa1b047c8b5caf3a1722da41940a11195bfa1461",
        "0016_pages_in_order": "f579eeceaeba3a3fc913ef9c905a6e8cecfc2494543b536c0089aa21c0df3a38",
        "0017_versions": "dbd6f95b19dd6379c17692ac1e140da6c5c3e391bf8d3db7cb323dafe53a7355",
        "0018_fence": "6bf53a94fb54b260c15fe388de349ef29ce6374eb9e72858e14e4cb83b6c03af",
        "0019_forgotten_leftovers": "d026aab65a2025a8258db6fcf975108fd10e0318e96a83ddb21177b154a6d9df",
        "0020_restored": "009e82ee0fc78c1f9d4b071f24f1f25f372325ca27300e879a4230bf82f63789",
    ]

    @Test func `migrations that databases may have are neither edited nor taken away`() {
        let checksums = Migrator.shipped.map { ($0.name, $0.checksum.map { String(format: "%02x", $0) }.joined()) }
        #expect(Dictionary(uniqueKeysWithValues: checksums) == Self.shipped)
    }

    /// A database without any migration.
    private func withEmptyDatabase(_ body: (PostgresConfiguration) async throws -> Void) async throws {
        let name = "es_empty_\(UInt32.random(in: 0...UInt32.max))"
        try await TestServers.withServer { try await $0.executeScript("create database \(name)") }
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(try TestServers.postgres().with(database: name))) } catch { outcome = .failure(error) }
        try await TestServers.withServer { try await $0.executeScript("drop database \(name) with (force)") }
        try outcome.get()
    }

    @Test func `processes that migrate at once apply each migration once`() async throws {
        try await withEmptyDatabase { database in
            // when
            let applied = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let connection = try await PostgresConnection.connect(database, logger: quiet)
                        let applied = try await Migrator(logger: quiet).migrate(connection)
                        await connection.close()
                        return applied
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // then one of them did it all, in order
            let names = Migrator.shipped.map(\.name)
            #expect(names == names.sorted())
            #expect(applied.filter { !$0.isEmpty } == [names])
            // and another time there is nothing to do
            let connection = try await PostgresConnection.connect(database, logger: quiet)
            #expect(try await Migrator(logger: quiet).migrate(connection) == [])
            await connection.close()
        }
    }

    @Test func `no vacuum tells inserts where old pages of events and commands have room`() async throws {
        try await TestWorld.run(broker: false) { world in
            let tables = try await world.admin.run { connection in
                try connection.query(
                    """
                    select relname::text from pg_class
                     where oid in ('log.events'::regclass, 'log.commands'::regclass,
                                   (select reltoastrelid from pg_class where oid = 'log.events'::regclass))
                       and not coalesce('autovacuum_vacuum_insert_threshold=-1' = any(reloptions), false)
                    """
                ).map { try $0.get(0, String.self) }
            }
            #expect(tables == [])
        }
    }

    /// `migrate` may run while the version before is at work.
    @Test func `what a recorder of the version before asks of log.heads is answered from the events`() async throws {
        try await TestWorld.run(broker: false) { world in
            try await world.record([.sample(["a": 0], events: 2), .sample(["b": 0])])
            let former = try await PostgresConnection.connect(LogWriter.settings(for: world.database), logger: quiet)
            let heads = try await former.run { connection in
                try connection.transaction { connection in
                    try connection.execute("insert into log.heads (stream, version) select * from unnest('{c}'::text[], '{1}'::int4[])")
                    try connection.execute(
                        """
                        update log.heads set version = moved.version
                          from unnest('{a}'::text[], '{9}'::int4[]) as moved(stream, version) where heads.stream = moved.stream
                        """
                    )
                }
                return try connection.query("select stream, version from log.heads where stream = any('{a,b,c}') order by stream")
                    .map { "\(try $0.get(0, String.self)) \(try $0.get(1, Int32.self))" }
            }
            await former.close()
            #expect(heads == ["a 2", "b 1"])
        }
    }

    @Test func `a recorder of the version before is fenced by log.fence`() async throws {
        try await TestWorld.run(broker: false) { world in
            try await world.record([.sample(["a": 0])])
            let former = try await PostgresConnection.connect(LogWriter.settings(for: world.database), logger: quiet)
            let epoch = try await world.number("select epoch from log.writer")
            for (epoch, expected) in [(epoch - 1, "CW001"), (epoch, nil)] as [(Int64, String?)] {
                let state = await failure(of: "select log.fence(\(epoch), 1, 2, '')", on: former)
                #expect(state == expected)
            }
            await former.close()
            #expect(try await world.number("select head from log.writer") == 2)
        }
    }

    @Test func `a migration edited after it was applied is refused`() async throws {
        try await withEmptyDatabase { database in
            let connection = try await PostgresConnection.connect(database, logger: quiet)
            // given
            let first = Self.migration("1", "create table a ()")
            try await Migrator(migrations: [first], logger: quiet).migrate(connection)
            // when
            let edited = Migrator(
                migrations: [Self.migration("1", "create table a (b int)"), Self.migration("2", "create table c ()")], logger: quiet)
            // then
            await #expect(throws: Migrator.Problem.changed(name: "1")) { try await edited.migrate(connection) }
            #expect(try await connection.query("select to_regclass('c') is null")[0].get(0, Bool.self))
            await connection.close()
        }
    }

    @Test func `a database that knows more than the program is refused`() async throws {
        try await withEmptyDatabase { database in
            let connection = try await PostgresConnection.connect(database, logger: quiet)
            // given
            let both = [Self.migration("1", "create table a ()"), Self.migration("2", "create table b ()")]
            try await Migrator(migrations: both, logger: quiet).migrate(connection)
            // then
            await #expect(throws: Migrator.Problem.unknown(name: "2")) {
                try await Migrator(migrations: [both[0]], logger: quiet).migrate(connection)
            }
            await connection.close()
        }
    }

    @Test func `a migration that fails leaves nothing behind, those before it stay`() async throws {
        try await withEmptyDatabase { database in
            let connection = try await PostgresConnection.connect(database, logger: quiet)
            // given
            let broken = [Self.migration("1", "create table a ()"), Self.migration("2", "create table b (); select 1 / 0")]
            // when
            await #expect(throws: PostgresError.self) { try await Migrator(migrations: broken, logger: quiet).migrate(connection) }
            // then the lock is free and the mended one goes on from there
            let mended = [broken[0], Self.migration("2", "create table b ()")]
            #expect(try await Migrator(migrations: mended, logger: quiet).migrate(connection) == ["2"])
            await connection.close()
        }
    }

    /// Whose timers there are after a migration and those that follow it, in a database with what a script leaves before it.
    private func timers(before migration: String, _ script: String) async throws -> [String] {
        var timers: [String] = []
        try await withEmptyDatabase { database in
            let connection = try await PostgresConnection.connect(database, logger: quiet)
            try await Migrator(migrations: Migrator.shipped.filter { $0.name < migration }, logger: quiet).migrate(connection)
            try await connection.executeScript(script)
            try await Migrator(logger: quiet).migrate(connection)
            timers = try await connection.query("select kind, aggregate, subject from subs.timers order by 1, 2").map {
                "\(try $0.get(0, String.self)) \(try $0.get(1, String.self)): \(try $0.get(2, String?.self) ?? "nobody")"
            }
            await connection.close()
        }
        return timers
    }

    @Test func `the ends of bookings scheduled before it was written down whom they concern are found for their owners`() async throws {
        // given a booking and its timers, as they were
        let timers = try await timers(
            before: "0007",
            """
            insert into log.events (position, event_id, stream, version, context, type, schema_version, recorded_at, command_id,
                                    payload, metadata, hash)
            select n, gen_random_uuid(), 'reserva-r', n, 'reservas', 'reservas.X', 1, now(), gen_random_uuid(),
                   convert_to(json_build_object('usuario', 'u' || n)::text, 'UTF8'), '{}', sha256('')
              from generate_series(1, 2) n;
            insert into subs.timers (command_id, kind, aggregate, due, cause)
            select gen_random_uuid(), kind, 'r', now(), gen_random_uuid()
              from unnest(array['reservas.concluir', 'reservas.expirar']) kind
            """
        )
        // then
        #expect(timers == ["reservas.concluir r: u1", "reservas.expirar r: nobody"])
    }

    @Test func `the new ends of bookings that were moved before an event said whose they are are found for their owners`() async throws {
        // given a booking with the end that it was moved to, another with its first end, and what is no end
        let timers = try await timers(
            before: "0014",
            """
            insert into log.events (position, event_id, stream, version, context, type, schema_version, recorded_at, command_id,
                                    payload, metadata, hash)
            values (1, gen_random_uuid(), 'reserva-r', 1, 'reservas', 'reservas.X', 1, now(), gen_random_uuid(),
                    convert_to('{"usuario":"ana"}', 'UTF8'), '{}', sha256(''));
            insert into subs.timers (command_id, kind, aggregate, due, cause, subject)
            values (gen_random_uuid(), 'reservas.concluir', 'r', now(), gen_random_uuid(), null),
                   (gen_random_uuid(), 'reservas.concluir', 's', now(), gen_random_uuid(), 'bia'),
                   (gen_random_uuid(), 'reservas.expirar', 'r', now(), gen_random_uuid(), null)
            """
        )
        // then
        #expect(timers == ["reservas.concluir r: ana", "reservas.concluir s: bia", "reservas.expirar r: nobody"])
    }
}

import Domain
import EventStore
import Postgres
import TestSupport
import Testing

@testable import Projections

@Suite("What lies beside a live read model when somebody is erased")
struct LeftoverTests {
    private struct Killed: Error {}

    private func target(_ database: TestDatabase) -> ProjectionTarget {
        ProjectionTarget(ReservasModel(), opener: PlainOpener(), pool: database.projector, logger: TestDatabase.logger)
    }

    /// Brings the live model to the end of a log, and lets it go.
    private func live(_ log: TestLog, _ database: TestDatabase) async throws {
        try await log.write(to: database.pool)
        let target = target(database)
        let start = try #require(try await target.acquire())
        try await target.apply(log.events.filter { start < $0.position }, after: start, through: log.head)
        try await target.release()
    }

    private func replay(
        _ database: TestDatabase,
        step: @escaping @Sendable (ReadModelReplay.Step) async throws -> Void = { _ in }
    ) -> ReadModelReplay {
        ReadModelReplay(
            ReservasModel(), configuration: Projections.configuration(database.configuration), opener: PlainOpener(),
            logger: TestDatabase.logger, step: step
        )
    }

    /// The schemas that hold the model besides the live one.
    private func beside(_ database: TestDatabase) async throws -> [String] {
        try await database.pool.withConnection { connection in
            try connection.query(
                """
                select distinct schemaname::text from pg_tables
                 where schemaname ~ '^read_' and starts_with(tablename, 'reservas_') order by 1
                """
            ).map { try $0.get(0, String.self) }
        }
    }

    private func erasing(_ log: TestLog) throws -> TestLog {
        var log = log
        let erased = UsuarioApagado(usuario: Samples.id(1), em: Samples.time(9))
        try log.record(.usuario(Samples.id(1)), .usuarios(.usuarioApagado(erased)))
        return log
    }

    /// Reads tables until it is closed, as a backup does. The server ends it where somebody waits for it for long.
    private func backup(of tables: String..., in database: TestDatabase) async throws -> PostgresConnection {
        let backup = try await PostgresConnection.connect(database.configuration, logger: TestDatabase.logger)
        try await backup.executeScript(
            """
            begin; set local idle_in_transaction_session_timeout = '10s';
            lock table \(tables.joined(separator: ", ")) in access share mode
            """
        )
        return backup
    }

    @Test("A model as of a position whose maker is killed does not stay, be that before or after the erasure", arguments: [true, false])
    func killed(first: Bool) async throws {
        let log = try RandomHistory.make(events: 200, seed: 12)
        let erased = try erasing(log)
        try await TestDatabase.with { database in
            try await live(log, database)
            // Given one whose maker was killed
            await #expect(throws: Killed.self) {
                try await replay(database) { step in
                    guard step == .indexed else { return }
                    if !first { try await live(erased, database) }
                    throw Killed()
                }.build(asOf: Position(100))
            }
            #expect(try await beside(database) == ["read_at_reservas_100"])
            // When somebody is erased, or was meanwhile, then
            try await eventually("the live model's keeper has dropped it") {
                try await live(erased, database)
                return try await beside(database).isEmpty
            }
        }
    }

    @Test(
        "A backup that reads what is to be dropped keeps nobody waiting; it is dropped afterwards, also where the log never rests",
        arguments: [true, false]
    )
    func backup(rests: Bool) async throws {
        let log = try RandomHistory.make(events: 200, seed: 12)
        let erased = try erasing(log)
        try await TestDatabase.with { database in
            try await live(log, database)
            _ = try await replay(database).run()
            let side = try await replay(database).build(asOf: Position(100))
            // Given a backup that is under way
            let backup = try await backup(of: "read_old.reservas_bookings", "\(side).reservas_bookings", in: database)
            // When somebody is erased
            let target = target(database)
            #expect(try await target.acquire() == log.head)
            try await erased.write(to: database.pool)
            try await target.apply(Array(erased.events[log.events.count...]), after: log.head, through: erased.head)
            // Then the live model has gone on, and what the backup reads is there
            #expect(try await beside(database) == [side, "read_old"])
            #expect(try await target.acquire() == erased.head)
            #expect(try await beside(database) == [side, "read_old"])
            // When it is over, then
            await backup.close()
            try await eventually("all is dropped") {
                if rests {
                    _ = try await target.acquire()
                } else {
                    try await target.apply([], after: erased.head, through: erased.head)
                }
                return try await beside(database).isEmpty
            }
        }
    }

    @Test("What is dropped because somebody asks waits for a backup, and the rest does not")
    func asked() async throws {
        let log = try RandomHistory.make(events: 200, seed: 12)
        try await TestDatabase.with { database in
            try await live(log, database)
            _ = try await replay(database).run()
            _ = try await replay(database).build(asOf: Position(100))
            let backup = try await backup(of: "read_old.reservas_bookings", in: database)
            async let dropped: Void = replay(database).dropLeftovers()
            try await eventually("the rest is dropped") { try await beside(database) == ["read_old"] }
            await backup.close()
            try await dropped
            #expect(try await beside(database).isEmpty)
        }
    }

    @Test(
        "A switch to another definition that passes over an erasure leaves nothing as of a position; any other does",
        arguments: [true, false]
    )
    func passedOver(isErasing: Bool) async throws {
        let log = try RandomHistory.make(events: 200, seed: 12)
        var other = log
        try other.createUnit(77)
        let further = isErasing ? try erasing(log) : other
        try await TestDatabase.with { database in
            // Given a live model of an older definition that does not come to the end of the log
            try await live(log, database)
            let side = try await replay(database).build(asOf: Position(100))
            _ = try await database.pool.withConnection { try $0.execute("update read.checkpoints set definition = 'older'") }
            try await further.write(to: database.pool)
            // When another takes its place there
            let target = target(database)
            #expect(try await target.acquire() == further.head)
            // Then
            try await eventually("what outlived an erasure is gone, and what did not is there") {
                #expect(try await target.acquire() == further.head)
                return try await beside(database) == (isErasing ? [] : [side])
            }
        }
    }
}

import Crypto
import Domain
import EventStore
import Logging
import Postgres
import Testing

@testable import Projections

@Suite("Keeping a read model")
struct ProjectionTargetTests {
    private func target(
        _ database: TestDatabase,
        of model: any ReadModel = ContasModel(),
        turn: RebuildTurn = RebuildTurn()
    ) -> ProjectionTarget {
        ProjectionTarget(model, opener: PlainOpener(), pool: database.projector, turn: turn, logger: TestDatabase.logger)
    }

    private func progress(_ database: TestDatabase, _ model: String = "contas") async throws -> ReadModelProgress? {
        try await database.gateway.withConnection { try ReadModelProgress.all(on: $0) }.first { $0.name == model }
    }

    @Test("Rows and checkpoint move together; a batch that changes nothing moves the checkpoint alone")
    func moves() async throws {
        try await TestDatabase.with { database in
            // Given a model that is new
            let target = target(database)
            let start = try await target.acquire()
            #expect(start == .start)
            // When a batch changes it and another, of a context that it does not want, does not
            var log = TestLog()
            try log.signUp(1, name: "Ana", email: "ana@exemplo.com")
            try await target.apply(log.events, after: .start, through: Position(1))
            try log.occupy(1, by: 1, try Samples.interval(0, 60))
            try await target.apply([log.events[1]], after: Position(1), through: Position(2))
            // Then it says so, and the row is there for the gateway
            #expect(try await progress(database) == ReadModelProgress(name: "contas", position: Position(2), changed: Position(1)))
            let user = try await ContasQueries(pool: database.gateway).user(Samples.id(1))
            #expect(user?.name == "Ana")
        }
    }

    @Test("Of two replicas one runs; the one that lost its lease without knowing cannot write")
    func rivals() async throws {
        try await TestDatabase.with { database in
            var log = TestLog()
            try log.signUp(1, name: "Ana", email: "ana@exemplo.com")
            let events = log.events
            // Given a replica that runs the model
            let (first, second) = (target(database), target(database))
            #expect(try await first.acquire() == .start)
            #expect(try await second.acquire() == nil)
            // When its lease runs out and another goes on
            try await database.pool.withConnection { connection in
                _ = try connection.execute("update read.checkpoints set lease_until = now() - interval '1 second'")
            }
            #expect(try await second.acquire() == .start)
            // Then the first cannot write, and the second can
            await #expect(throws: CheckpointMoved.self) { try await first.apply(events, after: .start, through: Position(1)) }
            #expect(try await ContasQueries(pool: database.gateway).users(limit: 10).items.isEmpty)
            try await second.apply(events, after: .start, through: Position(1))
            #expect(try await first.acquire() == nil)
            // And nobody applies the same events twice
            await #expect(throws: CheckpointMoved.self) { try await second.apply(events, after: .start, through: Position(1)) }
        }
    }

    /// The accounts, in another form.
    private struct Renamed: ReadModel {
        var revision = 2
        var table = Table("contas_people", columns: [Column("id", .uuid), Column("at", .timestamp)], key: ["id"])

        let name = "contas"
        var tables: [Table] { [table] }
        let eventTypes: Set<String> = [UsuarioCadastrado.tipo]

        func apply(_ event: ProjectedEvent, to changes: inout Changes) throws {
            guard case .usuarios(.usuarioCadastrado(let event)) = event.event else { return }
            try changes.upsert(table, ["id": .id(event.usuario), "at": .instant(event.em)])
        }
    }

    @Test("A model defined anew is built beside the old rows and takes their place; the old version stands back and changes nothing")
    func redefinition() async throws {
        try await TestDatabase.with { database in
            var log = TestLog()
            try log.signUp(1, name: "Ana", email: "ana@exemplo.com")
            try log.signUp(2, name: "Bia", email: "bia@exemplo.com")
            try await log.write(to: database.pool)
            let events = log.events
            // Given a model that has come some way
            let old = target(database)
            _ = try await old.acquire()
            try await old.apply([events[0]], after: .start, through: Position(1))
            // When a version with other tables takes over, then it has all that there is
            let new = target(database, of: Renamed())
            #expect(try await new.acquire() == log.head)
            let people = try await database.gateway.withConnection { try $0.query("select id from read.contas_people").count }
            #expect(people == 2)
            // And the old one is fenced off, does not take the model back, and its tables, which had not come as far, are gone
            await #expect(throws: CheckpointMoved.self) { try await old.apply([events[1]], after: Position(1), through: Position(2)) }
            #expect(try await old.acquire() == nil)
            let tables = try await database.pool.withConnection { connection in
                try connection.query(
                    "select schemaname || '.' || tablename from pg_tables where schemaname like 'read%' and tablename like 'contas%' order by 1"
                ).map { try $0.get(0, String.self) }
            }
            #expect(tables == ["read.contas_people"])
            // And the new one goes on
            try log.signUp(3, name: "Cid", email: "cid@exemplo.com")
            try await new.apply([log.events[2]], after: Position(2), through: Position(3))
        }
    }

    @Test("Models of one process that are defined anew are built one after the other, and one that fails stands in no other's way")
    func turns() async throws {
        try await TestDatabase.with { database in
            var log = TestLog()
            try log.signUp(1, name: "Ana", email: "ana@exemplo.com")
            try await log.write(to: database.pool)
            // Given two models of an older definition
            let models: [any ReadModel] = [ContasModel(), ReservasModel()]
            for model in models {
                let old = target(database, of: model)
                _ = try await old.acquire()
                try await old.release()
            }
            _ = try await database.pool.withConnection { try $0.execute("update read.checkpoints set definition = 'older'") }
            let turn = RebuildTurn()
            let targets = models.map { target(database, of: $0, turn: turn) }
            // While one is built, then the other waits for its turn, as behind another replica
            #expect(turn.take())
            #expect(try await targets[0].acquire() == nil)
            turn.giveBack()
            // And where one cannot be built, the turn goes on
            _ = try await database.pool.withConnection { try $0.execute("alter table read_shadow.builds rename to away") }
            await #expect(throws: PostgresError.self) { try await targets[0].acquire() }
            _ = try await database.pool.withConnection { try $0.execute("alter table read_shadow.away rename to builds") }
            for target in targets { #expect(try await target.acquire() == log.head) }
            #expect(turn.take())
        }
    }

    @Test("The same definition is kept over a restart")
    func restart() async throws {
        try await TestDatabase.with { database in
            var log = TestLog()
            try log.signUp(1, name: "Ana", email: "ana@exemplo.com")
            let first = target(database)
            _ = try await first.acquire()
            try await first.apply(log.events, after: .start, through: Position(1))
            try await database.pool.withConnection { connection in
                _ = try connection.execute("update read.checkpoints set lease_until = now() - interval '1 second'")
            }
            #expect(try await target(database).acquire() == Position(1))
            #expect(try await ContasQueries(pool: database.gateway).user(Samples.id(1)) != nil)
        }
    }

    @Test("Whatever makes other rows makes another definition")
    func definitions() {
        let table = Renamed().table
        let nullable = Table("contas_people", columns: [Column("id", .uuid), Column("at", .timestamp, nullable: true)], key: ["id"])
        let indexed = Table("contas_people", columns: table.columns, key: ["id"], indexes: ["(at)"])
        let definitions = [
            Renamed(), Renamed(revision: 3), Renamed(table: nullable), Renamed(table: indexed),
        ].map(\.definition)
        #expect(Set(definitions).count == definitions.count)
        #expect(Renamed().definition == Renamed().definition)
        #expect(Set(Projections.models.map(\.definition)).count == Projections.models.count)
    }

    @Test("The gateway reads read models and writes none")
    func gatewayOnlyReads() async throws {
        try await TestDatabase.with { database in
            _ = try await target(database).acquire()
            #expect(try await ContasQueries(pool: database.gateway).users(limit: 1).items.isEmpty)
            let error = await #expect(throws: PostgresError.self) {
                try await database.gateway.withConnection { _ = try $0.execute("delete from read.contas_users") }
            }
            #expect(error?.sqlState == "42501")
        }
    }

    @Test("Personal data sealed by the keyring is read in plain text, and as erased once the key is gone")
    func keyring() async throws {
        try await TestDatabase.with { database in
            // Given two accounts sealed by the keyring, the second's key deleted
            let keys = PostgresPool(
                database.configuration.with(role: DatabaseRole.keyring.rawValue), maximumConnections: 1, logger: TestDatabase.logger
            )
            let master = SymmetricKey(size: .bits256)
            let sealing = Keyring(pool: keys, master: MasterKeys(master))
            var log = TestLog()
            for (number, name) in [(1, "Ana"), (2, "Bia")] {
                let user: UsuarioID = Samples.id(number)
                let event = UsuarioCadastrado(
                    usuario: user, nome: try await sealing.seal(name, of: user.texto, field: "nome"),
                    email: try await sealing.seal("\(name)@exemplo.com", of: user.texto, field: "email"),
                    chaveDoEmail: try #require(ChaveDeEmail(String(repeating: "0", count: 32))), senha: Selado(""), papel: .membro,
                    origem: .proprio, em: Samples.time(0)
                )
                try log.record(.usuario(user), .usuarios(.usuarioCadastrado(event)))
            }
            let erased: UsuarioID = Samples.id(2)
            try await sealing.erase(erased.texto)
            // When a process that has never seen the keys projects them
            let opening = Keyring(pool: keys, master: MasterKeys(master))
            let target = ProjectionTarget(ContasModel(), opener: opening, pool: database.projector, logger: TestDatabase.logger)
            _ = try await target.acquire()
            try await target.apply(log.events, after: .start, through: log.head)
            await keys.close()
            // Then
            let queries = ContasQueries(pool: database.gateway)
            #expect(try await queries.user(Samples.id(1))?.email == "Ana@exemplo.com")
            #expect(try await queries.user(erased)?.name == Keyring.erasedText)
        }
    }
}

import Domain
import EventStore
import Postgres
import TestSupport
import Testing

@testable import Projections

@Suite("Replaying a read model beside the live one")
struct ReplayTests {
    /// Brings live models to a position, which they are left at, and lets them go.
    private func live(
        _ log: TestLog,
        through end: Position? = nil,
        _ database: TestDatabase,
        models: [any ReadModel] = Projections.models
    ) async throws {
        try await log.write(to: database.pool)
        for model in models {
            let target = ProjectionTarget(model, opener: PlainOpener(), pool: database.projector, logger: TestDatabase.logger)
            let start = try #require(try await target.acquire())
            let end = end ?? log.head
            try await target.apply(log.events.filter { start < $0.position && $0.position <= end }, after: start, through: end)
            try await target.release()
        }
    }

    private func replay(
        _ database: TestDatabase,
        _ model: any ReadModel = ReservasModel(),
        step: @escaping @Sendable (ReadModelReplay.Step) async throws -> Void = { _ in }
    ) -> ReadModelReplay {
        ReadModelReplay(
            model, configuration: Projections.configuration(database.configuration), opener: PlainOpener(), logger: TestDatabase.logger,
            step: step
        )
    }

    private func digest(_ database: TestDatabase, _ model: any ReadModel, in schema: String = "read") async throws -> ReadModelDigest {
        try await database.pool.transaction { connection in
            try ReadModelDigest.prepare(connection)
            return try ReadModelDigest(of: model, schema: schema, on: connection)
        }
    }

    private func progress(_ database: TestDatabase, _ model: any ReadModel) async throws -> ReadModelProgress? {
        try await database.gateway.withConnection { try ReadModelProgress.all(on: $0) }.first { $0.name == model.name }
    }

    /// The tables of a model, each with its indexes and what the gateway may do.
    private func shape(_ database: TestDatabase, _ model: any ReadModel, in schema: String = "read") async throws -> [String] {
        try await database.pool.withConnection { connection in
            try connection.query(
                """
                select c.relname || ' ' || has_table_privilege('coworkflow_gateway', c.oid, 'select') || ' '
                       || coalesce((select string_agg(regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING ', ''), '; '
                                                      order by pg_get_indexdef(i.indexrelid))
                                      from pg_index i where i.indrelid = c.oid), '')
                  from pg_class c where c.relnamespace = $1::text::regnamespace and c.relkind = 'r' and starts_with(c.relname, $2)
                 order by 1
                """,
                schema,
                "\(model.name)_"
            ).map { try $0.get(0, String.self) }
        }
    }

    @Test("What is built anew equals the live model, takes its place, and goes on from there", arguments: [1, 2] as [UInt64])
    func switches(seed: UInt64) async throws {
        var log = try RandomHistory.make(events: 1200, seed: seed)
        try await TestDatabase.with { database in
            try await live(log, database)
            for model in Projections.models {
                let (before, rows, shape) = (
                    try await progress(database, model), try await digest(database, model), try await shape(database, model)
                )
                // When
                let outcome = try await replay(database, model).run()
                // Then
                #expect(outcome == .switched(at: log.head, compared: log.head, differences: []))
                #expect(try await digest(database, model) == rows)
                #expect(try await digest(database, model, in: "read_old") == rows)
                #expect(try await progress(database, model) == before)
                #expect(try await self.shape(database, model) == shape)
                #expect(try await self.shape(database, model, in: "read_shadow").isEmpty)
            }
            // And what comes later is applied to the new tables
            try log.createUnit(77)
            try log.signUp(77, name: "Zoe", email: "zoe@exemplo.com")
            try await live(log, database)
            #expect(try await ContasQueries(pool: database.gateway).user(Samples.id(77))?.name == "Zoe")
            // And again, over what the first time left behind
            let again = try await replay(database, ContasModel()).run()
            #expect(again == .switched(at: log.head, compared: log.head, differences: []))
            // And dropped when asked
            try await replay(database, ContasModel()).dropLeftovers()
            #expect(try await shape(database, ContasModel(), in: "read_old").isEmpty)
        }
    }

    @Test("It is compared where the live model stands, be that behind the log or at its beginning", arguments: [0, 1, 130, 400] as [Int64])
    func laggard(position: Int64) async throws {
        let log = try RandomHistory.make(events: 400, seed: 3)
        try await TestDatabase.with { database in
            try await live(log, through: Position(position), database, models: [ReservasModel()])
            let outcome = try await replay(database).run()
            #expect(outcome == .switched(at: Position(position), compared: Position(position), differences: []))
            #expect(try await progress(database, ReservasModel())?.position == Position(position))
        }
    }

    @Test("Where there is no live model, it becomes one, at the end of the log")
    func firstOne() async throws {
        let log = try RandomHistory.make(events: 200, seed: 4)
        try await TestDatabase.with { database in
            try await log.write(to: database.pool)
            #expect(try await replay(database).run() == .switched(at: log.head, compared: nil, differences: []))
            let target = ProjectionTarget(ReservasModel(), opener: PlainOpener(), pool: database.projector, logger: TestDatabase.logger)
            #expect(try await target.acquire() == log.head)
        }
    }

    @Test("A live model with other rows is named by table and key, and stays unless it is forced; then whoever remembers is told")
    func differing() async throws {
        let log = try RandomHistory.make(events: 300, seed: 5)
        try await TestDatabase.with { database in
            // Given a live model with a row altered, one missing, and one too many
            try await live(log, database)
            let id = try await database.pool.withConnection { connection in
                try connection.execute(
                    """
                    update read.agenda_bookings set ends_at = ends_at + interval '1 minute'
                     where id = (select id from read.agenda_bookings order by id limit 1)
                    """
                )
                try connection.execute("delete from read.agenda_occupied")
                return try connection.query("select id::text from read.agenda_bookings order by id limit 1")[0].get(0, String.self)
            }
            let altered = try await digest(database, AgendaModel())
            // When
            let outcome = try await replay(database, AgendaModel()).run()
            // Then
            guard case .different(at: log.head, let differences) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(differences.map(\.table) == ["agenda_occupied", "agenda_bookings"])
            #expect(differences.last?.keys == [id])
            #expect(try await digest(database, AgendaModel()) == altered)
            // When it is forced
            let forced = try await replay(database, AgendaModel()).run(force: true)
            // Then the right rows serve, and nothing computed from the wrong ones stays true
            #expect(forced == .switched(at: log.head, compared: log.head, differences: differences))
            #expect(try await digest(database, AgendaModel()) != altered)
            #expect(try await progress(database, AgendaModel())?.changed == log.head)
            #expect(try await replay(database, AgendaModel()).run() == .switched(at: log.head, compared: log.head, differences: []))
        }
    }

    private struct Killed: Error {}

    @Test(
        "A run that is killed anywhere is taken up by the next",
        arguments: [.taken, .written, .indexed, .paused, .compared, .replaced, .switched] as [ReadModelReplay.Step]
    )
    func killed(step: ReadModelReplay.Step) async throws {
        let log = try RandomHistory.make(events: 400, seed: 6)
        try await TestDatabase.with { database in
            try await live(log, database)
            let rows = try await digest(database, ReservasModel())
            // Given
            await #expect(throws: Killed.self) {
                try await replay(database) { if $0 == step { throw Killed() } }.run()
            }
            // Then queries find what they did
            #expect(try await digest(database, ReservasModel()) == rows)
            let built = try await database.pool.withConnection { connection in
                try connection.query("select position from read_shadow.builds").first.map { Position(try $0.get(0, Int64.self)) }
            }
            switch step {
            case .taken: #expect(built == .start)
            case .written: #expect(built.map { $0 > .start } == true)
            case .switched: #expect(built == nil)
            case .indexed, .paused, .compared, .replaced: #expect(built == log.head)
            }
            // When, then
            let again = Counter()
            let outcome = try await replay(database) { if $0 == .written { again.count() } }.run()
            #expect(outcome == .switched(at: log.head, compared: log.head, differences: []))
            #expect(try await digest(database, ReservasModel()) == rows)
            // What was written was not written again
            if built == log.head { #expect(again.value == 0) }
        }
    }

    @Test("What was built of another definition, or from another log, is begun anew")
    func otherBuilds() async throws {
        let log = try RandomHistory.make(events: 300, seed: 7)
        try await TestDatabase.with { database in
            try await live(log, database)
            for change in ["definition = 'other'", "hash = '\\x00'"] {
                // Given a build that was given up, with rows that are wrong
                await #expect(throws: Killed.self) { try await replay(database) { if $0 == .indexed { throw Killed() } }.run() }
                try await database.pool.withConnection { connection in
                    try connection.execute("update read_shadow.reservas_bookings set seats = seats + 1")
                    try connection.execute("update read_shadow.builds set \(change)")
                }
                // When, then
                #expect(try await replay(database).run() == .switched(at: log.head, compared: log.head, differences: []))
            }
        }
    }

    @Test("Of two runs at once the second says so and ends")
    func rivals() async throws {
        let log = try RandomHistory.make(events: 100, seed: 8)
        try await TestDatabase.with { database in
            try await live(log, database)
            // Given one that has begun
            let outcome = try await replay(database) { step in
                guard step == .taken else { return }
                // When another begins, then
                await #expect(throws: ReadModelReplay.AlreadyRunning.self) { try await replay(database).run() }
            }.run()
            #expect(outcome == .switched(at: log.head, compared: log.head, differences: []))
        }
    }

    @Test("An event that cannot be applied is named, and what was built before it stays")
    func poison() async throws {
        var log = try RandomHistory.make(events: 60, seed: 9)
        log.damage(at: Position(31), type: "reservas.ReservaConfirmada")
        try await TestDatabase.with { database in
            try await log.write(to: database.pool)
            let error = await #expect(throws: ReadModelReplay.Halted.self) { try await replay(database).run() }
            #expect(error?.position == Position(31))
            let letter = try #require(try await desk(database).letters().first)
            #expect(letter.kind == .readModels && letter.subscription == "reservas" && letter.position == Position(31))
            #expect(letter.type == "reservas.ReservaConfirmada" && letter.error == error?.reason && letter.attempts == 1)
            // And each further try counts
            await #expect(throws: ReadModelReplay.Halted.self) { try await replay(database).run() }
            #expect(try await desk(database).letters().map(\.attempts) == [2])
            // When its operator has decided to skip it, then it is passed over
            try await desk(database).skip("reservas", at: Position(31), by: "me", because: "damaged")
            #expect(try await replay(database).run() == .switched(at: log.head, compared: nil, differences: []))
            #expect(try await desk(database).letters().map(\.skip?.by) == ["me"])
        }
    }

    private func desk(_ database: TestDatabase) -> DeadLetterDesk {
        DeadLetterDesk(policies: database.pool, readModels: database.projector)
    }

    @Test("An event that the tables refuse is named, whatever its batch folds together, and all before it is kept")
    func refusedByTables() async throws {
        var log = TestLog()
        for number in 1...9 { try log.signUp(number, name: "P\(number)", email: "p\(number)@exemplo.com") }
        try await TestDatabase.with { [log] database in
            try await log.write(to: database.pool)
            // Given a table that does not take the fourth account
            let halted = await #expect(throws: ReadModelReplay.Halted.self) {
                try await replay(database, ContasModel()) { step in
                    guard step == .taken else { return }
                    try await database.pool.withConnection { connection in
                        try connection.executeScript("alter table read_shadow.contas_users add constraint c check (name <> 'P4')")
                    }
                }.run()
            }
            // Then
            #expect(halted?.position == Position(4))
            #expect(halted?.reason.contains("23514") == true && halted?.reason.contains("P4") == false)
            #expect(try await desk(database).letters().map(\.position) == [Position(4)])
            let built = try await database.pool.withConnection { connection in
                try connection.query("select position from read_shadow.builds where name = 'contas'").first?.get(0, Int64.self)
            }
            #expect(built == 3)
            // When the cause is gone
            try await database.pool.withConnection { connection in
                try connection.executeScript("alter table read_shadow.contas_users drop constraint c")
            }
            // Then it is applied after all, and nobody's dead letter
            #expect(try await replay(database, ContasModel()).run() == .switched(at: log.head, compared: nil, differences: []))
            #expect(try await desk(database).letters().isEmpty)
        }
    }

    @Test("As of a position it is built beside, and the live model stays as it is")
    func asOf() async throws {
        let log = try RandomHistory.make(events: 300, seed: 10)
        try await TestDatabase.with { database in
            try await live(log, through: Position(120), database)
            let stopped = try await digest(database, ReservasModel())
            try await live(log, database)
            let schema = try await replay(database).build(asOf: Position(120))
            #expect(schema == "read_at_reservas_120")
            #expect(try await digest(database, ReservasModel(), in: schema) == stopped)
            // And again where there is one, and gone when asked
            #expect(try await replay(database).build(asOf: Position(120)) == schema)
            try await replay(database).dropLeftovers()
            await #expect(throws: PostgresError.self) { try await digest(database, ReservasModel(), in: schema) }
        }
    }

    @Test("The last position at or before a time is found by halving")
    func times() async throws {
        let log = try RandomHistory.make(events: 50, seed: 11)
        try await TestDatabase.with { database in
            let reader = LogReader(pool: database.pool)
            #expect(try await reader.lastPosition(at: .max) == .start)
            try await log.write(to: database.pool)
            for event in log.events {
                #expect(try await reader.lastPosition(at: event.recordedAt) == event.position)
            }
            #expect(try await reader.lastPosition(at: log.events[0].recordedAt - 1) == .start)
            #expect(try await reader.lastPosition(at: .max) == log.head)
        }
    }

    /// What makes something unreadable, and a model that shows it.
    enum Erasure: CaseIterable {
        case person
        case books

        var model: any ReadModel {
            switch self {
            case .person: ReservasModel()
            case .books: RazaoModel()
            }
        }

        func record(in log: inout TestLog) throws {
            let time = Samples.time(9)
            switch self {
            case .person:
                try log.record(.usuario(Samples.id(1)), .usuarios(.usuarioApagado(UsuarioApagado(usuario: Samples.id(1), em: time))))
            case .books:
                let year = try #require(AnoDosLivros(2020))
                try log.record(.livros(year), .financeiro(.prazoDosLivrosEncerrado(PrazoDosLivrosEncerrado(ano: year, em: time))))
            }
        }
    }

    @Test("When something is erased, nothing that lies beside the live model outlives it", arguments: Erasure.allCases)
    func erasure(_ erasure: Erasure) async throws {
        var log = try RandomHistory.make(events: 200, seed: 12)
        let model = erasure.model
        try await TestDatabase.with { database in
            // Given what a replay replaced, what one kept as of a position, and what one left unfinished
            try await live(log, database)
            _ = try await replay(database, model).run()
            let side = try await replay(database, model).build(asOf: Position(100))
            await #expect(throws: Killed.self) { try await replay(database, model) { if $0 == .indexed { throw Killed() } }.run() }
            for schema in ["read_old", "read_shadow", side] { #expect(try await !shape(database, model, in: schema).isEmpty) }
            // When
            try erasure.record(in: &log)
            try await live(log, database)
            // Then, unless a vacuum is just there
            try await eventually("all is dropped") {
                try await live(log, database, models: [model])
                let left = try await database.pool.withConnection { connection in
                    try connection.query(
                        "select from pg_tables where schemaname ~ '^read_' and starts_with(tablename, $1)", "\(model.name)_"
                    ).count
                }
                return left == 0
            }
            await #expect(throws: PostgresError.self) { try await shape(database, model, in: side) }
            // And a replay that ran meanwhile comes to it in its turn
            #expect(try await replay(database, model).run() == .switched(at: log.head, compared: log.head, differences: []))
        }
    }

    @Test("When somebody is erased while a model is built, what is broken off then, or not to reach the erasure, does not stay")
    func erasureMeanwhile() async throws {
        let log = try RandomHistory.make(events: 200, seed: 12)
        try await TestDatabase.with { database in
            try await live(log, database)
            var erased = log
            try erased.record(
                .usuario(Samples.id(1)), .usuarios(.usuarioApagado(UsuarioApagado(usuario: Samples.id(1), em: Samples.time(9)))))
            // When it happens beside a replay that then dies, and beside one as of a position
            let end = erased
            await #expect(throws: Killed.self) {
                try await replay(database) {
                    guard $0 == .indexed else { return }
                    try await live(end, database)
                    throw Killed()
                }.run()
            }
            #expect(try await !shape(database, ReservasModel(), in: "read_shadow").isEmpty)
            var again = erased
            try again.record(
                .usuario(Samples.id(2)), .usuarios(.usuarioApagado(UsuarioApagado(usuario: Samples.id(2), em: Samples.time(9)))))
            let last = again
            await #expect(throws: SideSchema.Forgotten.self) {
                try await replay(database) { if $0 == .indexed { try await live(last, database) } }.build(asOf: Position(100))
            }
            // Then
            try await eventually("the live model's keeper has dropped the build") {
                try await live(last, database)
                return try await shape(database, ReservasModel(), in: "read_shadow").isEmpty
            }
            let sides = try await database.pool.withConnection {
                try $0.query("select from pg_namespace where starts_with(nspname, 'read_at_')")
            }
            #expect(sides.isEmpty)
            #expect(try await replay(database).run() == .switched(at: last.head, compared: last.head, differences: []))
        }
    }
}

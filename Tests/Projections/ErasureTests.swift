import Domain
import EventStore
import Postgres
import Synchronization
import Testing

@testable import Projections

/// Read models of people who were erased: the rows follow from the log alone, whoever still remembers whichever key.
@Suite("Erased people")
struct ErasureTests {
    /// Opens what it is not told to have been erased.
    private final class Keys: SealOpener {
        private let erased = Mutex(false)

        func erase() { erased.withLock { $0 = true } }

        func openOrErased(_ sealed: Selado, field: String) async throws -> String {
            // Whose text it is stands before a bar; only the first person's is ever erased.
            let text = try await PlainOpener().openOrErased(sealed, field: field)
            return text.hasPrefix("1|") && erased.withLock { $0 } ? Keyring.erasedText : text
        }
    }

    /// Two people with bookings, notes, sessions; the first is erased in the middle of it all.
    private func history() throws -> (log: TestLog, erasure: Int) {
        var log = TestLog()
        for number in 1...2 {
            try log.signUp(number, name: "\(number)|Nome", email: "\(number)|e@exemplo.com")
            let user: UsuarioID = Samples.id(number)
            let login = LoginRealizado(sessao: Samples.id(number), usuario: user, em: Samples.time(1))
            try log.record(.sessao(Samples.id(number)), .usuarios(.loginRealizado(login)))
            for booking in [number * 10, number * 10 + 1] {
                let interval = try Samples.interval(booking * 60, booking * 60 + 60)
                try log.book(booking, user: number, interval, notes: "\(number)|nota")
            }
            try log.book(number * 10 + 2, user: number, try Samples.interval(0, 60))
            try log.record(number * 10, .reservaCancelada(cancellation(number * 10, by: number, note: "\(number)|motivo")))
            let name = PlainOpener.seal("\(number)|Outro", field: "nome")
            try log.record(.usuario(user), .usuarios(.perfilAtualizado(PerfilAtualizado(usuario: user, nome: name, em: Samples.time(2)))))
            let told = NotificacaoSolicitada(
                notificacao: Samples.id(number), aviso: .mensagem, canal: .app, destinatario: user, idioma: .portugues,
                titulo: PlainOpener.seal("\(number)|Título", field: "titulo"), texto: PlainOpener.seal("\(number)|Texto", field: "texto"),
                enviarEm: Samples.time(2), em: Samples.time(2)
            )
            try log.record(.notificacao(Samples.id(number)), .notificacoes(.notificacaoSolicitada(told)))
            let wanted = PreferenciasDefinidas(
                usuario: user, idioma: .portugues, escolhas: [], telefone: PlainOpener.seal("\(number)|+55", field: "telefone"),
                em: Samples.time(2)
            )
            try log.record(.preferencias(user), .notificacoes(.preferenciasDefinidas(wanted)))
        }
        let ended = SessaoRevogada(sessao: Samples.id(3), usuario: Samples.id(1), motivo: .saida, em: Samples.time(3))
        let login = LoginRealizado(sessao: Samples.id(3), usuario: Samples.id(1), em: Samples.time(2))
        try log.record(.sessao(Samples.id(3)), .usuarios(.loginRealizado(login)), .usuarios(.sessaoRevogada(ended)))
        let erasure = log.events.count
        try log.record(.usuario(Samples.id(1)), .usuarios(.usuarioApagado(UsuarioApagado(usuario: Samples.id(1), em: Samples.time(9)))))
        // What is left of the erased person's goes on, and others go on as ever
        try log.record(11, .reservaCancelada(cancellation(11, by: 1, note: nil, reason: .contaApagada)))
        try log.record(12, .reservaConcluida(ReservaConcluida(reserva: Samples.id(12), em: Samples.time(20))))
        try log.book(30, user: 2, try Samples.interval(9000, 9060), notes: "2|depois")
        try log.signUp(4, name: "4|Nome", email: "4|e@exemplo.com")
        return (log, erasure)
    }

    private func cancellation(
        _ booking: Int,
        by user: Int,
        note: String?,
        reason: MotivoDoCancelamento = .membro
    ) -> ReservaCancelada {
        ReservaCancelada(
            reserva: Samples.id(booking), motivo: reason, por: Samples.id(user),
            justificativa: note.map { PlainOpener.seal($0, field: "justificativa") }, reembolso: Samples.refund(0), em: Samples.time(5)
        )
    }

    private func rows(
        of events: [RecordedEvent],
        cuts: [Int],
        schema: String,
        _ database: TestDatabase,
        opening: (Int) -> any SealOpener
    ) async throws -> [String: ReadModelDigest] {
        try await database.pool.withConnection { _ = try $0.execute("create schema \(schema)") }
        var digests: [String: ReadModelDigest] = [:]
        for model in Projections.models {
            var changes: [Changes] = []
            var start = 0
            for end in cuts + [events.count] {
                let projector = Projector(model, decoded: DecodedEvents(), opener: opening(start))
                changes.append(try await projector.changes(by: events[start..<end], skipping: []))
                start = end
            }
            let (tables, all) = (ReadModelTables(model: model, schema: schema), changes)
            digests[model.name] = try await database.pool.transaction { connection in
                try tables.create(on: connection)
                for change in all { try tables.write(change, on: connection) }
                return try ReadModelDigest(of: model, schema: schema, on: connection)
            }
        }
        return digests
    }

    @Test("Live with every key, and replayed without the erased person's, the rows are the same and show nothing of them")
    func replay() async throws {
        let (log, erasure) = try history()
        let (with, without) = (Keys(), Keys())
        without.erase()
        try await TestDatabase.with { database in
            // Given the rows of a process that remembers the key to the end
            let live = try await rows(of: log.events, cuts: [], schema: "live", database) { _ in with }
            // When they are made without the key, or it is lost anywhere on the way, or just before or after the erasure
            for (index, lost) in [0, 3, erasure - 1, erasure, erasure + 1].enumerated() {
                let other = try await rows(of: log.events, cuts: lost == 0 ? [] : [lost], schema: "without_\(index)", database) { start in
                    start >= lost ? without : with
                }
                // Then
                for (model, digest) in live {
                    #expect(other[model]?.differences(from: digest) == [], "\(model), the key lost before event \(lost + 1)")
                }
            }
            // And nothing is left of the erased person, and everything of the other
            let found = try await database.pool.withConnection { connection in
                try connection.query(
                    """
                    select (select count(*) from live.contas_users u where u::text like '%1|%')
                             + (select count(*) from live.reservas_bookings b where b::text like '%1|%'),
                           (select count(*) from live.contas_users u where u::text like '%2|Outro%'),
                           (select count(*) from live.reservas_bookings where notes like '2|%' or cancel_note like '2|%'),
                           (select count(*) from live.reservas_bookings where notes = $1),
                           (select count(*) from live.reservas_bookings where cancel_note = $1),
                           (select count(*) from live.contas_sessions where user_id = $2 and reason = 'apagamento'),
                           (select count(*) from live.contas_sessions where revoked_at is null)
                    """,
                    Keyring.erasedText,
                    (Samples.id(1) as UsuarioID).uuid
                ).first
            }
            let row = try #require(found)
            #expect(try (0..<7).map { try row.get($0, Int64.self) } == [0, 1, 3, 2, 1, 1, 1])
        }
    }

    @Test("An erased account shows that it is one; its session that had ended keeps its reason")
    func account() async throws {
        let (log, _) = try history()
        try await ReadSide.after(log) { read in
            let user = try #require(try await read.contas.user(Samples.id(1)))
            #expect((user.name, user.email, user.erasedAt) == (Keyring.erasedText, Keyring.erasedText, Samples.time(9)))
            #expect(try await read.contas.user(Samples.id(2))?.erasedAt == nil)
            #expect(try await read.contas.session(Samples.id(1))?.reason == .apagamento)
            #expect(try await read.contas.session(Samples.id(3))?.reason == .saida)
            #expect(try await read.reservas.booking(Samples.id(11))?.cancellation?.reason == .contaApagada)
        }
    }

    @Test("A block ends the sessions of the account that stand, and nobody else's")
    func block() async throws {
        var log = TestLog()
        for number in 1...2 {
            try log.signUp(number, name: "Nome", email: "e\(number)@exemplo.com")
            let login = LoginRealizado(sessao: Samples.id(number), usuario: Samples.id(number), em: Samples.time(1))
            try log.record(.sessao(Samples.id(number)), .usuarios(.loginRealizado(login)))
        }
        let block = UsuarioBloqueado(usuario: Samples.id(1), em: Samples.time(4))
        try log.record(.usuario(Samples.id(1)), .usuarios(.usuarioBloqueado(block)))
        try await ReadSide.after(log) { read in
            let ended = try #require(try await read.contas.session(Samples.id(1)))
            #expect((ended.revokedAt, ended.reason) == (Samples.time(4), .bloqueio))
            #expect(try await read.contas.session(Samples.id(2))?.revokedAt == nil)
            #expect(try await read.contas.endedSessions(since: Samples.time(3)) == [Samples.id(1)])
            #expect(try await read.contas.endedSessions(since: Samples.time(4)).isEmpty)
        }
    }

    @Test("What a replay has replaced is dropped when somebody is erased, and not before")
    func replaced() async throws {
        let (log, erasure) = try history()
        try await TestDatabase.with { database in
            // Given the tables that a replay left behind
            for model in Projections.models {
                let tables = ReadModelTables(model: model, schema: LiveModel.oldSchema)
                try await database.projector.transaction { try tables.create(on: $0) }
            }
            func left() async throws -> [String] {
                try await database.pool.withConnection { connection in
                    try connection.query("select tablename::text from pg_tables where schemaname = 'read_old' order by 1").map {
                        try $0.get(0, String.self)
                    }
                }
            }
            let all = try await left()
            let targets = Projections.models.map {
                ProjectionTarget($0, opener: PlainOpener(), pool: database.projector, logger: TestDatabase.logger)
            }
            // When all is applied up to the erasure, then they are there
            for target in targets {
                let start = try #require(try await target.acquire())
                try await target.apply(Array(log.events[..<erasure]), after: start, through: Position(Int64(erasure)))
            }
            let before = try await left()
            #expect(before == all)
            // When it is applied, then those of models that show people are gone
            for target in targets {
                try await target.apply(Array(log.events[erasure...]), after: Position(Int64(erasure)), through: log.head)
            }
            let after = try await left()
            #expect(after.allSatisfy { !$0.hasPrefix("contas_") && !$0.hasPrefix("reservas_") })
            #expect(after.contains { $0.hasPrefix("agenda_") })
        }
    }

    private func replay(
        _ database: TestDatabase,
        _ opener: any SealOpener,
        patience: Duration,
        step: @escaping @Sendable (ReadModelReplay.Step) async throws -> Void = { _ in }
    ) -> ReadModelReplay {
        ReadModelReplay(
            ContasModel(), configuration: Projections.configuration(database.configuration), opener: opener, logger: TestDatabase.logger,
            patience: patience, step: step
        )
    }

    /// A live model that has come to just before an erasure, of somebody whose key is deleted.
    private func standingBefore(_ erasure: Int, of log: TestLog, in database: TestDatabase) async throws -> (ProjectionTarget, Keys) {
        let keys = Keys()
        let target = ProjectionTarget(ContasModel(), opener: keys, pool: database.projector, logger: TestDatabase.logger)
        #expect(try await target.acquire() == .start)
        try await target.apply(Array(log.events[..<erasure]), after: .start, through: Position(Int64(erasure)))
        try await log.write(to: database.pool)
        keys.erase()
        return (target, keys)
    }

    @Test("What a replay without the key finds other than the live model before the erasure, it looks at again after it")
    func replayed() async throws {
        let (log, erasure) = try history()
        let before = Position(Int64(erasure))
        try await TestDatabase.with { database in
            // Given a live model just before the erasure, and a key that is deleted
            let (target, keys) = try await standingBefore(erasure, of: log, in: database)
            // When it stays there, then nobody says that its rows are wrong
            await #expect(throws: ReadModelReplay.Behind.self) { try await replay(database, keys, patience: .milliseconds(200)).run() }
            // When it goes on while a replay looks
            let looked = Counter()
            let outcome = try await replay(database, keys, patience: .seconds(30)) { step in
                guard step == .compared else { return }
                looked.count()
                guard looked.value == 1 else { return }
                try await target.apply(Array(log.events[erasure...]), after: before, through: log.head)
            }.run()
            // Then
            #expect(outcome == .switched(at: log.head, compared: log.head, differences: []))
            #expect(looked.value == 2)
        }
    }

    @Test("A replay without the key that is forced waits for no erasure")
    func forced() async throws {
        let (log, erasure) = try history()
        let before = Position(Int64(erasure))
        try await TestDatabase.with { database in
            let (_, keys) = try await standingBefore(erasure, of: log, in: database)
            let outcome = try await replay(database, keys, patience: .seconds(600)).run(force: true)
            guard case .switched(at: before, compared: .some(before), differences: let differences) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(differences.contains { $0.table == "contas_users" })
            #expect(try await ContasQueries(pool: database.gateway).user(Samples.id(1))?.name == Keyring.erasedText)
        }
    }

    /// Loses the key at the first text, and has the erasure recorded and applied then: the worst moment for a comparison.
    private struct Untimely: SealOpener {
        let erase: @Sendable () async throws -> Void
        private let once = Once()

        init(erase: @escaping @Sendable () async throws -> Void) {
            self.erase = erase
        }

        private actor Once {
            private var isDone = false

            func first() -> Bool {
                defer { isDone = true }
                return !isDone
            }
        }

        func openOrErased(_ sealed: Selado, field: String) async throws -> String {
            if await once.first() { try await erase() }
            let text = try await PlainOpener().openOrErased(sealed, field: field)
            return text.hasPrefix("1|") ? Keyring.erasedText : text
        }
    }

    @Test("An erasure in the middle of a comparison makes no difference")
    func verified() async throws {
        let (log, erasure) = try history()
        try await TestDatabase.with { database in
            // Given read models just before the erasure
            try await log.write(to: database.pool, through: erasure)
            let targets = Projections.models.map {
                ProjectionTarget($0, opener: PlainOpener(), pool: database.projector, logger: TestDatabase.logger)
            }
            for target in targets {
                let start = try #require(try await target.acquire())
                try await target.apply(Array(log.events[..<erasure]), after: start, through: Position(Int64(erasure)))
            }
            let opener = Untimely {
                try await log.write(to: database.pool, through: log.events.count)
                for target in targets {
                    try await target.apply(Array(log.events[erasure...]), after: Position(Int64(erasure)), through: log.head)
                }
            }
            // When they are compared while it happens
            let verifier = ReadModelVerifier(
                configuration: Projections.configuration(database.configuration), opener: opener, logger: TestDatabase.logger
            )
            let verdicts = try await verifier.compare()
            // Then
            for (name, verdict) in verdicts {
                guard case .equal = verdict else {
                    Issue.record("\(name): \(verdict)")
                    continue
                }
            }
            #expect(verdicts["contas"] == .equal(at: log.head))
        }
    }
}

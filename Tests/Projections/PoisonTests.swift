import Domain
import EventStore
import Postgres
import Testing

@testable import Projections

@Suite("A read model at an event that cannot be applied")
struct PoisonTests {
    private func target(_ database: TestDatabase, of model: any ReadModel = ContasModel()) -> ProjectionTarget {
        ProjectionTarget(model, opener: PlainOpener(), pool: database.projector, logger: TestDatabase.logger)
    }

    private func desk(_ database: TestDatabase) -> DeadLetterDesk {
        DeadLetterDesk(policies: database.pool, readModels: database.projector)
    }

    private func position(_ database: TestDatabase) async throws -> Position? {
        try await database.gateway.withConnection { try ReadModelProgress.all(on: $0) }.first { $0.name == "contas" }?.position
    }

    private func names(_ database: TestDatabase) async throws -> [String] {
        try await ContasQueries(pool: database.gateway).users(limit: 200).items.map(\.name).sorted()
    }

    /// Sign-ups of the persons 1, 2, 3 …, one of them with a payload that is no JSON.
    private func log(_ count: Int, poison: Int) throws -> TestLog {
        var log = TestLog()
        for number in 1...count { try log.signUp(number, name: "P\(number)", email: "p\(number)@exemplo.com") }
        log.spoil(poison)
        return log
    }

    @Test("Everything before it is applied, it is recorded without what it says, and the model halts there", arguments: [1, 2, 37, 64])
    func halts(poison: Int) async throws {
        let log = try log(64, poison: poison)
        try await TestDatabase.with { database in
            // Given
            let target = target(database)
            _ = try await target.acquire()
            // When all come in one batch
            let halt = await #expect(throws: SubscriptionHalted.self) {
                try await target.apply(log.events, after: .start, through: log.head)
            }
            // Then
            #expect(halt?.position == Position(Int64(poison)))
            #expect(try await position(database) == Position(Int64(poison - 1)))
            #expect(try await names(database).count == poison - 1)
            let letter = try #require(try await desk(database).letters().first)
            #expect(letter.kind == .readModels && letter.subscription == "contas" && letter.position == halt?.position)
            #expect(letter.stream == log.events[poison - 1].stream && letter.type == UsuarioCadastrado.tipo)
            #expect(letter.error == "invalid payload of usuarios.UsuarioCadastrado v1 at ''")
            #expect(letter.attempts == 1 && letter.skip == nil)
            // And each further try counts, and nothing releases it
            let start = try #require(try await target.acquire())
            await #expect(throws: SubscriptionHalted.self) {
                try await target.apply(Array(log.events[(poison - 1)...]), after: start, through: log.head)
            }
            #expect(try await desk(database).letters().map(\.attempts) == [2])
            #expect(try await target.isReleased(from: try #require(halt)) == false)
        }
    }

    @Test("An event that stops a rebuild is seen and skipped as any other, though the rows that are served are past it")
    func rebuild() async throws {
        let log = try log(9, poison: 4)
        try await TestDatabase.with { database in
            // Given rows of an older definition, which has come to the end
            let first = target(database)
            _ = try await first.acquire()
            try await first.release()
            try await log.write(to: database.pool)
            try await database.pool.withConnection { connection in
                _ = try connection.execute("update read.checkpoints set definition = 'older', position = 9 where name = 'contas'")
            }
            // When
            let target = target(database)
            let halt = await #expect(throws: SubscriptionHalted.self) { _ = try await target.acquire() }
            // Then
            #expect(halt?.position == Position(4))
            let letter = try #require(try await desk(database).letters().first)
            #expect(letter.subscription == "contas" && letter.position == Position(4) && letter.skip == nil)
            #expect(letter.error == "invalid payload of usuarios.UsuarioCadastrado v1 at ''")
            // And it stays, whoever keeps the older rows up
            let standing = try await database.projector.withConnection { connection in
                try DeadLetters(.readModels).standing(of: "contas", at: Position(9), on: connection)
            }
            #expect(standing.count == 0)
            #expect(try await desk(database).letters().count == 1)
            #expect(try await target.keep())
            #expect(try await !target.isReleased(from: try #require(halt)))
            #expect(try await position(database) == Position(9))
            // When somebody asks for another try, and when it is skipped
            #expect(try await desk(database).retry("contas", at: Position(4)) == 1)
            #expect(try await target.isReleased(from: try #require(halt)))
            await #expect(throws: SubscriptionHalted.self) { _ = try await target.acquire() }
            #expect(try await !target.isReleased(from: try #require(halt)))
            try await desk(database).skip("contas", at: Position(4), by: "ana", because: "written by a broken build")
            #expect(try await target.isReleased(from: try #require(halt)))
            // Then it is built, and kept from now on
            #expect(try await target.acquire() == log.head)
            #expect(try await target.keep())
            #expect(try await names(database) == ["P1", "P2", "P3", "P5", "P6", "P7", "P8", "P9"])
        }
    }

    @Test("A value that the tables refuse is found in a batch, whatever the batch folds together")
    func refusedByDatabase() async throws {
        try await TestDatabase.with { database in
            // Given a table that does not take the fourth account
            let target = target(database)
            _ = try await target.acquire()
            try await database.pool.withConnection { connection in
                try connection.executeScript("alter table read.contas_users add check (name <> 'P4')")
            }
            var log = TestLog()
            for number in 1...9 { try log.signUp(number, name: "P\(number)", email: "p\(number)@exemplo.com") }
            // When
            let halt = await #expect(throws: SubscriptionHalted.self) {
                try await target.apply(log.events, after: .start, through: log.head)
            }
            // Then
            #expect(halt?.position == Position(4))
            #expect(try await names(database) == ["P1", "P2", "P3"])
            let letter = try #require(try await desk(database).letters().first)
            #expect(letter.error?.contains("23514") == true && letter.error?.contains("P4") == false)
        }
    }

    @Test("What the server refuses for a reason that lies in no event is nobody's dead letter")
    func serversFault() async throws {
        let log = try log(4, poison: 4)
        try await TestDatabase.with { database in
            let target = target(database)
            _ = try await target.acquire()
            try await database.pool.withConnection { connection in
                try connection.executeScript("alter table read.contas_users owner to current_user")
            }
            let error = await #expect(throws: PostgresError.self) {
                try await target.apply(Array(log.events[..<3]), after: .start, through: Position(3))
            }
            #expect(error?.sqlState == "42501")
            #expect(try await desk(database).letters().isEmpty)
        }
    }

    @Test("Retried once the program can apply it, the row is gone and the model equals a fresh replay")
    func retried() async throws {
        var log = try log(6, poison: 3)
        try await TestDatabase.with { database in
            // Given
            let first = target(database)
            _ = try await first.acquire()
            let halt = await #expect(throws: SubscriptionHalted.self) {
                try await first.apply(log.events, after: .start, through: log.head)
            }
            // When somebody asks, then it is released
            #expect(try await desk(database).retry("contas", at: Position(3)) == 1)
            #expect(try await first.isReleased(from: try #require(halt)))
            // And when the program has learnt to apply it
            log.heal(3)
            try await first.apply(Array(log.events[2...]), after: Position(2), through: log.head)
            // Then
            #expect(try await names(database).count == 6)
            #expect(try await desk(database).letters().isEmpty)
            try await log.write(to: database.pool)
            #expect(try await verdict(database) == .equal(at: log.head))
        }
    }

    @Test("Skipped, it is passed over by the live model, after a restart and in a replay")
    func skipped() async throws {
        let log = try log(6, poison: 3)
        try await TestDatabase.with { database in
            // Given
            let first = target(database)
            _ = try await first.acquire()
            let halt = await #expect(throws: SubscriptionHalted.self) {
                try await first.apply(log.events, after: .start, through: log.head)
            }
            // When
            try await desk(database).skip("contas", at: Position(3), by: "ana", because: "written by a broken build")
            // Then
            #expect(try await first.isReleased(from: try #require(halt)))
            try await first.apply(Array(log.events[2...]), after: Position(2), through: log.head)
            #expect(try await names(database) == ["P1", "P2", "P4", "P5", "P6"])
            // And who and why is kept
            let letter = try #require(try await desk(database).letters().first)
            #expect(letter.skip?.by == "ana" && letter.skip?.reason == "written by a broken build")
            let again = await #expect(throws: DeadLetterDesk.Problem.self) {
                try await desk(database).retry("contas", at: Position(3))
            }
            #expect(again == .skippedBefore(subscription: "contas", position: Position(3)))
            // And a replay obeys it
            try await log.write(to: database.pool)
            #expect(try await verdict(database) == .equal(at: log.head))
            // And so does a process that has just started, from the first event
            try await database.pool.withConnection { connection in
                try connection.executeScript("update read.checkpoints set position = 0, owner = null; truncate read.contas_users")
            }
            let second = target(database)
            _ = try await second.acquire()
            try await second.apply(log.events, after: .start, through: log.head)
            #expect(try await names(database).count == 5)
        }
    }

    /// A model that has passed an event which was skipped, and a program that can apply it now.
    private func passed(_ log: inout TestLog, _ database: TestDatabase) async throws -> ProjectionTarget {
        let target = target(database)
        _ = try await target.acquire()
        let events = log.events
        await #expect(throws: SubscriptionHalted.self) { try await target.apply(events, after: .start, through: log.head) }
        try await desk(database).skip("contas", at: Position(3), by: "ana", because: "it cannot be read")
        _ = try await target.acquire()
        try await target.apply(Array(events[2...]), after: Position(2), through: log.head)
        return target
    }

    private func replay(_ database: TestDatabase) -> ReadModelReplay {
        ReadModelReplay(
            ContasModel(), configuration: Projections.configuration(database.configuration), opener: PlainOpener(),
            logger: TestDatabase.logger
        )
    }

    @Test("A skip that is taken back: the event is applied in its place where the model is built anew, and then nothing waits")
    func unskipped() async throws {
        var log = try log(6, poison: 3)
        try await TestDatabase.with { database in
            // Given
            let target = try await passed(&log, database)
            let desk = desk(database)
            log.heal(3)
            try await log.write(to: database.pool)
            // When
            #expect(try await desk.unskip("contas", at: Position(3), by: "rui", because: "now it can") == .readModels)
            // Then the live model goes on without it, and says that it lacks it
            #expect(try await target.acquire() == log.head)
            #expect(try await desk.letters().map(\.isRebuildAsked) == [true])
            #expect(try await names(database).count == 5)
            guard case .different = try await verdict(database) else {
                Issue.record("the rows are those of the log")
                return
            }
            await #expect(throws: DeadLetterDesk.Problem.nothingWaits(subscription: "contas")) { try await desk.retry("contas") }
            // When it is built anew, then nobody need force the difference
            guard case .switched(at: log.head, compared: log.head, let differences) = try await replay(database).run() else {
                Issue.record("it was not switched")
                return
            }
            #expect(!differences.isEmpty)
            #expect(try await names(database) == ["P1", "P2", "P3", "P4", "P5", "P6"])
            #expect(try await desk.letters().isEmpty)
            #expect(try await desk.decisions(about: Position(3)).map(\.kind) == [.skip, .unskip])
            #expect(try await verdict(database) == .equal(at: log.head))
        }
    }

    @Test("A skip that is taken back too early: the replay says so, the live model stays, and the skip may be made again")
    func unskippedTooEarly() async throws {
        var log = try log(6, poison: 3)
        try await TestDatabase.with { database in
            // Given
            let target = try await passed(&log, database)
            let desk = desk(database)
            try await log.write(to: database.pool)
            try await desk.unskip("contas", at: Position(3), by: "rui", because: "perhaps it can")
            // When
            let halt = await #expect(throws: ReadModelReplay.Halted.self) { try await replay(database).run() }
            // Then
            #expect(halt?.position == Position(3))
            #expect(try await target.acquire() == log.head)
            try await desk.skip("contas", at: Position(3), by: "rui", because: "it cannot")
            #expect(try await replay(database).run() == .switched(at: log.head, compared: log.head, differences: []))
            #expect(try await names(database).count == 5)
        }
    }

    @Test("What a replay has built without the event is thrown away when the skip is taken back")
    func unskippedMeanwhile() async throws {
        var log = try log(6, poison: 3)
        try await TestDatabase.with { database in
            // Given a replay that was broken off when it had passed the event
            _ = try await passed(&log, database)
            log.heal(3)
            try await log.write(to: database.pool)
            let broken = ReadModelReplay(
                ContasModel(), configuration: Projections.configuration(database.configuration), opener: PlainOpener(),
                logger: TestDatabase.logger
            ) { step in
                if step == .indexed { throw CancellationError() }
            }
            await #expect(throws: CancellationError.self) { try await broken.run() }
            // When
            try await desk(database).unskip("contas", at: Position(3), by: "rui", because: "now it can")
            _ = try await replay(database).run()
            // Then
            #expect(try await names(database).count == 6)
        }
    }

    @Test("An event that is skipped while it is being applied is not applied")
    func skippedMeanwhile() async throws {
        var log = try log(3, poison: 2)
        try await TestDatabase.with { database in
            // Given a model that halted, and a program that can apply the event now
            let target = target(database)
            _ = try await target.acquire()
            await #expect(throws: SubscriptionHalted.self) { try await target.apply(log.events, after: .start, through: log.head) }
            log.heal(2)
            // When it is skipped, and the target has not looked
            try await desk(database).skip("contas", at: Position(2), by: "ana", because: "no")
            // Then nothing of the batch lands
            await #expect(throws: CheckpointMoved.self) {
                try await target.apply(Array(log.events[1...]), after: Position(1), through: log.head)
            }
            #expect(try await names(database) == ["P1"])
            #expect(try await target.acquire() == Position(1))
            try await target.apply(Array(log.events[1...]), after: Position(1), through: log.head)
            #expect(try await names(database) == ["P1", "P3"])
        }
    }

    @Test("What names nothing, or nothing that waits, is refused by name")
    func refusals() async throws {
        let log = try log(3, poison: 2)
        try await TestDatabase.with { database in
            let target = target(database)
            _ = try await target.acquire()
            let desk = desk(database)
            typealias Problem = DeadLetterDesk.Problem
            await #expect(throws: Problem.nothingWaits(subscription: "contas")) { try await desk.retry("contas") }
            await #expect(throws: SubscriptionHalted.self) { try await target.apply(log.events, after: .start, through: log.head) }
            await #expect(throws: Problem.unknownSubscription("conta", known: ["contas"])) { try await desk.retry("conta") }
            await #expect(throws: Problem.unknownSubscription("x", known: ["contas"])) { try await desk.letters(of: "x") }
            await #expect(throws: Problem.notSetAside(subscription: "contas", position: Position(1))) {
                try await desk.skip("contas", at: Position(1), by: "ana", because: "no")
            }
            await #expect(throws: Problem.unexplained) {
                try await desk.skip("contas", at: Position(2), by: "ana", because: "")
            }
            #expect(try await desk.letters(at: Position(2)).count == 1)
            #expect(try await desk.letters(at: Position(1)).isEmpty)
        }
    }

    private func verdict(_ database: TestDatabase) async throws -> ReadModelVerdict? {
        try await ReadModelVerifier(
            configuration: Projections.configuration(database.configuration), opener: PlainOpener(), models: [ContasModel()],
            logger: TestDatabase.logger
        ).compare(timeout: .seconds(1))["contas"]
    }
}

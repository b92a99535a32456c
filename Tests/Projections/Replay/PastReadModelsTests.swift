import EventStore
import Postgres
import TestSupport
import Testing

@testable import Projections

@Suite("Read models as they were")
struct PastReadModelsTests {
    private static let patience = Duration.seconds(30)

    /// Runs a test beside the service.
    private func past(
        _ database: TestDatabase,
        capacity: Int = 4,
        _ test: @escaping @Sendable (PastReadModels) async throws -> Void
    ) async throws {
        let past = PastReadModels(
            configuration: Projections.configuration(database.configuration), opener: PlainOpener(), capacity: capacity,
            logger: TestDatabase.logger
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await past.run() }
            group.addTask {
                try await eventually("it serves") {
                    (try? await past.with("contas", asOf: .start, patience: Self.patience) { _ in true }) ?? false
                }
                try await test(past)
            }
            // The test ends first: the service runs until it is cancelled.
            try await group.next()
            group.cancelAll()
        }
    }

    private func sides(_ database: TestDatabase) async throws -> [String] {
        try await database.pool.withConnection { connection in
            try connection.query("select nspname::text from pg_namespace where starts_with(nspname, 'read_at_') order by 1").map {
                try $0.get(0, String.self)
            }
        }
    }

    @Test("A past read model equals one that was stopped there, and the gateway may read it", arguments: [1, 150, 299, 300] as [Int64])
    func equal(position: Int64) async throws {
        let log = try RandomHistory.make(events: 300, seed: 5)
        try await TestDatabase.with { database in
            try await log.write(to: database.pool)
            // Given the live models, stopped at a position
            for model in Projections.models {
                let target = ProjectionTarget(model, opener: PlainOpener(), pool: database.projector, logger: TestDatabase.logger)
                _ = try await target.acquire()
                let events = log.events.filter { $0.position.rawValue <= position }
                try await target.apply(events, after: .start, through: Position(position))
            }
            // When they are asked for as of that position
            try await past(database) { past in
                for model in Projections.models {
                    let (there, live, readable) = try await past.with(
                        model.name, asOf: Position(position), patience: Self.patience
                    ) { schema in
                        (
                            try await database.pool.withConnection { try ReadModelDigest(of: model, schema: schema, on: $0) },
                            try await database.pool.withConnection { try ReadModelDigest(of: model, schema: "read", on: $0) },
                            try await database.gateway.withConnection { connection in
                                try connection.query("select count(*) from \(schema).\(model.tables[0].name)").count
                            }
                        )
                    }
                    // Then
                    #expect(there == live)
                    #expect(readable == 1)
                }
            }
        }
    }

    @Test("Those who ask for the same share one; the one unused for longest makes room; what is in use stays")
    func bounded() async throws {
        let log = try RandomHistory.make(events: 60, seed: 6)
        try await TestDatabase.with { database in
            try await log.write(to: database.pool)
            try await past(database, capacity: 2) { past in
                // Given one that eight use at once
                try await withThrowingTaskGroup(of: String.self) { group in
                    for _ in 0..<8 {
                        group.addTask { try await past.with("reservas", asOf: Position(50), patience: Self.patience) { $0 } }
                    }
                    var schemas: Set<String> = []
                    for try await schema in group { schemas.insert(schema) }
                    // Then it is one
                    #expect(schemas.count == 1)
                }
                // When more are used than may be there
                try await past.with("reservas", asOf: Position(50), patience: Self.patience) { _ in
                    try await past.with("reservas", asOf: Position(51), patience: Self.patience) { _ in
                        // Then whoever comes then is refused, and those who share are not
                        await #expect(throws: PastReadModels.Problem.full) {
                            try await past.with("reservas", asOf: Position(52), patience: Self.patience) { _ in }
                        }
                        try await past.with("reservas", asOf: Position(50), patience: Self.patience) { _ in }
                    }
                }
                // And afterwards there is room again
                try await past.with("reservas", asOf: Position(52), patience: Self.patience) { _ in }
                try await eventually("one made room") { try await sides(database).count == 2 }
                #expect(try await sides(database).contains { $0.contains("_50_") })
            }
            // And a service that ends leaves nothing behind
            #expect(try await sides(database).isEmpty)
        }
    }

    @Test("What a killed process left behind is dropped by the next, and what is kept on purpose is not")
    func sweep() async throws {
        try await TestDatabase.with { database in
            let configuration = Projections.configuration(database.configuration)
            let model = ContasModel()
            let builder = ReadModelBuilder(model, pool: database.projector, opener: PlainOpener())
            // Given two that a process made, one of them to stay
            let dying = try await PostgresConnection.connect(configuration, logger: TestDatabase.logger)
            let keeper = try await dying.run { try SideSchema.makeKeeper(on: $0) }
            let kept = SideSchema(model, at: .start)
            for side in [SideSchema(model, at: .start, suffix: "lost"), kept] {
                try await side.build(on: dying, keeper: keeper, builder: builder) { _ in }
            }
            try await dying.run { try kept.keep(on: $0) }
            // When somebody looks while it lives, nothing goes
            try await database.projector.withConnection { try SideSchema.sweep(on: $0) }
            #expect(try await sides(database).count == 2)
            // When it dies
            await dying.close()
            // Then
            try await eventually("it is swept") {
                try await database.projector.withConnection { try SideSchema.sweep(on: $0) }
                return try await sides(database) == [kept.name]
            }
        }
    }

    @Test("The projector can make no schema of another kind")
    func names() async throws {
        try await TestDatabase.with { database in
            for name in ["read", "public2", "read_at_", "read_at_X", "read_at_a; drop schema read"] {
                await #expect(throws: PostgresError.self) {
                    try await database.projector.withConnection { _ = try $0.execute("select read_shadow.create_side($1)", name) }
                }
            }
        }
    }
}

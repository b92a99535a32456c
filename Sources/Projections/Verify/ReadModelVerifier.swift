import Domain
package import EventStore
package import Logging
package import Postgres

/// What a comparison of a read model with a fresh replay of the log found.
package enum ReadModelVerdict: Sendable, Equatable, CustomStringConvertible {
    /// The same rows.
    case equal(at: Position)
    /// Tables whose rows differ.
    case different(at: Position, tables: [String])
    /// The model did not reach the head of the log in time.
    case behind(position: Position, head: Position)
    /// There is no such model, or another version of the program keeps it.
    case missing

    package var description: String {
        switch self {
        case .equal(let position): "equal to a replay, at position \(position)"
        case .different(let position, let tables): "DIFFERENT from a replay, at position \(position): \(tables.joined(separator: ", "))"
        case .behind(let position, let head): "BEHIND at position \(position) of \(head): does 'coworkflow projections' run?"
        case .missing: "MISSING, or another version of the program keeps it"
        }
    }
}

/// Builds read models anew from the first event and compares them with the live ones at the same position.
///
/// The copies are temporary tables of one connection: they are nobody else's, and gone with it.
package struct ReadModelVerifier: Sendable {
    private static let copySchema = "pg_temp"

    private let configuration: PostgresConfiguration
    private let opener: any SealOpener
    private let models: [any ReadModel]
    private let logger: Logger

    /// - Parameter configuration: of `Projections.configuration`.
    package init(
        configuration: PostgresConfiguration,
        opener: any SealOpener,
        models: [any ReadModel] = Projections.models,
        logger: Logger
    ) {
        self.configuration = configuration
        self.opener = opener
        self.models = models
        self.logger = logger
    }

    /// Compares every read model, each where it stands once it has reached what is now the head of the log. Models may go on
    /// living meanwhile.
    ///
    /// - Parameter timeout: how long the models may take, all together, to get there.
    /// - Returns: what was found, by model.
    package func compare(timeout: Duration = .seconds(30)) async throws -> [String: ReadModelVerdict] {
        let pool = PostgresPool(configuration, maximumConnections: 1, logger: logger)
        let copies = try await PostgresConnection.connect(configuration, logger: logger)
        do {
            let head = try await LogReader(pool: pool).head()
            let deadline = ContinuousClock.now + timeout
            var verdicts: [String: ReadModelVerdict] = [:]
            for model in models {
                verdicts[model.name] = try await compare(model, head: head, by: deadline, pool: pool, copies: copies)
            }
            await copies.close()
            await pool.close()
            return verdicts
        } catch {
            await copies.close()
            await pool.close()
            throw error
        }
    }

    private func compare(
        _ model: any ReadModel,
        head: Position,
        by deadline: ContinuousClock.Instant,
        pool: PostgresPool,
        copies: PostgresConnection
    ) async throws -> ReadModelVerdict {
        var live = try await snapshot(of: model, atLeast: head, pool: pool)
        while case .behind = live, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(20))
            live = try await snapshot(of: model, atLeast: head, pool: pool)
        }
        switch live {
        case .missing: return .missing
        case .behind(let position): return .behind(position: position, head: head)
        case .reached(let position, let digest):
            let copy = try await replay(model, through: position, pool: pool, on: copies)
            let tables = digest.differences(from: copy)
            if tables.isEmpty { return .equal(at: position) }
            if ContinuousClock.now < deadline, let erasure = try await LogReader(pool: pool).erasure(for: model, after: position) {
                return try await compare(model, head: erasure, by: deadline, pool: pool, copies: copies)
            }
            return .different(at: position, tables: tables)
        }
    }

    private enum Snapshot: Sendable {
        case missing
        case behind(Position)
        case reached(Position, ReadModelDigest)
    }

    /// Where the live model stands and what it holds there, seen at one instant.
    private func snapshot(of model: any ReadModel, atLeast head: Position, pool: PostgresPool) async throws -> Snapshot {
        let definition = model.definition
        return try await pool.transaction(isolation: .repeatableRead, readOnly: true) { connection in
            try ReadModelDigest.prepare(connection)
            let row = try connection.query(
                "select position from read.checkpoints where name = $1 and definition = $2",
                model.name,
                definition
            ).first
            guard let row else { return .missing }
            let position = Position(try row.get(0, Int64.self))
            guard position >= head else { return .behind(position) }
            return .reached(position, try ReadModelDigest(of: model, schema: Projections.schema, on: connection))
        }
    }

    private func replay(
        _ model: any ReadModel,
        through end: Position,
        pool: PostgresPool,
        on copies: PostgresConnection
    ) async throws -> ReadModelDigest {
        let tables = ReadModelTables(model: model, schema: Self.copySchema)
        try await copies.run { connection in
            try connection.transaction { connection in
                for table in model.tables { try connection.execute("drop table if exists \(Self.copySchema).\(table.name)") }
                try tables.createBare(on: connection)
            }
        }
        try await ReadModelBuilder(model, pool: pool, opener: opener).run(after: .start, through: end) { batch in
            try await copies.run { connection in try connection.transaction { try tables.write(batch.changes, on: $0) } }
        }
        return try await copies.run { connection in
            try connection.transaction { connection in
                try ReadModelDigest.prepare(connection)
                return try ReadModelDigest(of: model, schema: Self.copySchema, on: connection)
            }
        }
    }
}

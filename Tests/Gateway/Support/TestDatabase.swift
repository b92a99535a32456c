import EventStore
import FoundationEssentials
import Logging
import Postgres
import Projections

/// A migrated database of one test's own, on the server named by `COWORKFLOW_TEST_POSTGRES`.
struct TestDatabase: Sendable {
    struct ServerMissing: Error, CustomStringConvertible {
        let description = "set COWORKFLOW_TEST_POSTGRES to the URL of a Postgres superuser, for example with `make test`"
    }

    static let logger: Logger = {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }()

    /// For the superuser.
    let pool: PostgresPool
    /// For the keepers of read models.
    let projector: PostgresPool
    /// As the gateway connects.
    let gateway: PostgresPool
    /// Of the keepers of read models.
    let projections: PostgresConfiguration

    private let name: String

    /// Runs a test with a database that is dropped afterwards, also when the test throws.
    static func with(_ test: (TestDatabase) async throws -> Void) async throws {
        guard let url = ProcessInfo.processInfo.environment["COWORKFLOW_TEST_POSTGRES"] else { throw ServerMissing() }
        let server = try PostgresConfiguration(url: url)
        let database = TestDatabase(server, name: "gateway_test_\(UUID().uuidString.prefix(8).lowercased())")
        try await clone(into: database.name, on: server)
        let result: Result<Void, any Error>
        do {
            result = .success(try await test(database))
        } catch {
            result = .failure(error)
        }
        for pool in [database.pool, database.projector, database.gateway] { await pool.close() }
        let admin = try await PostgresConnection.connect(server, logger: logger)
        try await admin.execute("drop database \(database.name) with (force)")
        await admin.close()
        try result.get()
    }

    private init(_ server: PostgresConfiguration, name: String) {
        self.name = name
        let configuration = server.with(database: name)
        func pool(_ configuration: PostgresConfiguration) -> PostgresPool {
            PostgresPool(configuration, maximumConnections: 4, logger: Self.logger)
        }
        self.pool = pool(configuration)
        projections = Projections.configuration(configuration)
        projector = pool(projections)
        gateway = pool(configuration.with(role: DatabaseRole.gateway.rawValue))
    }

    /// Clones a database that is migrated once and stays on the server; a lock lets one process at a time touch it, since it
    /// can only be cloned while nobody is connected to it.
    private static func clone(into name: String, on server: PostgresConfiguration) async throws {
        let template = "gateway_test_template"
        let admin = try await PostgresConnection.connect(server, logger: logger)
        try await admin.execute("select pg_advisory_lock(727275)")
        if try await admin.query("select 1 from pg_database where datname = $1", template).isEmpty {
            try await admin.execute("create database \(template)")
        }
        do {
            try await migrate(server.with(database: template))
        } catch is Migrator.Problem {
            // Left by an earlier form of the migrations.
            try await admin.execute("drop database \(template) with (force)")
            try await admin.execute("create database \(template)")
            try await migrate(server.with(database: template))
        }
        try await admin.execute("create database \(name) template \(template)")
        await admin.close()
    }

    private static func migrate(_ database: PostgresConfiguration) async throws {
        let connection = try await PostgresConnection.connect(database, logger: logger)
        let result: Result<[String], any Error>
        do {
            result = .success(try await Migrator(logger: logger).migrate(connection))
        } catch {
            result = .failure(error)
        }
        await connection.close()
        _ = try result.get()
    }
}

extension PostgresConfiguration {
    /// Of a database that nobody can reach: for tests that must not need one.
    static let unreachable = PostgresConfiguration(port: 1, database: "none", user: "none", connectTimeout: .seconds(1))
}

extension PostgresPool {
    static func unreachable() -> PostgresPool {
        PostgresPool(
            .unreachable,
            maximumConnections: 1,
            waitTimeout: .milliseconds(200),
            logger: TestDatabase.logger
        )
    }
}

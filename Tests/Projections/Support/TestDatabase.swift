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

    /// As the server's superuser.
    let configuration: PostgresConfiguration
    /// For the superuser.
    let pool: PostgresPool
    /// For the keepers of read models.
    let projector: PostgresPool
    /// For the readers of read models.
    let gateway: PostgresPool

    /// Runs a test with a database that is dropped afterwards, also when the test throws.
    static func with(_ test: (TestDatabase) async throws -> Void) async throws {
        guard let url = ProcessInfo.processInfo.environment["COWORKFLOW_TEST_POSTGRES"] else { throw ServerMissing() }
        let server = try PostgresConfiguration(url: url)
        let name = "projections_test_\(UUID().uuidString.prefix(8).lowercased())"
        try await clone(into: name, on: server)
        let database = TestDatabase(server.with(database: name))
        do {
            try await test(database)
        } catch {
            try await database.drop(from: server)
            throw error
        }
        try await database.drop(from: server)
    }

    private init(_ configuration: PostgresConfiguration) {
        func pool(_ configuration: PostgresConfiguration) -> PostgresPool {
            PostgresPool(configuration, maximumConnections: 3, logger: Self.logger)
        }
        self.configuration = configuration
        self.pool = pool(configuration)
        projector = pool(Projections.configuration(configuration))
        gateway = pool(configuration.with(role: DatabaseRole.gateway.rawValue))
    }

    private func drop(from server: PostgresConfiguration) async throws {
        for pool in [pool, projector, gateway] { await pool.close() }
        let name = configuration.database
        try await Self.administer(server) { try $0.execute("drop database \(name) with (force)") }
    }

    /// Clones a database that is migrated once and stays on the server; a lock lets one process at a time touch it, since it
    /// can only be cloned while nobody is connected to it.
    private static func clone(into name: String, on server: PostgresConfiguration) async throws {
        let template = "projections_test_template"
        let admin = try await PostgresConnection.connect(server, logger: logger)
        try await admin.execute("select pg_advisory_lock(727274)")
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
        try await admin.execute("select pg_advisory_unlock(727274)")
        await admin.close()
    }

    private static func migrate(_ database: PostgresConfiguration) async throws {
        let connection = try await PostgresConnection.connect(database, logger: logger)
        do {
            try await Migrator(logger: logger).migrate(connection)
            await connection.close()
        } catch {
            await connection.close()
            throw error
        }
    }

    private static func administer(
        _ server: PostgresConfiguration,
        _ body: @Sendable (isolated PostgresConnection) throws -> Int
    ) async throws {
        let admin = try await PostgresConnection.connect(server, logger: logger)
        _ = try await admin.run(body)
        await admin.close()
    }
}

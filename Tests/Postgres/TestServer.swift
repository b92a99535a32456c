import Logging
import Postgres
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#endif

/// The server the tests run against, from `COWORKFLOW_TEST_POSTGRES`.
enum TestServer {
    static let variable = "COWORKFLOW_TEST_POSTGRES"

    struct Missing: Error, CustomStringConvertible {
        let description = "set \(TestServer.variable) to the URL of a Postgres superuser, for example with `make test`"
    }

    static func configuration() throws -> PostgresConfiguration {
        guard let url = ProcessInfo.processInfo.environment[variable] else { throw Missing() }
        return try PostgresConfiguration(url: url)
    }

    static let logger: Logger = {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }()

    /// Runs a test with a database of its own, which is dropped afterwards.
    static func withDatabase<T: Sendable>(_ body: (PostgresConfiguration) async throws -> T) async throws -> T {
        let server = try configuration()
        let name = "pgtest_" + UUID().uuidString.lowercased().filter { $0 != "-" }
        let admin = try await PostgresConnection.connect(server, logger: logger)
        // The template is idle as nobody connects to it.
        try await admin.execute("CREATE DATABASE \(name) TEMPLATE template0")
        let result: Result<T, any Error>
        do {
            result = .success(try await body(server.with(database: name)))
        } catch {
            result = .failure(error)
        }
        try await admin.execute("DROP DATABASE \(name) WITH (FORCE)")
        await admin.close()
        return try result.get()
    }

    /// Runs a test with a connection to the server's own database, for tests that leave nothing behind.
    static func withConnection<T: Sendable>(
        _ body: @Sendable (isolated PostgresConnection) throws -> T
    ) async throws -> T {
        let connection = try await PostgresConnection.connect(try configuration(), logger: logger)
        let result: Result<T, any Error>
        do {
            result = .success(try await connection.run(body))
        } catch {
            result = .failure(error)
        }
        await connection.close()
        return try result.get()
    }
}

/// Waits until a condition holds; fails the test when it does not within the limit.
func eventually(
    within limit: Duration = .seconds(10),
    _ what: Comment,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < deadline else {
            Issue.record(what, sourceLocation: sourceLocation)
            return
        }
        await Task.yield()
    }
}

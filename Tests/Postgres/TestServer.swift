import FoundationEssentials
import Logging
import Postgres
import Synchronization
import TestSupport
import Testing

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

    /// Runs a test with a connection to the server's own database, for tests that leave nothing behind.
    @discardableResult
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

extension TestServer {
    /// Kills a server process, once it runs the given statement, and waits until it is gone.
    static func terminate(_ process: Int32, whenRunning sql: String?) async throws {
        let admin = try await PostgresConnection.connect(try configuration(), logger: logger)
        if let sql {
            try await eventually("the statement to be killed is running") {
                try await admin.query(
                    "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND state = 'active' AND query = $2", process, sql
                ).count == 1
            }
        }
        try await admin.execute("SELECT pg_terminate_backend($1)", process)
        try await eventually("the server process is gone") {
            try await admin.query("SELECT 1 FROM pg_stat_activity WHERE pid = $1", process).isEmpty
        }
        await admin.close()
    }
}

/// A value that several tasks of a test change.
final class Shared<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) {
        self.value = Mutex(value)
    }

    func withLock<T: Sendable>(_ body: (inout Value) -> T) -> T {
        value.withLock { value in body(&value) }
    }
}

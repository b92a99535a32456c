import AMQP
import Crypto
import Foundation
import FoundationNetworking
import Postgres

@testable import EventStore

/// The real servers that these tests need, named by the environment.
enum TestServers {
    struct Missing: Error, CustomStringConvertible {
        let variable: String
        var description: String { "set \(variable) to the URL of a server for tests, as `make test` does" }
    }

    struct Refused: Error, CustomStringConvertible {
        let description: String
    }

    static func variable(_ name: String) throws -> String {
        guard let value = ProcessInfo.processInfo.environment[name], !value.isEmpty else { throw Missing(variable: name) }
        return value
    }

    /// A superuser's.
    static func postgres() throws -> PostgresConfiguration {
        try PostgresConfiguration(url: variable("COWORKFLOW_TEST_POSTGRES"))
    }

    static func amqp() throws -> AMQPConfiguration {
        try AMQPConfiguration(url: variable("COWORKFLOW_TEST_AMQP"))
    }

    /// Calls RabbitMQ's management API.
    @discardableResult
    static func manage(_ method: String, _ path: String, _ body: String? = nil) async throws -> Data {
        let name = "COWORKFLOW_TEST_RABBITMQ_API"
        guard var parts = URLComponents(string: try variable(name)) else { throw Missing(variable: name) }
        let credentials = parts.user.map { "Basic " + Data("\($0):\(parts.password ?? "")".utf8).base64EncodedString() }
        (parts.user, parts.password) = (nil, nil)
        guard let api = parts.url, let url = URL(string: path, relativeTo: api) else { throw Missing(variable: name) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue(credentials, forHTTPHeaderField: "Authorization")
        let (data, response) = try await URLSession.shared.data(for: request)
        guard let status = (response as? HTTPURLResponse)?.statusCode, status < 300 else {
            throw Refused(description: "\(method) \(path): \(response)")
        }
        return data
    }

    /// A migrated database that tests clone, made once for every schema.
    static let template = Task {
        let schema = Migrator.shipped.flatMap { Array($0.name.utf8) + $0.checksum }
        let name = "coworkflow_template_" + SHA256.hash(data: schema).prefix(8).map { String($0, radix: 36) }.joined()
        try await withServer {
            try $0.executeScript("select pg_advisory_lock(7310584019241)")
        } then: { server in
            guard try await server.query("select 1 from pg_database where datname = $1", name).isEmpty else { return }
            // A run that is killed in the middle leaves no half-migrated template.
            let draft = name + "_\(UInt32.random(in: 0...UInt32.max))"
            try await server.executeScript("create database \(draft)")
            let connection = try await PostgresConnection.connect(try postgres().with(database: draft), logger: quiet)
            do {
                try await Migrator(logger: quiet).migrate(connection)
                await connection.close()
            } catch {
                await connection.close()
                throw error
            }
            try await server.executeScript("alter database \(draft) rename to \(name)")
        }
        return name
    }

    /// Runs something on a connection to the server's own database, which is then closed.
    static func withServer<T: Sendable>(
        _ first: @Sendable (isolated PostgresConnection) throws -> Void = { _ in },
        then body: (PostgresConnection) async throws -> T
    ) async throws -> T {
        let connection = try await PostgresConnection.connect(try postgres(), logger: quiet)
        let result: Result<T, any Error>
        do {
            try await connection.run(first)
            result = .success(try await body(connection))
        } catch {
            result = .failure(error)
        }
        await connection.close()
        return try result.get()
    }
}

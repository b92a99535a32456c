import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Postgres

/// The real Postgres and the real RabbitMQ that these tests need.
struct TestServers: Sendable {
    struct Missing: Error, CustomStringConvertible {
        let variable: String
        var description: String { "set \(variable) to the URL of a server for tests, for example with `make test`" }
    }

    struct Refused: Error, CustomStringConvertible {
        let description: String
    }

    private let postgres: URLComponents
    private let amqp: URLComponents
    private let api: URLComponents
    private let http: HTTPClient

    init(http: HTTPClient) throws {
        func url(_ variable: String) throws -> URLComponents {
            guard let text = ProcessInfo.processInfo.environment[variable], let url = URLComponents(string: text) else {
                throw Missing(variable: variable)
            }
            return url
        }
        postgres = try url("COWORKFLOW_TEST_POSTGRES")
        amqp = try url("COWORKFLOW_TEST_AMQP")
        api = try url("COWORKFLOW_TEST_RABBITMQ_API")
        self.http = http
    }

    /// The URL of a database of this server.
    func postgresURL(_ database: String) -> String { Self.url(postgres, path: "/\(database)") }

    func amqpURL(_ virtualHost: String) -> String { Self.url(amqp, path: "/\(virtualHost)") }

    private static func url(_ parts: URLComponents, path: String) -> String {
        var parts = parts
        parts.path = path
        return parts.string ?? ""
    }

    func createDatabase(_ name: String) async throws { try await administer("create database \(name)") }

    func dropDatabase(_ name: String) async throws { try await administer("drop database if exists \(name) with (force)") }

    private func administer(_ sql: String) async throws {
        let configuration = try PostgresConfiguration(url: postgres.string ?? "")
        let connection = try await PostgresConnection.connect(configuration, logger: Journal().logger())
        do {
            _ = try await connection.execute(sql)
            await connection.close()
        } catch {
            await connection.close()
            throw error
        }
    }

    func createVirtualHost(_ name: String) async throws {
        try await manage("PUT", "/api/vhosts/\(name)")
        try await manage("PUT", "/api/permissions/\(name)/\(user)", #"{"configure": ".*", "write": ".*", "read": ".*"}"#)
    }

    /// Ends every connection to it, too.
    func deleteVirtualHost(_ name: String) async throws { try await manage("DELETE", "/api/vhosts/\(name)") }

    /// Has a queue keep all that an exchange gets from now on.
    func tap(_ virtualHost: String, exchange: String, into queue: String) async throws {
        try await manage("PUT", "/api/queues/\(virtualHost)/\(queue)", #"{"durable": false}"#)
        try await manage("POST", "/api/bindings/\(virtualHost)/e/\(exchange)/q/\(queue)", ##"{"routing_key": "#"}"##)
    }

    /// What the queues of a virtual host hold, message by message with headers; they stay there. Queues that belong to one
    /// connection alone cannot be looked into: they are bound to the exchange that can be tapped.
    func messages(_ virtualHost: String) async throws -> [String] {
        struct Queue: Decodable {
            let name: String
            let exclusive: Bool
        }
        struct Message: Decodable {
            let payload: String
        }
        let queues = try JSONDecoder().decode([Queue].self, from: try await manage("GET", "/api/queues/\(virtualHost)"))
        var messages: [String] = []
        for queue in queues where !queue.exclusive {
            let wanted = #"{"count": 10000, "ackmode": "ack_requeue_true", "encoding": "base64"}"#
            let answer = try await manage("POST", "/api/queues/\(virtualHost)/\(queue.name)/get", wanted)
            for message in try JSONDecoder().decode([Message].self, from: answer) {
                messages.append(String(decoding: Data(base64Encoded: message.payload) ?? Data(), as: UTF8.self))
            }
            // Properties and headers as well.
            messages.append(String(decoding: answer, as: UTF8.self))
        }
        return messages
    }

    private var user: String { amqp.user ?? "guest" }

    @discardableResult
    private func manage(_ method: String, _ path: String, _ body: String? = nil) async throws -> Data {
        var url = api
        (url.user, url.password, url.path) = (nil, nil, path)
        var request = HTTPClientRequest(url: url.string ?? "")
        request.method = .RAW(value: method)
        request.body = body.map { .bytes(ByteBuffer(string: $0)) }
        request.headers.add(name: "Content-Type", value: "application/json")
        if let user = api.user, let password = api.password {
            request.setBasicAuth(username: user, password: password)
        }
        let response = try await http.execute(request, timeout: .seconds(30))
        guard response.status.code < 300 else { throw Refused(description: "\(method) \(path): \(response.status)") }
        return Data(Array(buffer: try await response.body.collect(upTo: 64_000_000)))
    }

    /// The first of some consecutive ports that nobody listens on, below those that outgoing connections take.
    static func freePorts(_ count: Int) async throws -> Int {
        for _ in 0..<100 {
            let first = Int.random(in: 21_000..<31_000)
            if await areFree(first..<first + count) { return first }
        }
        throw Refused(description: "no \(count) consecutive ports are free")
    }

    private static func areFree(_ ports: Range<Int>) async -> Bool {
        for port in ports {
            let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            guard let channel = try? await bootstrap.bind(host: "127.0.0.1", port: port).get() else { return false }
            try? await channel.close()
        }
        return true
    }
}

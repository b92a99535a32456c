import AMQP
import Foundation
import FoundationNetworking
import Logging
import TestSupport
import Testing

/// The real RabbitMQ that these tests need.
struct TestBroker {
    struct Missing: Error, CustomStringConvertible {
        let variable: String
        var description: String { "set \(variable) to the URL of a RabbitMQ for tests" }
    }

    struct Refused: Error, CustomStringConvertible {
        let description: String
    }

    let amqp: AMQPConfiguration
    private let api: URL
    private let authorization: String?

    init() throws {
        func variable(_ name: String) throws -> String {
            guard let value = ProcessInfo.processInfo.environment[name] else { throw Missing(variable: name) }
            return value
        }
        amqp = try AMQPConfiguration(url: variable("COWORKFLOW_TEST_AMQP"))
        guard var parts = URLComponents(string: try variable("COWORKFLOW_TEST_RABBITMQ_API")) else {
            throw Missing(variable: "COWORKFLOW_TEST_RABBITMQ_API")
        }
        authorization = parts.user.map { "Basic " + Data("\($0):\(parts.password ?? "")".utf8).base64EncodedString() }
        (parts.user, parts.password) = (nil, nil)
        guard let url = parts.url else { throw Missing(variable: "COWORKFLOW_TEST_RABBITMQ_API") }
        api = url
    }

    @discardableResult
    func call(_ method: String, _ path: String, _ body: String? = nil) async throws -> Data {
        guard let url = URL(string: path, relativeTo: api) else { throw Refused(description: path) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue(authorization, forHTTPHeaderField: "Authorization")
        let (data, response) = try await URLSession.shared.data(for: request)
        guard let status = (response as? HTTPURLResponse)?.statusCode, status < 300 else {
            throw Refused(description: "\(method) \(path): \(response)")
        }
        return data
    }

    /// Closes a connection by force, from the broker's side.
    func kill(connectionNamed name: String) async throws {
        struct Listed: Decodable {
            let name: String
            let user_provided_name: String?
        }
        // The management plugin learns of connections with a delay.
        try await eventually("the broker lists the connection") {
            let listed = try JSONDecoder().decode([Listed].self, from: try await call("GET", "/api/connections"))
            guard let mine = listed.first(where: { $0.user_provided_name == name }) else { return false }
            var allowed = CharacterSet.urlPathAllowed
            allowed.remove("/")
            guard let escaped = mine.name.addingPercentEncoding(withAllowedCharacters: allowed) else { return false }
            try await call("DELETE", "/api/connections/\(escaped)")
            return true
        }
    }
}

/// A virtual host of the test's own, with a name that no other test uses.
struct Scene {
    let broker: TestBroker
    let name: String
    var configuration: AMQPConfiguration

    static func run(_ body: (Scene) async throws -> Void) async throws {
        let broker = try TestBroker()
        let name = "t\(UInt32.random(in: 0...UInt32.max))"
        try await broker.call("PUT", "/api/vhosts/\(name)")
        try await broker.call(
            "PUT", "/api/permissions/\(name)/\(broker.amqp.user)", #"{"configure": ".*", "write": ".*", "read": ".*"}"#
        )
        var configuration = broker.amqp
        configuration.virtualHost = name
        configuration.connectionName = name
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(Scene(broker: broker, name: name, configuration: configuration))) } catch {
            outcome = .failure(error)
        }
        try await broker.call("DELETE", "/api/vhosts/\(name)")
        try outcome.get()
    }

    /// Runs a connection during `body`, once it is up.
    func connect<Value: Sendable>(
        _ topology: AMQPTopology = .init(), _ configuration: AMQPConfiguration? = nil, name: String? = nil,
        _ body: (AMQPConnection) async throws -> Value
    ) async throws -> Value {
        var configuration = configuration ?? self.configuration
        if let name { configuration.connectionName = name }
        let connection = AMQPConnection(configuration, topology: topology, logger: quiet)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await connection.run() }
            defer { group.cancelAll() }
            try await connection.waitUntilConnected(timeout: .seconds(10))
            return try await body(connection)
        }
    }
}

let quiet = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

/// A queue bound to nothing but the default exchange.
func topology(_ queue: String, arguments: [String: AMQPFieldValue] = [:]) -> AMQPTopology {
    AMQPTopology(queues: [AMQPQueue(name: queue, durable: false, arguments: arguments)])
}

extension AMQPConsumer {
    /// The next `count` deliveries. A consumer that is silent for ten seconds is a failure (and is cancelled).
    func take(_ count: Int) async throws -> [AMQPDelivery] {
        try await ending("deliveries came") {
            var taken: [AMQPDelivery] = []
            while taken.count < count {
                let batch = await self.nextBatch(upTo: count - taken.count)
                guard !batch.isEmpty else { throw NeverHappened("the consumer ended") }
                taken += batch
            }
            return taken
        }
    }

    func takeOne() async throws -> AMQPDelivery {
        try #require(try await take(1).first)
    }
}

/// Answers every request with what `answer` makes of its body, until the task is cancelled.
func serve(_ queue: String, on connection: AMQPConnection, _ answer: @Sendable ([UInt8]) -> [UInt8]?) async throws {
    for await request in connection.consume(queue, prefetch: 100) {
        if let replyTo = request.message.replyTo, let body = answer(request.message.body) {
            let reply = AMQPMessage(body: body, correlationID: request.message.correlationID)
            try connection.publish(reply, exchange: "", routingKey: replyTo)
        }
        request.ack()
    }
}

import AMQP
import Foundation
import TestSupport
import Testing

@Suite struct TLSTests {
    private let untrusted = "the broker's certificate is not signed by a trusted authority, or not valid now"

    /// Why no connection comes up.
    private func refusal(_ configuration: AMQPConfiguration) async throws -> AMQPError {
        let connection = AMQPConnection(configuration, logger: quiet)
        let run = Task { try await connection.run() }
        defer { run.cancel() }
        var refusal = AMQPError.timedOut
        try await eventually("no attempt to connect ended") {
            do throws(AMQPError) {
                try await connection.waitUntilConnected(timeout: .milliseconds(100))
                Issue.record("the broker was taken")
                return true
            } catch {
                refusal = error
                return error != .timedOut
            }
        }
        return refusal
    }

    @Test(.timeLimit(.minutes(2))) func `everything works over TLS, and a connection that was cut comes back`() async throws {
        try await PrivateServers.run { servers in
            try await servers.start(.rabbitmq)
            var configuration = try AMQPConfiguration(url: try await servers.url(.rabbitmq))
            #expect(configuration.description.hasPrefix("amqps://coworkflow@localhost:"))
            configuration.heartbeat = .seconds(1)
            let proxy = try FrameProxy(brokerPort: configuration.port)
            defer { proxy.close() }
            proxy.change { $0.isEncrypted = true }
            configuration.port = proxy.port
            let connection = AMQPConnection(configuration, topology: topology("q"), logger: quiet)
            let run = Task { try await connection.run() }
            try await connection.waitUntilConnected(timeout: .seconds(10))
            try await exchangeEverything(connection)
            // Idle for longer than two heartbeats, the connection stays.
            let idleSince = ContinuousClock.now
            try await eventually { idleSince.duration(to: .now) > .milliseconds(2_500) }
            #expect(try await connection.status(ofQueue: "q").messageCount == 0)
            // Cut off, or in front of a silent broker, it notices and comes back.
            for isCut in [true, false] {
                let generation = connection.generation
                proxy.change { if isCut { $0.cuts = true } else { $0.isSilent = true } }
                try await eventually { isCut ? connection.generation > generation : !connection.isConnected }
                proxy.change { $0.isSilent = false }
                try await eventually { connection.isConnected && connection.generation > generation }
                try await exchangeEverything(connection)
            }

            // Our own certificate is taken from the right authority only.
            configuration.tls?.certificate = servers.path("client.pem")
            configuration.tls?.key = servers.path("client.key")
            let known = AMQPConnection(configuration, logger: quiet)
            let knownRun = Task { try await known.run() }
            try await known.waitUntilConnected(timeout: .seconds(10))
            knownRun.cancel()
            configuration.tls?.certificate = servers.path("other-client.pem")
            configuration.tls?.key = servers.path("other-client.key")
            // (With TLS 1.3 we are refused after our handshake, which the library does not tell from a cut connection.)
            let stranger = AMQPConnection(configuration, logger: quiet)
            let strangerRun = Task { try await stranger.run() }
            await #expect(throws: AMQPError.self) { try await stranger.waitUntilConnected(timeout: .milliseconds(500)) }
            #expect(stranger.generation == 0)
            strangerRun.cancel()
            configuration.tls?.certificate = nil
            configuration.tls?.key = nil

            // A broker that cannot prove who it is gets no password.
            configuration.host = "127.0.0.1"
            #expect(try await refusal(configuration).description == "the broker's certificate does not name the host")
            configuration.host = "localhost"
            for authority in [servers.path("other-ca.pem"), AMQPTLS().authorities] {
                configuration.tls?.authorities = authority
                #expect(try await refusal(configuration).description == untrusted)
            }
            configuration.tls?.authorities = servers.path("nao-existe.pem")
            #expect(try await refusal(configuration).description.contains("no certificates of authorities can be read from"))
            run.cancel()
            try await run.value
        }
    }

    /// Messages of less and of many times a TLS record, one by one and many at once, and a request with its reply.
    private func exchangeEverything(_ connection: AMQPConnection) async throws {
        let consumer = connection.consume("q", prefetch: 500)
        for size in [0, 1, 16_383, 16_384, 16_385, 32_768, 131_072, 3 << 20] {
            let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            try await connection.publishConfirmed(AMQPMessage(body: body), exchange: "", routingKey: "q", timeout: .seconds(10))
            let delivery = try await consumer.takeOne()
            #expect(delivery.message.body == body)
            delivery.ack()
        }
        for number in 0..<400 {
            let body = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: number * 100)
            try connection.publish(AMQPMessage(body: body), exchange: "", routingKey: "q")
        }
        let deliveries = try await consumer.take(400)
        #expect(deliveries.map(\.message.body.count) == (0..<400).map { $0 * 100 })
        deliveries.last?.acknowledgeUpTo()
        consumer.cancel()
        try await eventually { try await connection.status(ofQueue: "q").consumerCount == 0 }
        try await withThrowingTaskGroup(of: Void.self) { group throws in
            group.addTask { try await serve("q", on: connection) { $0.reversed() } }
            let requester = AMQPRequester(connection: connection, exchange: "", routingKey: "q")
            let body = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
            #expect(try await requester.request(body, timeout: .seconds(10)).body == body.reversed())
            group.cancelAll()
        }
        try await eventually { try await connection.status(ofQueue: "q").consumerCount == 0 }
    }

    @Test(.timeLimit(.minutes(1))) func `a certificate that is over is refused`() async throws {
        try await PrivateServers.run { servers in
            // Given a server of OpenSSL's, which shows the certificate and knows nothing of AMQP. (With -www it does not end with its standard input.)
            let command = ["openssl", "s_server", "-www", "-accept", "localhost:0", "-cert", servers.path("expired.pem"), "-key"]
            let output = servers.folder.appending(path: "s_server.log").path
            let server = try ChildProcess(command + [servers.path("expired.key")], output: output)
            defer { server.kill() }
            var port = ""
            try await eventually("OpenSSL's server listens") {
                let line = try server.output().split(separator: "\n").first { $0.hasPrefix("ACCEPT ") }
                port = line?.split(separator: ":").last.map { String($0) } ?? ""
                return !port.isEmpty
            }
            let url = "amqps://localhost:\(port)?cacertfile=\(servers.path("ca.pem"))"
            let refusal = try await refusal(try AMQPConfiguration(url: url))
            #expect(refusal.description == untrusted)
        }
    }

    @Test func `a port that speaks no TLS is refused with the reason`() async throws {
        var configuration = try TestBroker().amqp
        configuration.tls = AMQPTLS()
        configuration.host = "localhost"
        let refusal = try await refusal(configuration)
        #expect(refusal == .tlsFailed)
        #expect(refusal.description.hasPrefix("no TLS could be agreed on"))
    }
}

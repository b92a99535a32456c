import AMQP
import AsyncHTTPClient
import EventStore
import Foundation
import NIOCore
import NIOHTTP1
import ServiceLifecycle

/// Waits until the system answers, loads the demo data once, and says where to go.
struct WelcomeService: Service {
    let composition: Composition
    let parts: Composition.CommandParts

    private enum NotReady: Error, CustomStringConvertible {
        case system(address: String)
        case broker

        var description: String {
            switch self {
            case .system(let address): "the system did not become ready within 60 s: see the log above, and \(address)/ready"
            case .broker: "no connection to the broker that COWORKFLOW_AMQP_URL names within 30 s: see the log above"
            }
        }
    }

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await welcome() }
        } catch {
            // Stopped while starting, which is no failure.
            guard Task.isShuttingDownGracefully else { throw error }
            return
        }
        try await gracefulShutdown()
    }

    private func welcome() async throws {
        try await waitUntilReady()
        do {
            try await parts.connection.waitUntilConnected(timeout: .seconds(30))
        } catch {
            throw NotReady.broker
        }
        let settings = composition.settings
        try await DemoData(composition: composition, parts: parts).load()
        StandardOutput.write(
            """

            CoworkFlow runs at \(address)
              administrator  \(DemoData.administrator.email)  \(DemoData.administrator.password)
              member         \(DemoData.member.email)  \(DemoData.member.password)
              API            \(address)\(settings.swaggerDirectory == nil ? "/openapi.json" : "/docs")
            Ctrl-C stops it; the data stays.

            """
        )
    }

    private var address: String { "http://127.0.0.1:\(composition.settings.gatewayPort)" }

    private func waitUntilReady() async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            let response = try? await HTTPClient.shared.execute(HTTPClientRequest(url: "\(address)/ready"), timeout: .seconds(2))
            if response?.status == .ok { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw NotReady.system(address: address)
    }
}

import AMQP
import AsyncHTTPClient
import EventStore
import Foundation
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import UsuariosService

/// Waits until the system answers, loads the demo data once, and says where to go.
struct WelcomeService: Service {
    let composition: Composition
    let parts: Composition.CommandParts

    private struct NotReady: Error, CustomStringConvertible {
        let address: String
        var description: String { "the system did not become ready within 60 s: see the log above, and \(address)/ready" }
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
        try await parts.connection.waitUntilConnected(timeout: .seconds(30))
        let settings = composition.settings
        let accounts = Accounts(
            keyring: parts.keyring,
            emailKey: settings.secrets.email,
            hasher: try PasswordHasher(rounds: settings.passwordRounds)
        )
        try await DemoData(parts: parts, accounts: accounts).load()
        StandardOutput.write(
            """

            CoworkFlow runs at \(address)
              administrator  \(DemoData.administrator.email)  \(DemoData.administrator.password)
              member         \(DemoData.member.email)  \(DemoData.member.password)
              API contract   \(address)/openapi.json
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
        throw NotReady(address: address)
    }
}

import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import ServiceLifecycle
import Synchronization

/// Takes what webhooks are told, or does not.
final class WebhookReceiver: Sendable {
    struct Delivery: Sendable {
        let headers: [String: String]
        let body: [UInt8]
        let at: ContinuousClock.Instant

        var json: JSONValue { (try? JSONValue(bytes: body)) ?? .null }

        /// Whether it was signed with this secret: `whsec_` and base64, or its bytes.
        func isSigned(with secret: String) -> Bool {
            let prefix = "whsec_"
            let written = secret.hasPrefix(prefix) ? Data(base64Encoded: String(secret.dropFirst(prefix.count))) : Data(secret.utf8)
            guard let key = written, let id = headers["webhook-id"],
                let time = headers["webhook-timestamp"]
            else { return false }
            let mac = HMAC<SHA256>.authenticationCode(for: Data("\(id).\(time).".utf8) + Data(body), using: SymmetricKey(data: key))
            return headers["webhook-signature"] == "v1,\(Data(mac).base64EncodedString())"
        }
    }

    private let kept = Mutex<[Delivery]>([])
    private let status = Mutex(200)

    var deliveries: [Delivery] { kept.withLock { $0 } }

    func answer(_ status: Int) {
        self.status.withLock { $0 = status }
    }

    /// Runs while the body does.
    static func run(_ body: @escaping @Sendable (WebhookReceiver, String) async throws -> Void) async throws {
        let receiver = WebhookReceiver()
        let router = Router()
        router.post("hook") { request, _ in
            let bytes = Array(buffer: try await request.body.collect(upTo: 1_000_000))
            let headers = Dictionary(request.headers.map { ($0.name.canonicalName, $0.value) }) { $1 }
            receiver.kept.withLock { $0.append(Delivery(headers: headers, body: bytes, at: .now)) }
            return HTTPResponse.Status(code: receiver.status.withLock { $0 })
        }
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let server = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) },
            logger: Logger(label: "receiver") { _ in SwiftLogNoOpLogHandler() }
        )
        // Cancelled, a server drops the connections that it has accepted and not taken over, and NIO ends the process for it
        // (apple/swift-nio #2637): it is asked to stop.
        let service = ServiceGroup(services: [server], logger: server.logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            for await port in ports {
                let outcome: Result<Void, any Error>
                do {
                    outcome = .success(try await body(receiver, "http://127.0.0.1:\(port)/hook"))
                } catch {
                    outcome = .failure(error)
                }
                await service.triggerGracefulShutdown()
                try await group.waitForAll()
                return try outcome.get()
            }
        }
    }
}

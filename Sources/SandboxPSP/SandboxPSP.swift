import AsyncHTTPClient
package import Crypto
import Domain
import EventStore
import Foundation
package import HTTP
package import Hummingbird
package import Logging
import NIOCore
import NIOHTTP1
import ServiceLifecycle

/// A payment service provider that moves no money: what development, demonstrations and tests pay with. It takes charges over HTTP and
/// tells what became of them by signed webhooks. Whoever can reach it can have any charge paid: it listens on loopback, or inside.
package struct SandboxPSP: Service {
    private static let pause = Duration.milliseconds(50)
    private static let patience = TimeAmount.seconds(10)

    private let bank: SandboxBank
    private let webhook: String
    private let signature: WebhookSignature
    private let clock: @Sendable () -> Int64
    private let logger: Logger
    private let signal: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - webhook: where it tells what became of charges.
    ///   - key: shared with who listens there.
    ///   - behaviour: until it is set otherwise.
    ///   - path: of the file that charges are kept in; nil to forget them with the process.
    ///   - clock: microseconds since the Unix epoch.
    package init(
        webhook: String,
        key: SymmetricKey,
        behaviour: SandboxBehaviour,
        path: String?,
        clock: @escaping @Sendable () -> Int64,
        logger: Logger
    ) throws {
        (signal, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        bank = try SandboxBank(behaviour: behaviour, path: path, clock: clock, bell: bell)
        self.webhook = webhook
        signature = WebhookSignature(key: key)
        self.clock = clock
        self.logger = logger
    }

    /// Its API, and the routes by which it is controlled.
    package func router() -> Router<CoworkRequestContext> {
        let router = Router(context: CoworkRequestContext.self)
        router.middlewares.add(RequestIDMiddleware())
        router.middlewares.add(ProblemMiddleware())
        ServiceRouter.addHealth(to: router)
        SandboxRoutes(bank: bank).add(to: router)
        return router
    }

    /// Sends webhooks until the service group shuts down.
    package func run() async throws {
        let client = HTTPClient(eventLoopGroupProvider: .singleton)
        await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                group.addTask {
                    while (try? await Task.sleep(for: Self.pause)) != nil { bell.yield() }
                }
                for await _ in signal { await sendWhatIsDue(client) }
                group.cancelAll()
            }
        }
        try await client.shutdown()
    }

    private func sendWhatIsDue(_ client: HTTPClient) async {
        do {
            for delivery in try await bank.due() {
                let taken = (try? await send(delivery.event, client)) ?? false
                await bank.sent(delivery, taken: taken)
            }
        } catch {
            logger.error("the sandbox cannot keep its charges", metadata: ["error": "\(error)"])
        }
    }

    private func send(_ event: SandboxEvent, _ client: HTTPClient) async throws -> Bool {
        let body = try JSON.encode(event)
        var request = HTTPClientRequest(url: webhook)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(
            name: WebhookSignature.header, value: signature.sign(body, at: Instante(microssegundos: clock()))
        )
        request.body = .bytes(ByteBuffer(bytes: body))
        guard let response = try? await client.execute(request, timeout: Self.patience) else { return false }
        return (200..<300).contains(response.status.code)
    }
}

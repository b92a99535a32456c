import EventStore
package import Hummingbird
package import Logging
import NIOCore

/// Routers and servers as every role has them.
package enum ServiceRouter {
    /// A router with request ids, problem documents and the gateway's identities; `/health` answers while the process is up.
    package static func make(signer: IdentitySigner) -> Router<CoworkRequestContext> {
        let router = Router(context: CoworkRequestContext.self)
        router.middlewares.add(RequestIDMiddleware())
        router.middlewares.add(ProblemMiddleware())
        router.middlewares.add(MetricsMiddleware())
        router.middlewares.add(DatabaseErrorMiddleware(answering: .outcomeUnknown))
        router.middlewares.add(IdentityMiddleware(signer: signer))
        addHealth(to: router)
        return router
    }

    /// `GET /health` and, as the old API had it, `/saude`.
    package static func addHealth(to router: Router<CoworkRequestContext>) {
        router.get("health") { _, _ in JSONAnswer(Health(status: "healthy")) }
        router.get("saude") { _, _ in JSONAnswer(Health(status: "healthy")) }
    }

    /// A server for the router.
    ///
    /// - Parameter port: 0 takes a free one, which `onRunning` is told.
    package static func application(
        _ router: Router<CoworkRequestContext>,
        host: String,
        port: Int,
        name: String,
        logger: Logger,
        onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        Application(
            router: router,
            configuration: .init(address: .hostname(host, port: port), serverName: "coworkflow"),
            onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? port) },
            logger: logger
        )
    }

    private struct Health: Encodable, Sendable {
        let status: String
    }
}

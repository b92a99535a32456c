import Logging
import ServiceLifecycle

/// Deletes expired refresh tokens now and then.
struct RefreshTokenCleaner: Service {
    private static let pause = Duration.seconds(600)

    let tokens: RefreshTokens
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                do {
                    let count = try await tokens.deleteExpired()
                    if count > 0 { logger.info("deleted expired refresh tokens", metadata: ["count": "\(count)"]) }
                } catch is CancellationError {
                    return
                } catch {
                    logger.warning("expired refresh tokens were not deleted", metadata: ["error": "\(error)"])
                }
                try await Task.sleep(for: Self.pause)
            }
        }
    }
}

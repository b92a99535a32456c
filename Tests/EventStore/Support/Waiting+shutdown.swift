import Logging
import ServiceLifecycle

@testable import EventStore

/// Runs services as a program does, shuts them down gracefully in the middle of `body`'s work, and says how long that took.
func shutdownTime(of services: [any Service], after body: @escaping @Sendable () async throws -> Void) async throws -> Duration {
    let group = ServiceGroup(services: services, logger: quiet)
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        try await body()
        let start = ContinuousClock.now
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
        return .now - start
    }
}

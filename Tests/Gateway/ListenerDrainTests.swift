import AsyncHTTPClient
import HTTP
import Hummingbird
import Logging
import NIOHTTP1
import ServiceLifecycle
import Synchronization
import Testing

@Suite struct ListenerDrainTests {
    /// Without the drain the process ends, in one of the first rounds, with "Deinited NIOAsyncWriter without calling finish()".
    @Test func `whoever connects while a server stops does not bring the process down`() async throws {
        var configuration = HTTPClient.Configuration()
        configuration.timeout.connect = .seconds(1)
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let answered = Answered()
        for _ in 0..<30 { try await stop(underLoadOf: client, answered) }
        try await client.shutdown()
        #expect(answered.count.withLock { $0 } > 0)
    }

    private func stop(underLoadOf client: HTTPClient, _ answered: Answered) async throws {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let logger = Logger(label: "drain") { _ in SwiftLogNoOpLogHandler() }
        let router = Router(context: CoworkRequestContext.self)
        ServiceRouter.addHealth(to: router)
        let server = ServiceRouter.application(router, host: "127.0.0.1", port: 0, name: "drain", logger: logger) { port.yield($0) }
        let group = ServiceGroup(services: [server], logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            guard let port = await ports.first(where: { _ in true }) else { return }
            for _ in 0..<8 {
                tasks.addTask {
                    // A connection for each request, until there is nobody to connect to.
                    var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/health")
                    request.headers.add(name: "connection", value: "close")
                    while (try? await client.execute(request, timeout: .seconds(5)).body.collect(upTo: 1000)) != nil {
                        answered.count.withLock { $0 += 1 }
                    }
                }
            }
            try await Task.sleep(for: .milliseconds(20))
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    private final class Answered: Sendable {
        let count = Mutex(0)
    }
}

import ServiceLifecycle

/// Closes the connections to the services when the gateway stops.
struct ServiceClientLifetime: Service {
    let client: ServiceClient

    func run() async throws {
        try? await gracefulShutdown()
        try await client.shutDown()
    }
}

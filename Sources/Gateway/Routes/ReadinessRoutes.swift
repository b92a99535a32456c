import HTTP
import HTTPTypes
import Hummingbird
import Postgres

/// Whether the gateway is up, and whether everything that it needs is there.
struct ReadinessRoutes: Sendable {
    let pool: PostgresPool
    let services: ServiceClient

    func add(to doors: Doors) {
        for name in ["health", "saude"] {
            doors.anonymous.get(RouterPath(name)) { _, _ in JSONAnswer(Health(status: "healthy")) }
        }
        doors.anonymous.get("ready", use: ready)
    }

    private struct Health: Encodable, Sendable {
        let status: String
    }

    private struct Ready: Encodable, Sendable {
        let status: String
        let dependencies: [String]
    }

    @Sendable private func ready(_ request: Request, _ context: CoworkRequestContext) async throws -> JSONAnswer<Ready> {
        let missing = await withTaskGroup(of: String?.self) { group in
            group.addTask { await databaseAnswers() ? nil : "database" }
            for service in ServiceName.allCases {
                group.addTask { await services.isUp(service, logger: context.logger) ? nil : service.rawValue }
            }
            return await group.reduce(into: [String]()) { missing, name in
                if let name { missing.append(name) }
            }
        }
        guard missing.isEmpty else {
            var problem = Problem(.serviceUnavailable, code: "not_ready", detail: "Not there: \(missing.sorted().joined(separator: ", ")).")
            problem.violations = missing.sorted().map { .init(field: $0, message: "does not answer") }
            problem.retryAfter = 1
            throw problem
        }
        return JSONAnswer(Ready(status: "ready", dependencies: ["database"] + ServiceName.allCases.map(\.rawValue)))
    }

    private func databaseAnswers() async -> Bool {
        do {
            _ = try await pool.withConnection { try $0.query("select 1") }
            return true
        } catch {
            return false
        }
    }
}

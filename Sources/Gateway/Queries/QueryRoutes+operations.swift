import Domain
import EventStore
import HTTP
import Hummingbird
import Projections

/// How the system itself is.
extension QueryRoutes {
    func addOperations(to doors: Doors) {
        doors.members.get("admin/projections", use: projections)
        doors.members.get("admin/deadletters", use: letters)
    }

    /// Where each read model stands; it waits for none of them.
    @Sendable private func projections(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        _ = try context.signedIn(atLeast: .admin)
        return try await desk.answer(request, context, reading: []) {
            let halts = try await deadLetters.halts()
            return try await progress.progress().map { ProjectionView($0, haltedAt: halts[$0.name]) }
        }
    }

    /// The events that could not be applied, what was decided about them, and the commands that failed too often.
    @Sendable private func letters(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        _ = try context.signedIn(atLeast: .admin)
        let parameters = QueryParameters(request)
        let limit = try parameters.limit()
        let cursor = try parameters.cursor()
        return try await desk.page(request, context, reading: []) {
            let page = try await deadLetters.setAside(limit: limit, after: cursor)
            return QueryPage(items: page.items.map(DeadLetterView.init), next: page.next)
        }
    }
}

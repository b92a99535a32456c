package import Hummingbird
import Logging
package import Postgres

/// A database that cannot be reached, or whose read models are not there yet, is a matter of waiting.
package struct DatabaseErrorMiddleware: RouterMiddleware {
    package typealias Context = CoworkRequestContext

    private let problem: Problem

    /// - Parameter problem: what is answered: `.unavailable` where requests change nothing, `.outcomeUnknown` where the
    ///   database may be lost after a command was recorded.
    package init(answering problem: Problem) {
        self.problem = problem
    }

    package func handle(
        _ request: Request,
        context: CoworkRequestContext,
        next: (Request, CoworkRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as PostgresError where error.isPassing {
            context.logger.warning("the database did not answer", metadata: ["error": "\(error)"])
            throw problem
        }
    }
}

extension PostgresError {
    /// Whether the same is worth trying again later.
    package var isPassing: Bool {
        switch kind {
        case .connectionFailed, .connectionLost, .connectionClosed, .timedOut, .poolTimeout, .poolOverloaded, .poolClosed: true
        // A read model that has not been built yet, or not yet in this program's form: the schema, a table or a column is missing.
        case .serverError: isConnectionLost || ["3F000", "42P01", "42703"].contains(sqlState)
        case .cancelled, .transactionAborted, .misuse, .decoding, .encoding, .invalidConfiguration: false
        }
    }
}

import HTTP
import Hummingbird
import Logging
import Postgres

/// A database that cannot be reached, or whose read models are not there yet, is a matter of waiting.
struct DatabaseErrorMiddleware: RouterMiddleware {
    typealias Context = CoworkRequestContext

    func handle(
        _ request: Request,
        context: CoworkRequestContext,
        next: (Request, CoworkRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as PostgresError where error.isPassing {
            context.logger.warning("the database did not answer", metadata: ["error": "\(error)"])
            throw Problem.unavailable
        }
    }
}

extension PostgresError {
    /// Whether the same is worth trying again later.
    fileprivate var isPassing: Bool {
        switch kind {
        case .connectionFailed, .connectionLost, .connectionClosed, .timedOut, .poolTimeout, .poolOverloaded, .poolClosed: true
        // A read model that has not been built yet: the schema or the table is missing.
        case .serverError: isConnectionLost || sqlState == "3F000" || sqlState == "42P01"
        case .transactionAborted, .misuse, .decoding, .encoding, .invalidConfiguration: false
        }
    }
}

import Domain
import FoundationEssentials
import HTTP
import NIOHTTP1
import Synchronization

/// Somebody with an account, who signs in with a password and goes on with their refresh token as any client does.
final class SimulatedPerson: Sendable {
    private struct Tokens: Decodable {
        let token: String
        let refreshToken: String
        let userId: String
        let expiresIn: Int64
    }

    private struct Session {
        let tokens: Tokens
        let expires: Int64
    }

    /// Before a token's end it is exchanged.
    private static let margin = Int64(120_000_000)

    let email: String
    let name: String
    private let password: String
    private let session = Mutex<Session?>(nil)

    /// - Parameter password: nil for one that nobody can guess, which is why it may be hashed with few rounds.
    init(email: String, name: String, password: String? = nil) {
        self.email = email
        self.name = name
        self.password = password ?? UUID().uuidString + UUID().uuidString
    }

    /// Their account's id, once they have signed in.
    var id: String { session.withLock { $0?.tokens.userId } ?? "" }

    /// An access token that was made to hold by `signIn`.
    var token: String { session.withLock { $0?.tokens.token } ?? "" }

    func signUp(_ client: SimulationClient) async throws {
        let reply = try await client.send(
            .POST, "/auth/signup", ["email": .text(email), "password": .text(password), "name": .text(name)]
        )
        guard reply.isDone else { throw reply.failure }
    }

    /// Makes sure of an access token that still holds. For one caller at a time: a refresh token is used once.
    func signIn(_ client: SimulationClient, at now: Int64) async throws {
        let current = session.withLock { $0 }
        if let current, current.expires - Self.margin > now { return }
        if let current {
            let reply = try await client.send(.POST, "/auth/refresh", ["refresh_token": .text(current.tokens.refreshToken)], lenient: true)
            if reply.isDone { return keep(try reply.decode(Tokens.self), at: now) }
        }
        let reply = try await client.send(.POST, "/auth/login", ["email": .text(email), "password": .text(password)])
        keep(try reply.decode(Tokens.self), at: now)
    }

    /// Has everything about them erased, for good.
    func erase(_ client: SimulationClient) async throws -> Reply {
        try await client.send(.DELETE, "/users/me", ["password": .text(password)], as: token)
    }

    /// Forgets their tokens, so that the next ones carry a role that was changed.
    func signOut() {
        session.withLock { $0 = nil }
    }

    private func keep(_ tokens: Tokens, at now: Int64) {
        session.withLock { $0 = Session(tokens: tokens, expires: now + tokens.expiresIn * 1_000_000) }
    }
}

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
        if isSignedIn(at: now) { return }
        if let old = refreshToken {
            let reply = try await client.send(.POST, "/auth/refresh", old, lenient: true)
            if reply.isDone { return try keep(reply, at: now) }
        }
        try keep(try await client.send(.POST, "/auth/login", credentials), at: now)
    }

    private func isSignedIn(at now: Int64) -> Bool {
        session.withLock { $0.map { $0.expires - Self.margin > now } ?? false }
    }

    // Kept out of line: Swift 6.3's optimiser crashes on these values in an asynchronous function (coroutine splitting, with debug information).
    @inline(never)
    private var refreshToken: Body? {
        session.withLock { $0?.tokens.refreshToken }.map { ["refresh_token": .text($0)] }
    }

    @inline(never)
    private var credentials: Body { ["email": .text(email), "password": .text(password)] }

    @inline(never)
    private func keep(_ reply: Reply, at now: Int64) throws {
        let tokens = try reply.decode(Tokens.self)
        session.withLock { $0 = Session(tokens: tokens, expires: now + tokens.expiresIn * 1_000_000) }
    }

    /// Has everything about them erased, for good.
    func erase(_ client: SimulationClient) async throws -> Reply {
        try await client.send(.DELETE, "/users/me", ["password": .text(password)], as: token)
    }

    /// Forgets their tokens, so that the next ones carry a role that was changed.
    func signOut() {
        session.withLock { $0 = nil }
    }
}

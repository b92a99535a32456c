import CryptoExtras
import Dispatch
import FoundationEssentials
import HTTP
import Synchronization

/// Hashes passwords as PHC strings, `$pbkdf2-sha256$i=ROUNDS$SALT$HASH` (PBKDF2-HMAC-SHA256, RFC 8018).
///
/// A hash takes a good part of a second of a core on purpose. It runs on threads of its own, few of them, and when too
/// many wait the next is refused: logins must not starve the rest.
package final class PasswordHasher: Sendable {
    /// Rounds recommended for PBKDF2-HMAC-SHA256 by OWASP's Password Storage Cheat Sheet (2023).
    package static let recommendedRounds = 600_000

    private static let maximumWaiting = 64
    private static let hashLength = 32

    private let rounds: Int
    private let threads: [DispatchQueue]
    private let waiting = Mutex(0)
    /// What a password is compared with when there is no account, so that this takes as long as when there is.
    private let nobody: String

    /// - Parameter rounds: fewer than recommended only in tests.
    package init(rounds: Int = PasswordHasher.recommendedRounds) throws {
        self.rounds = rounds
        threads = (0..<2).map { DispatchQueue(label: "coworkflow.password-\($0)") }
        nobody = try Self.hash("nobody", rounds: rounds)
    }

    /// - Throws: `Problem.unavailable` where too many wait.
    package func hash(_ password: String) async throws -> String {
        let rounds = rounds
        return try await run { try Self.hash(password, rounds: rounds) }
    }

    /// Whether the password is the one that was hashed. Nil stands for an account that does not exist: never true, and as slow.
    package func verify(_ password: String, against hash: String?) async throws -> Bool {
        let phc = hash ?? nobody
        let same = try await run { try Self.verify(password, against: phc) }
        return same && hash != nil
    }

    private func run<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
        let place = try waiting.withLock { waiting in
            guard waiting < Self.maximumWaiting else { throw Problem.unavailable }
            waiting += 1
            return waiting
        }
        defer { waiting.withLock { $0 -= 1 } }
        let thread = threads[place % threads.count]
        return try await withCheckedThrowingContinuation { continuation in
            thread.async { continuation.resume(with: Result(catching: work)) }
        }
    }

    private static func hash(_ password: String, rounds: Int) throws -> String {
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let derived = try derive(password, salt: salt, rounds: rounds)
        return "$pbkdf2-sha256$i=\(rounds)$\(base64(salt))$\(base64(derived))"
    }

    private static func verify(_ password: String, against phc: String) throws -> Bool {
        let parts = phc.split(separator: "$")
        guard parts.count == 4, parts[0] == "pbkdf2-sha256", parts[1].hasPrefix("i="), let rounds = Int(parts[1].dropFirst(2)),
            let salt = bytes(base64: String(parts[2])), let expected = bytes(base64: String(parts[3]))
        else { return false }
        let derived = try derive(password, salt: salt, rounds: rounds)
        // Compares every byte, so that the time taken does not tell how many are right.
        return expected.count == derived.count && zip(expected, derived).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func derive(_ password: String, salt: [UInt8], rounds: Int) throws -> [UInt8] {
        let key = try KDF.Insecure.PBKDF2.deriveKey(
            from: Array(password.utf8),
            salt: salt,
            using: .sha256,
            outputByteCount: hashLength,
            unsafeUncheckedRounds: rounds
        )
        return unsafe key.withUnsafeBytes { unsafe Array($0) }
    }

    /// PHC strings use base64 without padding.
    private static func base64(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().filter { $0 != "=" }
    }

    private static func bytes(base64 text: String) -> [UInt8]? {
        Data(base64Encoded: text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)).map { Array($0) }
    }
}

import Crypto
package import Domain
import FoundationEssentials
package import Postgres
import Synchronization

/// Seals personal data under a key of the person it belongs to, kept outside the log. Deleting that key erases whatever
/// was sealed with it, wherever copies of it lie.
///
/// A sealed text is `1.{subject}.{base64 of nonce, ciphertext and tag}` (AES-256-GCM); the subject and the field's name
/// are authenticated, so a text moved to another person or field does not open.
package final class Keyring: Sendable {
    package enum Problem: Error, Sendable, Equatable, CustomStringConvertible {
        /// Not a text that this keyring sealed, or not for this field, or altered.
        case unreadable
        /// The person has no key any more: the data was erased.
        case erased
        /// A person's key is wrapped under a master key that is not configured.
        case masterMissing(id: String)

        package var description: String {
            switch self {
            case .unreadable: "a sealed text cannot be read: altered, moved, or sealed under other keys"
            case .erased: "the person was erased"
            case .masterMissing(let id):
                "people's keys are wrapped under the master key \(id), which is not configured: add it to COWORKFLOW_KEY_MASTERS_PREVIOUS"
            }
        }
    }

    /// What stands where an erased person's data stood.
    package static let erasedText = "[apagado]"
    private static let maximumCached = 10_000

    private struct Cached {
        let key: SymmetricKey
        let until: ContinuousClock.Instant
    }

    let pool: PostgresPool
    let master: MasterKeys
    private let memory: Duration
    private let cache = Mutex<[String: Cached]>([:])

    /// - Parameters:
    ///   - pool: connections with `DatabaseRole.keyring`.
    ///   - master: wrap every person's key.
    ///   - memory: how long a key is remembered, which is how long after an erasure elsewhere data may still open here.
    package init(pool: PostgresPool, master: MasterKeys, memory: Duration = .seconds(60)) {
        self.pool = pool
        self.master = master
        self.memory = memory
    }

    /// Seals a text for a person, whose key is made if there is none.
    ///
    /// - Parameter subject: the person's id; it stands in the sealed text as it is, and has no dot or line break.
    /// - Throws: `Problem.erased` for a person who was erased: they never get a key again.
    package func seal(_ text: String, of subject: String, field: String) async throws -> Selado {
        precondition(!subject.isEmpty && !subject.contains { $0 == "." || $0.isNewline }, "not the id of a person")
        let key = try await key(of: subject, create: true)
        let box = try AES.GCM.seal(Array(text.utf8), using: key, authenticating: Self.context(subject, field))
        guard let combined = box.combined else { throw Problem.unreadable }
        return Selado("1.\(subject).\(Data(combined).base64EncodedString())")
    }

    /// The text inside.
    ///
    /// - Throws: `Problem.erased` where the person's key is gone.
    package func open(_ sealed: Selado, field: String) async throws -> String {
        let (subject, box) = try Self.parse(sealed)
        let key = try await key(of: subject, create: false)
        do {
            return String(decoding: try AES.GCM.open(box, using: key, authenticating: Self.context(subject, field)), as: UTF8.self)
        } catch {
            throw Problem.unreadable
        }
    }

    /// The text inside, or `erasedText` where the person's key is gone: what a read model shows.
    package func openOrErased(_ sealed: Selado, field: String) async throws -> String {
        do {
            return try await open(sealed, field: field)
        } catch Problem.erased {
            return Self.erasedText
        }
    }

    /// Whether a text looks like one that a keyring sealed.
    package static func isSealed(_ text: String) -> Bool {
        (try? parse(Selado(text))) != nil
    }

    /// Under whose key a text is sealed; nil for what is no sealed text.
    package static func subject(of sealed: Selado) -> String? {
        (try? parse(sealed))?.subject
    }

    private static func parse(_ sealed: Selado) throws -> (subject: String, box: AES.GCM.SealedBox) {
        let parts = sealed.texto.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "1", let combined = Data(base64Encoded: String(parts[2])),
            let box = try? AES.GCM.SealedBox(combined: combined)
        else { throw Problem.unreadable }
        return (String(parts[1]), box)
    }

    private static func context(_ subject: String, _ field: String) -> [UInt8] {
        Array("\(subject)\n\(field)".utf8)
    }

    private func key(of subject: String, create: Bool) async throws -> SymmetricKey {
        if let cached = cache.withLock({ $0[subject] }), cached.until > .now { return cached.key }
        let fresh = create ? try master.wrap(SymmetricKey(size: .bits256), of: subject) : nil
        let id = master.current
        let (wrapped, wrapper) = try await pool.withConnection { connection -> ([UInt8]?, String?) in
            if let fresh {
                // An erased person's row is in the way, for ever.
                try connection.execute(
                    "insert into keys.personal (subject, wrapped, master) values ($1, $2, $3) on conflict (subject) do nothing",
                    subject,
                    fresh,
                    id
                )
            }
            let row = try connection.query("select wrapped, master from keys.personal where subject = $1", subject).first
            return (try row?.get(0, [UInt8]?.self) ?? nil, try row?.get(1, String?.self) ?? nil)
        }
        guard let wrapped else { throw Problem.erased }
        let key = try master.unwrap(wrapped, under: wrapper, of: subject)
        cache.withLock { cache in
            if cache.count >= Self.maximumCached { cache.removeAll() }
            cache[subject] = Cached(key: key, until: .now + memory)
        }
        return key
    }

    func forget(_ subject: String) {
        cache.withLock { $0[subject] = nil }
    }
}

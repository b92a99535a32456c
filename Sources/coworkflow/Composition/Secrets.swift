import Configuration
import Crypto
import EventStore
import Foundation
import Gateway

/// The keys of an installation. Production takes them from configuration and has no defaults; `coworkflow dev` makes its
/// own in the data directory.
struct Secrets: Sendable {
    /// Wrap each person's key.
    let master: MasterKeys
    /// Names the streams of e-mail addresses. Never rotated.
    let email: SymmetricKey
    /// Signs identities between gateway and services.
    let identity: SymmetricKey
    /// Makes fingerprints of request bodies.
    let fingerprint: SymmetricKey
    let signing: [SigningKey]

    /// From `key.master`, `key.email`, `key.identity`, `key.fingerprint` (32 bytes in base64 each), `key.masters.previous` (more of
    /// them, separated by commas, or none) and `key.jwt` (a P-256 private key in PEM).
    init(_ config: ConfigReader) throws {
        master = MasterKeys(try Self.key(config, "key.master"), others: try Self.previousMasters(config))
        email = try Self.key(config, "key.email")
        identity = try Self.key(config, "key.identity")
        fingerprint = try Self.key(config, "key.fingerprint")
        let pem = try Settings.required(config, "key.jwt", isSecret: true)
        signing = [try Self.signingKey(pem)]
    }

    private init(_ stored: Stored) throws {
        func key(_ text: String, _ name: String) throws -> SymmetricKey {
            guard let key = SymmetricKey(base64: text) else { throw Settings.Problem.invalid(name, "in the data directory is damaged") }
            return key
        }
        master = MasterKeys(try key(stored.master, "key.master"))
        email = try key(stored.email, "key.email")
        identity = try key(stored.identity, "key.identity")
        fingerprint = try key(stored.fingerprint, "key.fingerprint")
        signing = [try Self.signingKey(stored.jwt)]
    }

    /// The keys of a development installation: made on first start, kept in a file that only its owner can read.
    static func development(in directory: URL) throws -> Secrets {
        let file = directory.appending(path: "keys.json")
        if let bytes = try? Data(contentsOf: file) { return try Secrets(try JSONDecoder().decode(Stored.self, from: bytes)) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        do {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        } catch {
            throw Settings.Problem.invalid("data.dir", "is no folder and cannot be made one: \(directory.path)")
        }
        // Processes may start at once: the keys are those of whoever gives the file its name first.
        let own = directory.appending(path: "keys.json.\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: own) }
        let created = FileManager.default.createFile(
            atPath: own.path,
            contents: try encoder.encode(Stored.fresh()),
            attributes: [.posixPermissions: 0o600]
        )
        guard created else { throw Settings.Problem.invalid("data.dir", "cannot be written: \(directory.path)") }
        // Whether it is there by then is what the reading below finds out.
        try? FileManager.default.linkItem(at: own, to: file)
        return try Secrets(try JSONDecoder().decode(Stored.self, from: try Data(contentsOf: file)))
    }

    private struct Stored: Codable {
        let master: String
        let email: String
        let identity: String
        let fingerprint: String
        let jwt: String

        static func fresh() -> Stored {
            func key() -> String { SymmetricKey(size: .bits256).base64 }
            return Stored(
                master: key(),
                email: key(),
                identity: key(),
                fingerprint: key(),
                jwt: P256.Signing.PrivateKey().pemRepresentation
            )
        }
    }

    private static func key(_ config: ConfigReader, _ name: String) throws -> SymmetricKey {
        guard let key = SymmetricKey(base64: try Settings.required(config, name, isSecret: true)) else {
            throw Settings.Problem.invalid(name, "must be 32 bytes in base64: openssl rand -base64 32")
        }
        return key
    }

    private static func previousMasters(_ config: ConfigReader) throws -> [SymmetricKey] {
        let list = config.string(forKey: "key.masters.previous", isSecret: true, default: "")
        return try list.split(separator: ",").map { text in
            guard let key = SymmetricKey(base64: text.filter { !$0.isWhitespace }) else {
                throw Settings.Problem.invalid("key.masters.previous", "must list keys of 32 bytes in base64, separated by commas")
            }
            return key
        }
    }

    /// The key's name is the SHA-256 of its public half, so that the same key has the same name everywhere.
    private static func signingKey(_ pem: String) throws -> SigningKey {
        do {
            let key = try P256.Signing.PrivateKey(pemRepresentation: pem)
            let name = SHA256.hash(data: key.publicKey.rawRepresentation).prefix(8).hexadecimal
            return SigningKey(kid: name, privateKey: key)
        } catch {
            throw Settings.Problem.invalid("key.jwt", "must be a P-256 private key in PEM: openssl ecparam -name prime256v1 -genkey -noout")
        }
    }
}

extension SymmetricKey {
    init?(base64 text: String) {
        guard let bytes = Data(base64Encoded: text), bytes.count == 32 else { return nil }
        self.init(data: bytes)
    }

    fileprivate var base64: String {
        unsafe withUnsafeBytes { unsafe Data($0) }.base64EncodedString()
    }
}

package import Crypto
import Domain
import FoundationEssentials

/// What the log was at a moment, vouched for by a key that the database does not have. Kept elsewhere, it shows a log that was
/// rewritten and chained anew.
///
/// One JSON object a line: `position`, `hash`, `time`, `key` (which key signed) and `signature` (ECDSA over P-256 and SHA-256, DER
/// in base64) over the text `coworkflow signed head 1`, position, hash and time, each followed by a line feed.
package struct SignedHead: Sendable, Equatable {
    package enum Problem: Error, Sendable, Equatable, CustomStringConvertible {
        /// A line is no signed head.
        case malformed(line: Int)
        /// A line was signed by another key, or altered since.
        case notOurs(line: Int)

        package var description: String {
            switch self {
            case .malformed(let line): "line \(line) is no signed head"
            case .notOurs(let line): "line \(line) was not signed with this key, or was altered since"
            }
        }
    }

    package let position: Position
    package let hash: [UInt8]
    /// The whole line, without its line feed.
    package let line: String

    /// - Parameter time: microseconds since the Unix epoch.
    package static func sign(
        _ position: Position,
        _ hash: [UInt8],
        at time: Int64,
        with key: P256.Signing.PrivateKey
    ) throws -> SignedHead {
        var stored = Stored(
            position: position.rawValue,
            hash: hash.hexadecimal,
            time: Instante(microssegundos: time).texto,
            key: key.publicKey.name,
            signature: ""
        )
        stored.signature = try key.signature(for: stored.signed).derRepresentation.base64EncodedString()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return SignedHead(position: position, hash: hash, line: String(decoding: try encoder.encode(stored), as: UTF8.self))
    }

    /// The heads in a file of lines; empty lines count for nothing.
    ///
    /// - Throws: `Problem` for the first line that the key does not vouch for.
    package static func read(_ text: String, signedBy key: P256.Signing.PublicKey) throws(Problem) -> [SignedHead] {
        var heads: [SignedHead] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() where !line.isEmpty {
            guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(line.utf8)),
                let hash = [UInt8](hexadecimal: stored.hash), hash.count == 32, stored.position >= 0,
                let der = Data(base64Encoded: stored.signature),
                let signature = try? P256.Signing.ECDSASignature(derRepresentation: der)
            else { throw .malformed(line: index + 1) }
            guard key.isValidSignature(signature, for: stored.signed) else { throw .notOurs(line: index + 1) }
            heads.append(SignedHead(position: Position(stored.position), hash: hash, line: String(line)))
        }
        return heads
    }

    private struct Stored: Codable {
        let position: Int64
        let hash: String
        let time: String
        let key: String
        var signature: String

        var signed: Data { Data("coworkflow signed head 1\n\(position)\n\(hash)\n\(time)\n".utf8) }
    }
}

extension P256.Signing.PublicKey {
    /// The same key has the same name everywhere.
    package var name: String { SHA256.hash(data: rawRepresentation).prefix(8).hexadecimal }
}

/// Signed heads by position, to hold a chain against as it is followed.
struct SignedHeads {
    private let heads: [SignedHead]

    init(_ heads: [SignedHead]) {
        self.heads = heads.sorted { $0.position < $1.position }
    }

    /// The last head signed beyond a log's end.
    func beyond(_ head: Position) -> Position? {
        heads.last.map(\.position).flatMap { $0 > head ? $0 : nil }
    }

    /// What the first head among these events that is not theirs says. They follow each other without a gap.
    func problem(of events: [ChainedEvent]) -> LogVerifier.Problem? {
        guard let first = events.first?.event.position, let last = events.last?.event.position else { return nil }
        for head in heads where head.position >= first && head.position <= last {
            let index = Int(head.position.rawValue - first.rawValue)
            guard events[index].hash != head.hash else { continue }
            let good = heads.last { $0.position < head.position }?.position ?? .start
            return .chainedAnew(after: good, through: head.position)
        }
        return nil
    }
}

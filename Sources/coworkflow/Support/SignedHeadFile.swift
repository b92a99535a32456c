import Crypto
import EventStore
import Foundation

/// A file of signed heads, one a line.
enum SignedHeadFile {
    struct Unreadable: Error, CustomStringConvertible {
        let path: String
        let reason: String

        var description: String { "\(path): \(reason)" }
    }

    /// - Throws: `Unreadable`, naming the file and what is wrong with it.
    static func read(_ path: String, signedBy key: P256.Signing.PublicKey) throws -> [SignedHead] {
        guard let data = FileManager.default.contents(atPath: path), let text = String(data: data, encoding: .utf8) else {
            throw Unreadable(path: path, reason: "cannot be read")
        }
        do {
            return try SignedHead.read(text, signedBy: key)
        } catch {
            throw Unreadable(path: path, reason: "\(error)")
        }
    }
}

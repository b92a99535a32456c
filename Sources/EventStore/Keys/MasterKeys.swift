package import Crypto
import FoundationEssentials

/// The keys that wrap people's keys: one for what is wrapped from now on, and those under which something may still be wrapped.
///
/// Each goes by an id that follows from it, so that what is wrapped says under which, and nobody has to name them.
package struct MasterKeys: Sendable {
    /// The id of the one that wraps.
    package let current: String
    private let keys: [String: SymmetricKey]

    /// - Parameters:
    ///   - current: 256 bits.
    ///   - others: earlier ones, and while the processes change over one after the other the next one.
    package init(_ current: SymmetricKey, others: [SymmetricKey] = []) {
        self.current = Self.id(of: current)
        keys = Dictionary(([current] + others).map { (Self.id(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Sixteen hexadecimal digits that say nothing about the key.
    static func id(of key: SymmetricKey) -> String {
        HMAC<SHA256>.authenticationCode(for: Array("coworkflow master key".utf8), using: key).prefix(8).hexadecimal
    }

    /// Whether something wrapped under this one can be read.
    package func has(_ id: String) -> Bool {
        keys[id] != nil
    }

    /// A person's key, wrapped under the current master key.
    func wrap(_ key: SymmetricKey, of subject: String) throws -> [UInt8] {
        let bytes = unsafe key.withUnsafeBytes { unsafe Array($0) }
        guard let master = keys[current],
            let combined = try AES.GCM.seal(bytes, using: master, authenticating: Array(subject.utf8)).combined
        else { throw Keyring.Problem.unreadable }
        return Array(combined)
    }

    /// - Parameter id: the master key it is wrapped under; nil where that was not written down.
    /// - Throws: `Keyring.Problem.masterMissing`, or `.unreadable` where it was not wrapped for this person.
    func unwrap(_ wrapped: [UInt8], under id: String?, of subject: String) throws -> SymmetricKey {
        let candidates: [SymmetricKey]
        if let id {
            guard let key = keys[id] else { throw Keyring.Problem.masterMissing(id: id) }
            candidates = [key]
        } else {
            candidates = Array(keys.values)
        }
        guard let box = try? AES.GCM.SealedBox(combined: wrapped) else { throw Keyring.Problem.unreadable }
        let context = Array(subject.utf8)
        for candidate in candidates {
            if let bytes = try? AES.GCM.open(box, using: candidate, authenticating: context) { return SymmetricKey(data: bytes) }
        }
        throw Keyring.Problem.unreadable
    }
}

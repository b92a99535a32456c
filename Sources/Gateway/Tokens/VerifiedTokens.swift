import HTTP
import Synchronization

/// Remembers tokens whose signature was verified, until they expire: verifying one costs a tenth of a millisecond of a core.
final class VerifiedTokens: Sendable {
    private struct Entry {
        let identity: Identity
        let expires: Int64
    }

    private let capacity: Int
    private let entries = Mutex<[String: Entry]>([:])

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// - Parameter now: seconds since the Unix epoch.
    func identity(of token: String, at now: Int64) -> Identity? {
        entries.withLock { entries in
            guard let entry = entries[token], now < entry.expires else { return nil }
            return entry.identity
        }
    }

    func remember(_ token: String, as identity: Identity, until expires: Int64, at now: Int64) {
        entries.withLock { entries in
            if entries.count >= capacity { makeRoom(in: &entries, at: now) }
            entries[token] = Entry(identity: identity, expires: expires)
        }
    }

    /// How many tokens are remembered.
    var count: Int { entries.withLock { $0.count } }

    /// Expired tokens go; where that is not enough, so does everything: it costs one verification each to come back.
    private func makeRoom(in entries: inout [String: Entry], at now: Int64) {
        entries = entries.filter { $0.value.expires > now }
        if entries.count >= capacity { entries.removeAll(keepingCapacity: true) }
    }
}

package import Domain
import Postgres

/// Keys of addresses. A person is erased once and for ever; an address may be written to again afterwards, so its key has generations: what
/// is sealed after an erasure is sealed under the next.
extension Keyring {
    /// Seals a text for an address, under the first generation of its key that was not erased.
    ///
    /// - Parameter address: what names the address without revealing it.
    package func seal(_ text: String, ofAddress address: String, field: String) async throws -> Selado {
        var generation = 1
        while true {
            let subject = Self.subject(of: address, generation)
            // What is written to whoever has the address next must not go under a key that was deleted a moment ago, elsewhere.
            forget(subject)
            do {
                return try await seal(text, of: subject, field: field)
            } catch Problem.erased {
                generation += 1
            }
        }
    }

    /// The subjects of the keys that stand for these addresses: for `erase`.
    package func subjects(ofAddresses addresses: [String]) async throws -> [String] {
        try await pool.withConnection { connection in
            try connection.query(
                """
                select k.subject from keys.personal k join unnest($1::text[]) as a(address)
                    on k.subject = a.address or starts_with(k.subject, a.address || '-')
                 where k.wrapped is not null order by k.subject
                """,
                PostgresArray(addresses)
            ).map { try $0.get(0, String.self) }
        }
    }

    private static func subject(of address: String, _ generation: Int) -> String {
        generation == 1 ? address : "\(address)-\(generation)"
    }
}

package import Domain
import Postgres

/// That a person's key was deleted.
package struct Erasure: Sendable, Equatable {
    /// The person's id.
    package let subject: String
    package let at: Instante

    package init(subject: String, at: Instante) {
        self.subject = subject
        self.at = at
    }
}

extension Keyring {
    /// Deletes a person's key, and with it all that was sealed for them, wherever copies of it lie. Whoever remembers the key
    /// forgets it within the time that keys are remembered. A second time changes nothing; a person without a key never gets one.
    package func erase(_ subject: String) async throws {
        try await pool.withConnection { connection in
            _ = try connection.execute(
                """
                insert into keys.personal (subject, erased_at) values ($1, now())
                on conflict (subject) do update set wrapped = null, master = null, erased_at = excluded.erased_at
                 where personal.erased_at is null
                """,
                subject
            )
        }
        forget(subject)
    }

    package func isErased(_ subject: String) async throws -> Bool {
        try await pool.withConnection { connection in
            try !connection.query("select from keys.personal where subject = $1 and erased_at is not null", subject).isEmpty
        }
    }

    /// Everybody whose key was deleted, the first first.
    package func erasures() async throws -> [Erasure] {
        try await pool.withConnection { connection in
            try connection.query(
                "select subject, erased_at from keys.personal where erased_at is not null order by erased_at, subject"
            ).map { row in
                let time = try row.get(1, PostgresTimestamp.self)
                return Erasure(subject: try row.get(0, String.self), at: Instante(microssegundos: time.microsecondsSinceEpoch))
            }
        }
    }
}

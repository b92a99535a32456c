import Crypto
import Postgres

extension Keyring {
    /// How many people's keys are wrapped under which master key.
    package struct Wrapping: Sendable, Equatable {
        /// The master key's id; nil where that was not written down, as before ids were.
        package let master: String?
        package let keys: Int64
        /// Whether this keyring has that master key; true where it is not known which one it is.
        package let isConfigured: Bool
    }

    private static let rewrapBatch: Int32 = 500

    /// By master key, the current one's among them only if something is wrapped under it.
    package func wrappings() async throws -> [Wrapping] {
        let master = master
        return try await pool.withConnection { connection in
            try connection.query(
                "select master, count(*) from keys.personal where wrapped is not null group by master order by master"
            ).map { row in
                let id = try row.get(0, String?.self)
                return Wrapping(master: id, keys: try row.get(1, Int64.self), isConfigured: id.map(master.has) ?? true)
            }
        }
    }

    /// Wraps every person's key anew under the current master key, while everything runs. The people's own keys stay as they
    /// are, so what they sealed stays readable. Batch by batch, each committed: stopped in between, it goes on where it was.
    ///
    /// - Parameter progress: told after each batch how many keys were wrapped anew so far.
    /// - Returns: how many.
    /// - Throws: `Problem.masterMissing` before anything is changed, where a key is wrapped under one that is not configured.
    package func rewrap(progress: @Sendable (Int) -> Void = { _ in }) async throws -> Int {
        if let missing = try await wrappings().first(where: { !$0.isConfigured })?.master {
            throw Problem.masterMissing(id: missing)
        }
        var done = 0
        var isDirty = true
        // A process that has not heard of the new master key may wrap under an old one behind our back.
        while isDirty {
            isDirty = false
            var last = ""
            while let batch = try await rewrapBatch(after: last) {
                last = batch.last
                done += batch.count
                isDirty = true
                progress(done)
            }
        }
        return done
    }

    /// - Returns: how many keys it was, and the last one's subject; nil where there are none after that subject.
    private func rewrapBatch(after subject: String) async throws -> (count: Int, last: String)? {
        let master = master
        return try await pool.transaction { connection in
            let rows = try connection.query(
                """
                select subject, wrapped, master from keys.personal
                 where subject > $1 and wrapped is not null and master is distinct from $2
                 order by subject limit $3 for update
                """,
                subject,
                master.current,
                Self.rewrapBatch
            )
            var (subjects, wrapped): ([String], [[UInt8]]) = ([], [])
            for row in rows {
                let subject = try row.get(0, String.self)
                let key = try master.unwrap(try row.get(1, [UInt8].self), under: try row.get(2, String?.self), of: subject)
                subjects.append(subject)
                wrapped.append(try master.wrap(key, of: subject))
            }
            guard let last = subjects.last else { return nil }
            try connection.execute(
                """
                update keys.personal p set wrapped = n.wrapped, master = $3
                  from unnest($1::text[], $2::bytea[]) as n(subject, wrapped)
                 where p.subject = n.subject
                """,
                PostgresArray(subjects),
                PostgresArray(wrapped),
                master.current
            )
            return (subjects.count, last)
        }
    }
}

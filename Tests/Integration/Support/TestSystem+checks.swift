import EventStore
import Logging
import Postgres
import Projections
import Testing

@testable import coworkflow

/// What must hold after whatever the tests of a suite did.
extension TestSystem {
    func checkWhatAlwaysHolds(mayLogErrors: Bool) async throws {
        try await checkLog()
        try await checkReadModels()
        try await checkConfidence()
        guard !mayLogErrors else { return }
        let errors = journal.entries.filter { $0.level >= .error }.map(\.text)
        #expect(errors.isEmpty)
    }

    /// Positions and versions without a hole, and each command's positions as its events'.
    private func checkLog() async throws {
        let row = try #require(
            try await pool.withConnection { connection in
                try connection.query(
                    """
                    select (select count(*) from log.events),
                           (select coalesce(max(position), 0) from log.events),
                           (select head from log.writer),
                           (select count(*) from (
                                select stream, max(version) as last, count(*) as events from log.events group by stream
                            ) s where s.last <> s.events),
                           (select count(*) from (
                                select command_id, min(position) as low, max(position) as high, count(*) as events
                                  from log.events group by command_id
                            ) e full join log.commands c using (command_id)
                             where e.low is distinct from c.first_position or e.high is distinct from c.last_position
                                or e.events <> e.high - e.low + 1)
                    """
                )
            }.first
        )
        let numbers = try (0..<5).map { try row.get($0, Int64.self) }
        #expect(numbers[0] > 0 && numbers[0] == numbers[1], "positions are gapless")
        #expect(numbers[1] == numbers[2], "the head is the last position")
        #expect(numbers[3] == 0, "versions are gapless and the heads are theirs")
        #expect(numbers[4] == 0, "each command knows its events")
    }

    private func checkReadModels() async throws {
        let keys = PostgresPool(
            settings.postgres.with(role: DatabaseRole.keyring.rawValue),
            maximumConnections: 1,
            logger: journal.logger()
        )
        let verifier = ReadModelVerifier(
            configuration: Projections.configuration(settings.postgres),
            opener: Keyring(pool: keys, master: settings.secrets.master),
            logger: journal.logger()
        )
        let verdicts = try await verifier.compare()
        await keys.close()
        #expect(Set(verdicts.keys) == Set(Projections.models.map(\.name)))
        for (name, verdict) in verdicts {
            guard case .equal = verdict else {
                Issue.record("read model \(name): \(verdict)")
                continue
            }
        }
    }

    /// No event shows personal data, nothing in the database shows a password, and what is logged shows neither.
    private func checkConfidence() async throws {
        let (personal, passwords) = (confidential.personal, confidential.passwords)
        let leaks = try await pool.withConnection { connection in
            try connection.query(
                """
                select position, type from log.events, unnest($1::text[]) as secret
                 where strpos(lower(stream || convert_from(payload, 'UTF8') || convert_from(metadata, 'UTF8')), lower(secret)) > 0
                 limit 5
                """,
                PostgresArray(personal + passwords)
            ).map { "\(try $0.get(1, String.self)) at \(try $0.get(0, Int64.self))" }
        }
        #expect(leaks.isEmpty, "personal data in plain")
        for table in try await tables() where table != "log.events" {
            let count = try await pool.withConnection { connection in
                try connection.query(
                    """
                    select count(*) from \(table) as row_of_it, unnest($1::text[]) as password(plain)
                     where strpos(row_of_it::text, password.plain) > 0
                        or strpos(row_of_it::text, encode(convert_to(password.plain, 'UTF8'), 'hex')) > 0
                    """,
                    PostgresArray(passwords)
                ).first?.get(0, Int64.self)
            }
            #expect(count == 0, "a password in \(table)")
        }
        let lines = journal.entries.map(\.text).joined(separator: "\n").lowercased()
        for secret in personal + passwords {
            #expect(!lines.contains(secret.lowercased()), "what is logged shows \(secret)")
        }
    }

    private func tables() async throws -> [String] {
        try await pool.withConnection { connection in
            try connection.query(
                """
                select schemaname || '.' || tablename from pg_tables
                 where schemaname in ('log', 'read', 'subs', 'keys', 'volatile') order by 1
                """
            ).map { try $0.get(0, String.self) }
        }
    }

    /// The last position of the log, once the policies have done what they do by themselves; of a system that does not come to rest,
    /// as it is after a while.
    func head() async throws -> Int {
        let deadline = ContinuousClock.now + .seconds(4)
        while true {
            let (head, isQuiet) = try await headAndQuiet()
            if isQuiet || ContinuousClock.now > deadline { return head }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private func headAndQuiet() async throws -> (Int, Bool) {
        let now = PostgresTimestamp(microsecondsSinceEpoch: clock.now)
        return try await pool.withConnection { connection in
            let row = try connection.query(
                """
                select head, not exists (select from subs.checkpoints where position < head)
                         and not exists (select from subs.timers where due <= $1)
                  from log.writer
                """,
                now
            ).first
            return (try row.map { Int(try $0.get(0, Int64.self)) } ?? 0, try row?.get(1, Bool.self) ?? true)
        }
    }

    /// How many events of a type there are.
    func count(of type: String) async throws -> Int {
        try await pool.withConnection { connection in
            try connection.query("select count(*) from log.events where type = $1", type).first.map { Int(try $0.get(0, Int64.self)) } ?? 0
        }
    }

    /// Whether there is a key of a person's.
    func hasKey(_ person: String) async throws -> Bool {
        try await pool.withConnection { connection in
            try connection.query("select 1 from keys.personal where subject = $1 and wrapped is not null", person).isEmpty == false
        }
    }
}

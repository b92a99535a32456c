import Crypto
import EventStore
import Foundation
import Postgres
import Testing

@testable import coworkflow

extension WholeSystem {
    /// What looks into the log, copies it, vouches for it and explains it, as somebody at a command line runs it.
    @Suite(.serialized, .system(startsAt: "2026-03-02T12:00:00Z"))
    struct LogTools {
        /// A log at rest, with a booking that was confirmed.
        private struct Booked {
            let system: TestSystem
            let id: String
            let head: Int

            init() async throws {
                system = try TestSystem.current()
                id = try await system.hold().id
                try await system.administrator().client.post("/reservations/\(id)/confirm").expect(200)
                try await system.settled()
                head = try await system.head()
            }
        }

        // MARK: Looking

        @Test("'log tail' shows the last events, those from a position on, and those of some contexts")
        func tail() async throws {
            // Given
            let booked = try await Booked()
            let (system, head) = (booked.system, booked.head)
            let bookings = try await numbers("select position from log.events where context = 'reservas' order by 1", system)
            let others = try await numbers("select position from log.events where context in ('espacos', 'usuarios') order by 1", system)
            #expect(bookings.count > 2 && others.count > 2)
            let cases: [([String], [Int])] = [
                (["--count", "3"], [head - 2, head - 1, head]),
                (["-n", "0"], []),
                (["-n", "2", "--context", "reservas"], Array(bookings.suffix(2))),
                (["--from", "\(head - 1)"], [head - 1, head]),
                (["--from", "\(head + 1)"], []),
                (["--from", "1", "--context", "espacos", "--context", "usuarios"], others),
            ]
            for (arguments, expected) in cases {
                // When
                let outcome = try await Program.run(["log", "tail", "--json"] + arguments, system.environment)
                // Then
                #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome)")
                #expect(try positions(outcome) == expected, "\(arguments)")
            }
            // And for people
            let text = try await Program.run(["log", "tail", "--count", "1"], system.environment)
            #expect(text.code == 0 && text.output.split(separator: "\n").first?.contains("  #\(head)  ") == true, "\(text)")
        }

        @Test("'log show' shows everything about an event but what is sealed, and names the head where there is no such position")
        func show() async throws {
            // Given
            let booked = try await Booked()
            let (system, stream) = (booked.system, "reserva-\(booked.id)")
            let position = try #require(try await positions(of: stream, system).first)
            let sealed = try #require(
                try await numbers("select position from log.events where strpos(convert_from(payload, 'UTF8'), '\"1.') > 0", system).first
            )
            // When
            let shown = try await Program.run(["log", "show", "\(position)"], system.environment)
            let json = try await Program.run(["log", "show", "\(position)", "--json"], system.environment)
            let personal = try await Program.run(["log", "show", "\(sealed)"], system.environment)
            // Then
            #expect(shown.code == 0 && shown.errors.isEmpty, "\(shown)")
            for part in [
                "position   \(position)\n", "stream     \(stream)@1\n", "type       reservas.ReservaSolicitada v",
                "(follows from the event before)\n",
            ] { #expect(shown.output.contains(part), "\(shown)") }
            #expect(json.code == 0, "\(json)")
            #expect(try positions(json) == [position])
            #expect(try events(json).map(\.["subject"]) == [.string(stream)])
            #expect(personal.code == 0 && personal.output.contains("(sealed)") && !personal.output.contains("\"1."), "\(personal)")
            // And
            let none = booked.head + 1_000
            let refused = try await Program.run(["log", "show", "\(none)"], system.environment)
            expectRefusal(refused, "there is no position \(none); the head is \(booked.head)")
        }

        @Test("'log stream' shows a stream from its first event, and says where there is none")
        func stream() async throws {
            // Given
            let booked = try await Booked()
            let (system, stream) = (booked.system, "reserva-\(booked.id)")
            // When
            let outcome = try await Program.run(["log", "stream", stream, "--json"], system.environment)
            // Then
            #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome)")
            let shown = try events(outcome)
            #expect(shown.map(\.["type"]) == ["reservas.ReservaSolicitada", "reservas.ReservaConfirmada"])
            #expect(shown.map(\.["streamversion"]) == [1, 2])
            let recorded = try await positions(of: stream, system)
            #expect(try positions(outcome) == recorded)
            // And
            expectRefusal(try await Program.run(["log", "stream", "reserva-x"], system.environment), "there is no stream reserva-x")
        }

        @Test("'log stats' counts what the log holds")
        func stats() async throws {
            // Given
            let booked = try await Booked()
            let (system, head, hash) = (booked.system, booked.head, try await hash(booked.system))
            // When
            let json = try await Program.run(["log", "stats", "--json"], system.environment)
            let text = try await Program.run(["log", "stats"], system.environment)
            // Then
            #expect(json.code == 0 && json.errors.isEmpty, "\(json)")
            let found = try JSONValue(bytes: Array(json.output.utf8))
            #expect(found["head"].number == Double(head) && found["events"].number == Double(head))
            #expect(found["hash"].text == hash)
            for (key, counted) in [("streams", "distinct stream) from log.events"), ("commands", "*) from log.commands")] {
                let count = try #require(try await numbers("select count(\(counted)", system).first)
                #expect(found[key].number == Double(count), "\(key)")
            }
            let confirmed = try await system.count(of: "reservas.ReservaConfirmada")
            #expect(found["types"]["reservas.ReservaConfirmada"]["events"].number == Double(confirmed))
            // And for people
            #expect(text.code == 0 && text.errors.isEmpty, "\(text)")
            #expect(text.output.hasPrefix("head      \(head.grouped), epoch ") && text.output.contains(", hash \(hash)\n"), "\(text)")
            #expect(text.output.contains("\nevents    \(head.grouped) in ") && text.output.contains(" bytes  log.events\n"), "\(text)")
        }

        // MARK: Copying

        @Test("An exported log is imported into an empty database, all or nothing, and is the same there")
        func transfer() async throws {
            // Given a log in a file
            let booked = try await Booked()
            let (system, head, hash) = (booked.system, booked.head, try await hash(booked.system))
            let file = file("log", system)
            let exported = try await Program.run(["log", "export", file.path], system.environment)
            #expect(exported.code == 0 && exported.output.isEmpty, "\(exported)")
            #expect(exported.errors.hasSuffix("exported \(head.grouped) events up to position \(head), hash \(hash)\n"), "\(exported)")
            #expect(!FileManager.default.fileExists(atPath: file.path + ".partial"))
            let text = try String(contentsOf: file, encoding: .utf8)
            let lines = text.split(separator: "\n")
            #expect(lines.count == head + 1)
            let piped = try await Program.run(["log", "export", "-"], system.environment)
            #expect(piped.code == 0 && piped.output == text)
            let short = self.file("short", system)
            try Data((lines.prefix(3).joined(separator: "\n") + "\n").utf8).write(to: short)

            try await withDatabase(of: system) { other in
                // When it is imported too early, then cut short
                expectRefusal(try await Program.run(["log", "import", file.path], other.environment), "run 'coworkflow migrate' first")
                try await migrate(other)
                let cut = try await Program.run(["log", "import", short.path], other.environment)
                // Then nothing is
                expectRefusal(cut, "the file ends after line 3, before position 3; it should go on to \(head)")
                // And whole it is, once
                try await importLog(file, into: other, head, hash)
                let again = try await Program.run(["log", "import", file.path], other.environment)
                expectRefusal(again, "the log is not empty (head \(head)): import only into a database that was migrated and never used")
                // And it is sound before anything else is there
                let alone = try await Program.run(
                    ["verify", "--log-only"], other.environment.filter { $0.key == "COWORKFLOW_POSTGRES_URL" }
                )
                #expect(alone.code == 0, "\(alone)")
                #expect(alone.output == "log: \(head) of \(head) events, sound, hash \(hash)\n", "\(alone)")
                // And with the keys, and read models of its own, it is what it was
                let keys = self.file("keys", system)
                let url = system.servers.postgresURL(system.name)
                try Data(try await run("pg_dump", ["--data-only", "--schema=keys", "--dbname=\(url)"]).utf8).write(to: keys)
                try await restore(keys, into: other)
                let built = try await Program.run(["replay", "changed"], other.environment)
                #expect(built.code == 0, "\(built)")
                let verified = try await Program.run(["verify"], other.environment)
                #expect(verified.code == 0, "\(verified)")
                #expect(verified.output.hasPrefix("log: \(head) of \(head) events, sound, hash \(hash)\n"), "\(verified)")
            }
        }

        @Test("An export that fails on the way leaves what has the name, and gives it to nothing")
        func unsound() async throws {
            // Given a file, and a log that is damaged
            let booked = try await Booked()
            let (system, file, none) = (booked.system, file("log", booked.system), file("none", booked.system))
            #expect(try await Program.run(["log", "export", file.path], system.environment).code == 0)
            let before = try Data(contentsOf: file)
            try await withDatabase(of: system) { other in
                try await migrate(other)
                try await importLog(file, into: other, booked.head, try await hash(system))
                try await other.pool.withConnection { connection in
                    try connection.executeScript(
                        """
                        alter table log.events disable trigger append_only;
                        update log.events set payload = '{}' where position = 5
                        """
                    )
                }
                for name in [file, none] {
                    // When
                    let outcome = try await Program.run(["log", "export", name.path], other.environment)
                    // Then
                    expectRefusal(outcome, "the log is not sound (altered: position 5): nothing from there on can be exported")
                }
                // And
                let verified = try await Program.run(["verify"], other.environment)
                #expect(verified.code == 1, "\(verified)")
                #expect(verified.output.hasPrefix("log: 4 of \(booked.head) events, altered: position 5, hash "), "\(verified)")
            }
            #expect(try Data(contentsOf: file) == before)
            #expect(!FileManager.default.fileExists(atPath: none.path))
        }

        // MARK: Vouching

        @Test("Signed heads vouch for the log, and find one that was chained anew, which 'verify' alone does not")
        func signedHeads() async throws {
            // Given two heads, the second signed after the first
            let system = try TestSystem.current()
            let key = P256.Signing.PrivateKey()
            let secret = ["COWORKFLOW_KEY_HEAD": key.pemRepresentation]
            let known = ["COWORKFLOW_KEY_HEAD_PUBLIC": key.publicKey.pemRepresentation]
            let file = file("heads", system)
            var (heads, lines): ([Int], String) = ([], "")
            for _ in 1...2 {
                try Data(lines.utf8).write(to: file)
                let head = try await Booked().head
                let signed = try await Program.run(["log", "sign-head", "--after", file.path], system.environment.merging(secret) { $1 })
                #expect(signed.code == 0 && signed.errors.isEmpty, "\(signed)")
                #expect(try events(signed).map(\.["position"]) == [.number(Double(head))])
                heads.append(head)
                lines += signed.output
            }
            try Data(lines.utf8).write(to: file)
            let (first, second, last) = (heads[0], heads[1], try await hash(system))
            // Then the log is theirs, to whoever has the public half of the key
            let verified = try await Program.run(["verify", "--against", file.path], system.environment.merging(known) { $1 })
            #expect(verified.code == 0, "\(verified)")
            #expect(verified.output.hasPrefix("log: \(second) of \(second) events, sound, hash \(last), 2 signed heads\n"), "\(verified)")
            // And to nobody else
            let foreign = ["COWORKFLOW_KEY_HEAD_PUBLIC": P256.Signing.PrivateKey().publicKey.pemRepresentation]
            let refused = try await Program.run(["verify", "--against", file.path], system.environment.merging(foreign) { $1 })
            expectRefusal(refused, "\(file.path): line 1 was not signed with this key")

            // When a copy of the database is altered between the two, and chained anew
            let copy = self.file("copy", system)
            try Data(try await run("pg_dump", ["--dbname=\(system.servers.postgresURL(system.name))"]).utf8).write(to: copy)
            try await withDatabase(of: system) { other in
                try await restore(copy, into: other)
                try await alter(Position(Int64(first) + 1), in: other.pool)
                // Then it is sound to itself
                let alone = try await Program.run(["verify"], other.environment)
                #expect(alone.code == 0 && alone.output.hasPrefix("log: \(second) of \(second) events, sound, hash "), "\(alone)")
                // And found out by them
                let found = try await Program.run(["verify", "--against", file.path], other.environment.merging(known) { $1 })
                #expect(found.code == 1, "\(found)")
                let place = "chained anew: position \(second) is not the one that was signed; altered after position \(first)"
                #expect(found.output.split(separator: "\n").first?.contains(", \(place), hash ") == true, "\(found)")
                let next = try await Program.run(["log", "sign-head", "--after", file.path], other.environment.merging(secret) { $1 })
                expectRefusal(next, "not signed: chained anew: position \(second) is not the one that was signed")
            }
        }

        // MARK: Explaining

        @Test("'explain reserva' tells what the API answers about a booking's history, and the same in words", arguments: ["pt", "en"])
        func explain(language: String) async throws {
            // Given
            let booked = try await Booked()
            let (system, id) = (booked.system, booked.id)
            let admin = try await system.administrator().client
            let history = try await admin.get("/reservations/\(id)/history", ["Accept-Language": language]).expect(200)
            // When
            let arguments = ["explain", "reserva", id, "--lang", language]
            let json = try await Program.run(arguments + ["--json"], system.environment)
            let told = try await Program.run(arguments, system.environment)
            // Then
            #expect(json.code == 0 && json.errors.isEmpty, "\(json)")
            #expect(try JSONValue(bytes: Array(json.output.utf8)) == history.json)
            // And
            #expect(told.code == 0 && told.errors.isEmpty, "\(told)")
            let status = try history.text("status")
            #expect(told.output.hasPrefix("reserva-\(id): \(status)\n"), "\(told)")
            let steps = history["steps"].items
            #expect(steps.count >= 2)
            for step in steps {
                let (time, by) = (try #require(step["time"].text), try #require(step["by_text"].text))
                #expect(told.output.contains("\n\(time)  \(by)"), "\(told)")
                for event in step["events"].items {
                    let (position, text) = (try #require(event["position"].number), try #require(event["text"].text))
                    #expect(told.output.contains("\n  #\(Int(position))  \(text)  ["), "\(told)")
                    for reason in event["reasons"].items.compactMap(\.text) { #expect(told.output.contains("\n        - \(reason)")) }
                }
            }
        }

        // MARK: Saying no

        @Test("What cannot be done is said in one line, with code 1")
        func refusals() async throws {
            let system = try TestSystem.current()
            let cases: [([String], String)] = [
                (["log", "export", "/nowhere/log.jsonl"], "/nowhere/log.jsonl cannot be written: "),
                (["log", "export", "--from", "0", "-"], "the stretch must lie between positions 1 and "),
                (["log", "import", "/nowhere/log.jsonl"], "/nowhere/log.jsonl cannot be read: "),
                (["log", "sign-head"], "COWORKFLOW_KEY_HEAD is not set"),
                (["verify", "--against", "/nowhere/heads.jsonl"], "COWORKFLOW_KEY_HEAD_PUBLIC is not set"),
                (["explain", "reserva", "x"], "x is no id of a booking"),
                (["explain", "reserva", "00000000-0000-7000-8000-000000000000", "--lang", "en"], "Reservation not found."),
            ]
            for (arguments, part) in cases { expectRefusal(try await Program.run(arguments, system.environment), part) }
        }

        @Test("Arguments that make no sense are named first of all, with code 64")
        func usage() async throws {
            let system = try TestSystem.current()
            let cases: [([String], String)] = [
                (["log", "show", "x"], "The value 'x' is invalid for '<position>'"),
                (["log", "tail", "--from", "0"], "positions begin at 1"),
                (["log", "tail", "--count=-1"], "--count must not be negative"),
                (["log", "export", "--format", "xml", "-"], "The value 'xml' is invalid for '--format <format>'"),
            ]
            for (arguments, part) in cases {
                let outcome = try await Program.run(arguments, system.environment)
                #expect(outcome.code == 64 && outcome.output.isEmpty, "\(outcome)")
                #expect(outcome.errors.hasPrefix("Error: \(part)"), "\(outcome)")
            }
        }

        private func expectRefusal(_ outcome: Program.Outcome, _ part: String, sourceLocation: SourceLocation = #_sourceLocation) {
            #expect(outcome.code == 1 && outcome.output.isEmpty, "\(outcome)", sourceLocation: sourceLocation)
            #expect(outcome.errors.hasPrefix("coworkflow: ") && outcome.errors.contains(part), "\(outcome)", sourceLocation: sourceLocation)
            #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome)", sourceLocation: sourceLocation)
        }

        // MARK: What was printed, and what there is

        /// One JSON object a line.
        private func events(_ outcome: Program.Outcome) throws -> [JSONValue] {
            try outcome.output.split(separator: "\n").map { try JSONValue(bytes: Array($0.utf8)) }
        }

        private func positions(_ outcome: Program.Outcome) throws -> [Int] {
            try events(outcome).compactMap { event in event["sequence"].text.flatMap { Int($0) } }
        }

        /// The first column.
        private func numbers(_ sql: String, _ system: TestSystem) async throws -> [Int] {
            try await system.pool.withConnection { connection in
                try connection.query(sql).map { Int(try $0.get(0, Int64.self)) }
            }
        }

        private func positions(of stream: String, _ system: TestSystem) async throws -> [Int] {
            try await numbers("select position from log.events where stream = '\(stream)' order by 1", system)
        }

        private func hash(_ system: TestSystem) async throws -> String {
            try await system.pool.withConnection { connection in
                try connection.query("select encode(hash, 'hex') from log.writer")[0].get(0, String.self)
            }
        }

        /// A name that nothing has yet.
        private func file(_ label: String, _ system: TestSystem) -> URL {
            system.folder.appending(path: "\(label)-\(UUID().uuidString)")
        }

        // MARK: Other databases

        /// A database beside the system's, and what the program is configured with to use it.
        private struct Other: Sendable {
            let url: String
            let environment: [String: String]
            /// Of the superuser.
            let pool: PostgresPool
        }

        /// Makes an empty one for as long as `body` takes.
        private func withDatabase(of system: TestSystem, _ body: (Other) async throws -> Void) async throws {
            let name = "\(system.name)_\(UUID().uuidString.prefix(8).lowercased())"
            let url = system.servers.postgresURL(name)
            try await system.servers.createDatabase(name)
            let other = Other(
                url: url,
                environment: system.environment.merging(["COWORKFLOW_POSTGRES_URL": url]) { $1 },
                pool: PostgresPool(try PostgresConfiguration(url: url), maximumConnections: 1, logger: system.journal.logger())
            )
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await body(other)) } catch { outcome = .failure(error) }
            await other.pool.close()
            try? await system.servers.dropDatabase(name)
            try outcome.get()
        }

        private func migrate(_ other: Other) async throws {
            let migrated = try await Program.run(["migrate"], other.environment)
            #expect(migrated.code == 0 && migrated.output.hasPrefix("Applied: "), "\(migrated)")
        }

        private func importLog(_ file: URL, into other: Other, _ head: Int, _ hash: String) async throws {
            let imported = try await Program.run(["log", "import", file.path], other.environment)
            #expect(imported.code == 0 && imported.output.isEmpty, "\(imported)")
            #expect(imported.errors.contains("imported \(head.grouped) events of "), "\(imported)")
            #expect(imported.errors.hasSuffix(" commands, hash \(hash)\n"), "\(imported)")
        }

        private func restore(_ dump: URL, into other: Other) async throws {
            _ = try await run("psql", ["--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--dbname=\(other.url)"], input: dump)
        }

        /// Alters an event as somebody would who may do everything and knows the layout, and chains anew what follows. What it says stays.
        private func alter(_ position: Position, in pool: PostgresPool) async throws {
            let reader = LogReader(pool: pool)
            let events = try await reader.events(from: position, through: try await reader.head())
            let before = try #require(try await reader.hash(at: Position(position.rawValue - 1)))
            try await pool.transaction { connection in
                try connection.execute("alter table log.events disable trigger append_only")
                var hash = before
                for event in events {
                    let metadata = event.metadata + (event.position == position ? [UInt8(ascii: " ")] : [])
                    let altered = RecordedEvent(
                        position: event.position, id: event.id, stream: event.stream, version: event.version, type: event.type,
                        schemaVersion: event.schemaVersion, recordedAt: event.recordedAt, commandID: event.commandID,
                        payload: event.payload, metadata: metadata
                    )
                    hash = EventHash.hash(after: hash, altered)
                    try connection.execute(
                        "update log.events set metadata = $2, hash = $3 where position = $1", event.position.rawValue, metadata, hash
                    )
                }
                try connection.execute("update log.writer set hash = $1", hash)
            }
        }
    }
}

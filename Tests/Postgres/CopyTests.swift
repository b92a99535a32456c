import FoundationEssentials
import Postgres
import Testing

@Suite("COPY")
struct CopyTests {
    private struct Stop: Error {}

    private static let copyIn = "COPY t (id, name) FROM STDIN (FORMAT binary)"
    private static let copyOut = "COPY (SELECT id, name FROM t ORDER BY id) TO STDOUT (FORMAT binary)"

    /// A temporary table of numbers and names.
    private static func withTable(_ body: @Sendable (isolated PostgresConnection) throws -> Void) async throws {
        try await TestServer.withConnection { c throws in
            try c.executeScript("CREATE TEMP TABLE t (id int8 CONSTRAINT t_um UNIQUE, name text)")
            try body(c)
            // Whatever went wrong, the connection goes on.
            let isUsable = c.isUsable
            #expect(isUsable)
            #expect(try c.query("SELECT $1::int8", 7)[0].get(0, Int.self) == 7)
        }
    }

    private static func write(_ rows: Range<Int>, to copy: inout PostgresCopyWriter) throws {
        for row in rows {
            copy.write(row)
            copy.write("nome \(row)")
            try copy.endRow()
        }
    }

    // MARK: In

    @Test("Every type arrives as it was written")
    func types() async throws {
        let id = UUID()
        try await TestServer.withConnection { c throws in
            try c.executeScript(
                """
                CREATE TEMP TABLE t (
                    a boolean, b smallint, c integer, d bigint, e bigint, f double precision, g text, h bytea, i uuid, j jsonb, k json,
                    l timestamptz, m date, n bigint[], o text, p bytea
                )
                """
            )
            let count = try c.copyIn("COPY t FROM STDIN (FORMAT binary)") { copy throws in
                #expect(copy.columns == 16)
                copy.write(true)
                copy.write(-2 as Int16)
                copy.write(-3 as Int32)
                copy.write(Int64.min)
                copy.write(5)
                copy.write(-0.5)
                copy.write("olá, 🏢")
                copy.write([0, 255, 10] as [UInt8])
                copy.write(id)
                copy.writeJSONB(Array(#"{"a": 1}"#.utf8))
                copy.write(#"{"a":  1}"#)
                copy.write(PostgresTimestamp(microsecondsSinceEpoch: 1_700_000_000_000_001))
                copy.write(PostgresDate(daysSinceEpoch: 20_000))
                copy.write([1, 2] as PostgresArray<Int>)
                copy.write(nil as String?)
                copy.writeNull()
                try copy.endRow()
            }
            #expect(count == 1)
            let row = try c.query("SELECT *, k::text AS kt FROM t")[0]
            #expect(try row.get("a", Bool.self))
            #expect(try row.get("b", Int16.self) == -2)
            #expect(try row.get("c", Int32.self) == -3)
            #expect(try row.get("d", Int64.self) == .min)
            #expect(try row.get("e", Int.self) == 5)
            #expect(try row.get("f", Double.self) == -0.5)
            #expect(try row.get("g", String.self) == "olá, 🏢")
            #expect(try row.get("h", [UInt8].self) == [0, 255, 10])
            #expect(try row.get("i", UUID.self) == id)
            #expect(try row.get("j", PostgresJSON.self) == PostgresJSON(#"{"a": 1}"#))
            #expect(try row.get("kt", String.self) == #"{"a":  1}"#)
            #expect(try row.get("l", PostgresTimestamp.self).microsecondsSinceEpoch == 1_700_000_000_000_001)
            #expect(try row.get("m", PostgresDate.self).daysSinceEpoch == 20_000)
            #expect(try row.get("n", PostgresArray<Int>.self) == [1, 2])
            #expect(try row.get("o", String?.self) == nil)
            #expect(try row.get("p", [UInt8]?.self) == nil)

            // And back, by the other way.
            var rows = 0
            try c.copyOut("COPY t TO STDOUT (FORMAT binary)") { row throws in
                rows += 1
                #expect(row.columns == 16)
                #expect(try row.read(Bool.self))
                #expect(try row.read(Int16.self) == -2)
                #expect(try row.read(Int32.self) == -3)
                #expect(try row.read(Int64.self) == .min)
                try row.skip()
                #expect(try row.read(Double?.self) == -0.5)
                #expect(try row.read(String.self) == "olá, 🏢")
                #expect(try row.withBytes { $0?.byteCount } == 3)
                #expect(try row.read(UUID.self) == id)
                #expect(try row.read(PostgresJSON.self) == PostgresJSON(#"{"a": 1}"#))
                #expect(try row.read(String.self, as: .json) == #"{"a":  1}"#)
                #expect(try row.read(PostgresTimestamp.self).microsecondsSinceEpoch == 1_700_000_000_000_001)
                #expect(try row.read(PostgresValue.self, as: .date) == .date(PostgresDate(daysSinceEpoch: 20_000)))
                #expect(try row.read(PostgresArray<Int>.self, as: .int8.array ?? .unknown) == [1, 2])
                let isNull = row.isNull
                #expect(isNull)
                #expect(try row.read(String?.self) == nil)
                #expect(try row.withBytes { $0 == nil })
                #expect(throws: PostgresError.self) { try row.skip() }
            }
            #expect(rows == 1)
        }
    }

    @Test("Rows of any number and size arrive, more than one buffer of them included", arguments: [0, 1, 20_000])
    func many(count: Int) async throws {
        try await Self.withTable { c throws in
            #expect(try c.copyIn(Self.copyIn) { try Self.write(0..<count, to: &$0) } == count)
            let row = try c.query("SELECT count(*), coalesce(sum(id), 0)::int8, count(*) FILTER (WHERE name = 'nome ' || id) FROM t")[0]
            #expect(try row.get(0, Int.self) == count)
            #expect(try row.get(1, Int.self) == count * (count - 1) / 2)
            #expect(try row.get(2, Int.self) == count)
        }
    }

    @Test("Fields larger than the buffer arrive whole, wherever its end falls", .timeLimit(.minutes(1)))
    func large() async throws {
        try await TestServer.withConnection { c throws in
            try c.executeScript("CREATE TEMP TABLE t (id int8, data bytea)")
            let sizes = [0, 1, 65_480, 65_500, 65_501, 65_502, 65_503, 65_504, 65_505, 65_506, 65_536, 131_072, 10 << 20]
            try c.copyIn("COPY t FROM STDIN (FORMAT binary)") { copy throws in
                for size in sizes {
                    copy.write(size)
                    copy.write((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
                    try copy.endRow()
                }
            }
            var seen: [Int] = []
            try c.copyOut("COPY t TO STDOUT (FORMAT binary)") { row throws in
                let size = try row.read(Int.self)
                seen.append(size)
                #expect(try row.read([UInt8].self) == (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            }
            #expect(seen == sizes)
        }
    }

    @Test("A copy in a transaction commits and fails with it")
    func transaction() async throws {
        try await Self.withTable { c throws in
            try c.transaction { c throws in
                try c.execute("INSERT INTO t VALUES ($1, 'antes')", -1)
                try c.copyIn(Self.copyIn) { try Self.write(0..<10, to: &$0) }
                try c.execute("DELETE FROM t WHERE id >= $1", 5)
            }
            #expect(try c.query("SELECT id FROM t ORDER BY id").map { try $0.get(0, Int.self) } == [-1, 0, 1, 2, 3, 4])
            #expect(throws: Stop.self) {
                try c.transaction { c throws in
                    try c.copyIn(Self.copyIn) { try Self.write(10..<20, to: &$0) }
                    throw Stop()
                }
            }
            #expect(try c.query("SELECT 1 FROM t").count == 6)
        }
    }

    @Test("What the closure throws ends the copy, early or late, and nothing is kept", arguments: [0, 1, 20_000])
    func thrown(after count: Int) async throws {
        try await Self.withTable { c throws in
            #expect(throws: Stop.self) {
                try c.copyIn(Self.copyIn) { copy throws in
                    try Self.write(0..<count, to: &copy)
                    throw Stop()
                }
            }
            let isInTransaction = c.isInTransaction
            #expect(!isInTransaction)
            #expect(try c.query("SELECT 1 FROM t").isEmpty)
            // Inside a transaction it is that which has failed.
            #expect(throws: Stop.self) {
                try c.transaction { c throws in
                    try c.execute("INSERT INTO t VALUES (1)")
                    try c.copyIn(Self.copyIn) { _ in throw Stop() }
                }
            }
            #expect(try c.query("SELECT 1 FROM t").isEmpty)
        }
    }

    @Test("What the server has against a row is its error", arguments: [2, 20_000])
    func refused(rows: Int) async throws {
        try await Self.withTable { c throws in
            let twice = #expect(throws: PostgresError.self) {
                try c.copyIn(Self.copyIn) { copy throws in
                    try Self.write(0..<1, to: &copy)
                    try Self.write(0..<rows, to: &copy)
                }
            }
            #expect(twice?.sqlState == "23505")
            #expect(twice?.constraint == "t_um")
            #expect(twice?.isConnectionLost == false)
            let length = #expect(throws: PostgresError.self) {
                try c.copyIn(Self.copyIn) { copy throws in
                    copy.write(1 as Int32)
                    copy.write("um")
                    try copy.endRow()
                }
            }
            #expect(length?.sqlState == "08P01")
            let table = #expect(throws: PostgresError.self) {
                try c.copyIn("COPY nao_existe FROM STDIN (FORMAT binary)") { _ in Issue.record("there is nothing to write to") }
            }
            #expect(table?.sqlState == "42P01")
            #expect(try c.query("SELECT 1 FROM t").isEmpty)
        }
    }

    @Test("A row of the wrong number of fields, or one not ended, never reaches the table", arguments: [0, 1, 3])
    func fieldCount(fields: Int) async throws {
        try await Self.withTable { c throws in
            for ends in [true, false] where ends || fields > 0 {
                let error = #expect(throws: PostgresError.self) {
                    try c.copyIn(Self.copyIn) { copy throws in
                        try Self.write(0..<1, to: &copy)
                        for _ in 0..<fields { copy.writeNull() }
                        if ends { try copy.endRow() }
                    }
                }
                #expect(error?.kind == (ends ? .encoding : .misuse))
                #expect(try c.query("SELECT 1 FROM t").isEmpty)
            }
        }
    }

    @Test("A script with a fence, several copies and what follows is one transaction")
    func script() async throws {
        try await Self.withTable { c throws in
            try c.executeScript(
                "CREATE TEMP TABLE u (LIKE t); CREATE TEMP TABLE head (at int8); INSERT INTO head VALUES (0);"
            )
            let script = """
                UPDATE head SET at = 10; \(Self.copyIn); COPY u FROM STDIN (FORMAT binary);
                SELECT 1 / count(*) FROM t WHERE id = 9; UPDATE head SET at = at + (SELECT count(*) FROM u)
                """
            let count = try c.copyIn(script) { copy in try Self.write(0..<(copy.index == 0 ? 10 : 3), to: &copy) }
            #expect(count == 13)
            #expect(try c.query("SELECT at FROM head")[0].get(0, Int.self) == 13)
            // Whichever part fails, the others have not happened.
            for failure in 0..<3 {
                #expect(throws: (any Error).self) {
                    try c.copyIn(script) { copy throws in
                        if copy.index == failure { throw Stop() }
                        try Self.write(copy.index == 0 ? 20..<21 : 0..<5, to: &copy)
                        if failure == 2, copy.index == 1 { copy.writeNull() }
                    }
                }
                let isInTransaction = c.isInTransaction
                #expect(!isInTransaction)
                #expect(try c.query("SELECT at FROM head")[0].get(0, Int.self) == 13)
                #expect(try c.query("SELECT 1 FROM t").count == 10)
            }
            // A statement before or after the rows.
            for script in ["SELECT 1/0; \(Self.copyIn)", "\(Self.copyIn); SELECT 1/0"] {
                let error = #expect(throws: PostgresError.self) { try c.copyIn(script) { try Self.write(30..<31, to: &$0) } }
                #expect(error?.sqlState == "22012")
                #expect(try c.query("SELECT 1 FROM t").count == 10)
            }
        }
    }

    // MARK: Out

    @Test("Rows come one by one and in chunks", arguments: [0, 1, 20_000])
    func out(count: Int) async throws {
        try await Self.withTable { c throws in
            try c.execute("INSERT INTO t SELECT i, 'nome ' || i FROM generate_series(0, $1 - 1) i", count)
            var next = 0
            let check: (inout PostgresCopyRow) throws -> Void = { row throws in
                #expect(try row.read(Int.self) == next)
                // Every second name is left unread.
                if next.isMultiple(of: 2) { #expect(try row.read(String.self) == "nome \(next)") }
                next += 1
            }
            #expect(try c.copyOut(Self.copyOut, check) == count)
            #expect(next == count)
            next = 0
            var chunks = 0
            let rows = try c.copyOut(Self.copyOut, chunkSize: 100_000) { chunk in
                chunks += 1
                #expect(chunk.byteCount < 101_000)
                try chunk.forEachRow(check)
            }
            #expect(rows == count)
            #expect(next == count)
            #expect((chunks > 1) == (count > 1))
            #expect((chunks > 0) == (count > 0))
        }
    }

    private static func stopEndless(_ c: isolated PostgresConnection) throws {
        var rows = 0
        // Far more than buffers hold, and it would take hours.
        let script = "COPY (SELECT generate_series(1, 10000000000), repeat('x', 1000)) TO STDOUT (FORMAT binary)"
        try c.copyOut(script) { _ throws in
            rows += 1
            if rows == 1000 { throw Stop() }
        }
    }

    @Test("A closure that throws stops the rows, and the connection goes on", .timeLimit(.minutes(1)), arguments: [true, false])
    func stopped(inTransaction: Bool) async throws {
        try await Self.withTable { c throws in
            for _ in 0..<5 {
                #expect(throws: Stop.self) {
                    if inTransaction { try c.transaction(Self.stopEndless) } else { try Self.stopEndless(c) }
                }
                // No late cancellation hits what follows.
                for _ in 0..<20 { #expect(try c.query("SELECT $1", 1).count == 1) }
            }
            let isInTransaction = c.isInTransaction
            #expect(!isInTransaction)
        }
    }

    @Test("A statement that fails on the way is its error, after the rows before it")
    func failing() async throws {
        try await Self.withTable { c throws in
            var rows = 0
            let error = #expect(throws: PostgresError.self) {
                try c.copyOut("COPY (SELECT 1 / (1000 - i) FROM generate_series(1, 2000) i) TO STDOUT (FORMAT binary)") { _ in rows += 1 }
            }
            #expect(error?.sqlState == "22012")
            #expect(rows == 999)
        }
    }

    @Test("What does not fit the field says which and why")
    func misread() async throws {
        try await Self.withTable { c throws in
            try c.execute("INSERT INTO t VALUES (1, NULL)")
            let cases: [((inout PostgresCopyRow) throws -> Void, String)] = [
                ({ _ = try $0.read(Int32.self) }, "column 0 of a COPY holds bytes that Int32 cannot"),
                ({ _ = try ($0.read(Int.self), $0.read(String.self)) }, "column 1 of a COPY holds NULL, which String cannot"),
                ({ row in for _ in 0..<3 { try row.skip() } }, "a row of a COPY has 2 fields, no more"),
                ({ _ = try $0.read(String.self, as: .int8) }, "column 0 of a COPY cannot be read as String from bigint"),
            ]
            for (read, reason) in cases {
                let error = #expect(throws: PostgresError.self) { try c.copyOut(Self.copyOut, read) }
                #expect(error?.kind == .decoding)
                #expect(error?.description == "decoding: \(reason)")
            }
        }
    }

    // MARK: Wrong use and lost connections

    @Test("A script without a binary copy of the right kind is refused")
    func misuse() async throws {
        try await Self.withTable { c throws in
            for script in ["SELECT 1", "", "COPY t FROM STDIN", "SELECT '\0'"] {
                let error = #expect(throws: PostgresError.self) { try c.copyIn(script) { _ in } }
                #expect(error?.kind == .misuse)
            }
            for script in ["SELECT 1", "", "COPY t TO STDOUT", "SELECT '\0'"] {
                let error = #expect(throws: PostgresError.self) { try c.copyOut(script) { _ in } }
                #expect(error?.kind == .misuse)
            }
        }
    }

    @Test("A statement in the middle of a copy is refused and disturbs nothing")
    func nested() async throws {
        try await Self.withTable { c throws in
            try c.copyIn(Self.copyIn) { copy throws in
                try Self.write(0..<1, to: &copy)
                let error = #expect(throws: PostgresError.self) { try c.query("SELECT 1") }
                #expect(error?.kind == .misuse)
                try Self.write(1..<2, to: &copy)
            }
            #expect(try c.query("SELECT 1 FROM t").count == 2)
        }
    }

    @Test("A connection lost in the middle of a copy is that", .timeLimit(.minutes(1)), arguments: [true, false])
    func lost(isIn: Bool) async throws {
        let victim = try await PostgresConnection.connect(try TestServer.configuration(), logger: TestServer.logger)
        let process = victim.backendProcessID
        let isGone = Shared(false)
        try await victim.executeScript("CREATE TEMP TABLE t (id int8, name text)")
        let script = isIn ? Self.copyIn : "COPY (SELECT generate_series(1, 10000000000)) TO STDOUT (FORMAT binary)"
        async let killed: Void = {
            try await TestServer.terminate(process, whenRunning: script)
            isGone.withLock { $0 = true }
        }()
        let error = await #expect(throws: PostgresError.self) {
            try await victim.run { c throws in
                if isIn {
                    try c.copyIn(script) { copy throws in
                        while !isGone.withLock({ $0 }) { try Self.write(0..<1000, to: &copy) }
                        try Self.write(0..<20_000, to: &copy)
                    }
                } else {
                    try c.copyOut(script) { _ in }
                }
            }
        }
        try await killed
        #expect(error?.isConnectionLost == true)
        // A server that is ended in the middle of a message says no more.
        if isIn { #expect(error?.sqlState == "57P01") }
        #expect(await !victim.isUsable)
    }
}

import Foundation
import Postgres
import Testing

/// Everything that a database holds, as `pg_dump` and the files show it, to look for somebody in.
struct Dump: Sendable {
    private let text: String

    /// - Parameter schemas: only these; all where there are none.
    init(_ url: String, schemas: [String] = []) async throws {
        text = try await run("pg_dump", ["--no-owner", "--dbname=\(url)"] + schemas.map { "--schema=\($0)" }).lowercased()
    }

    /// Where one of the texts stands in it: in plain, in base64 or in hexadecimal, the one within the other too.
    func traces(of texts: [String]) -> [String] {
        texts.flatMap { Traces.forms(of: $0) }.filter { text.contains($0.lowercased()) }
    }
}

enum Traces {
    /// How a text may stand in something that is text itself.
    static func forms(of text: String) -> [String] {
        let plain = [text] + base64(text)
        return plain + plain.map(hexadecimal)
    }

    /// A text's base64 depends on what stands before it: one form for each place in a group of three bytes, without the ends
    /// that depend on the neighbours. What is left of a short text says nothing.
    private static func base64(_ text: String) -> [String] {
        (0..<3).compactMap { before in
            let bytes = [UInt8](repeating: 0, count: before) + Array(text.utf8)
            let whole = bytes.prefix(bytes.count / 3 * 3)
            let form = String(Data(whole).base64EncodedString().dropFirst(before == 0 ? 0 : 4))
            return form.count < 8 ? nil : form
        }
    }

    private static func hexadecimal(_ text: String) -> String {
        text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// What a program printed.
func run(_ program: String, _ arguments: [String], input: URL? = nil) async throws -> String {
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }
    let output = FileManager.default.temporaryDirectory.appending(path: "run-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: output) }
    guard FileManager.default.createFile(atPath: output.path, contents: nil) else { throw Failed(description: "no temporary file") }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.standardOutput = try FileHandle(forWritingTo: output)
    if let input { process.standardInput = try FileHandle(forReadingFrom: input) }
    let (ends, end) = AsyncStream.makeStream(of: Int32.self)
    process.terminationHandler = { end.yield($0.terminationStatus) }
    try process.run()
    for await code in ends {
        guard code == 0 else { throw Failed(description: "\(program) ended with \(code)") }
        break
    }
    return String(decoding: try Data(contentsOf: output), as: UTF8.self)
}

extension TestSystem {
    /// Which files of the database hold one of the texts: tables, indexes, catalogues, statistics. The write-ahead log is not
    /// among them.
    func files(with texts: [String]) async throws -> [String] {
        try await pool.withConnection { connection in
            try connection.query(
                """
                select distinct c.oid::regclass::text
                  from pg_class c
                 cross join lateral pg_read_binary_file(pg_relation_filepath(c.oid), 0, 500000000, true) file
                 cross join unnest($1::text[]) secret
                 where pg_relation_filepath(c.oid) is not null and position(convert_to(secret, 'UTF8') in file) > 0
                """,
                PostgresArray(texts)
            ).map { try $0.get(0, String.self) }
        }
    }
}

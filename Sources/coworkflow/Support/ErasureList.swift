import Dispatch
import Domain
import EventStore
import Foundation
import SystemPackage

/// The list of who was erased, in a file that no restored backup takes back: a line of JSON each, with ids and nothing else.
///
/// A key is deleted only after its line is on the disk, so the list lacks nobody. Lines may be double; that does no harm.
struct ErasureList: Sendable {
    /// What cannot be read as a line of the list.
    struct Unreadable: Error, CustomStringConvertible {
        let path: String
        let lines: [Int]

        var description: String {
            "\(path): cannot be read at line \(lines.map(String.init).joined(separator: ", ")); all other lines were applied"
        }
    }

    /// Why there is no list.
    struct Inaccessible: Error, CustomStringConvertible {
        let path: String
        let reason: String

        var description: String { "the list of erasures \(path) cannot be used: \(reason)" }
    }

    private struct Line: Codable {
        let user: String
        let erasedAt: String

        private enum CodingKeys: String, CodingKey {
            case user
            case erasedAt = "erased_at"
        }
    }

    private static let queue = DispatchQueue(label: "coworkflow.erasures")

    let path: String

    static func line(of erasure: Erasure) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(Line(user: erasure.subject, erasedAt: erasure.at.texto)), as: UTF8.self)
    }

    /// Adds a line and waits until it is on the disk.
    func append(_ erasure: Erasure) async throws {
        // A line that a power cut left unfinished stays a line of its own.
        let text = "\n" + (try Self.line(of: erasure)) + "\n"
        try await withCheckedThrowingContinuation { continuation in
            Self.queue.async { continuation.resume(with: Result { try write(text) }) }
        }
    }

    private func write(_ text: String) throws {
        do {
            let file = try FileDescriptor.open(
                FilePath(path), .writeOnly, options: [.append, .create], permissions: [.ownerReadWrite]
            )
            try file.closeAfter {
                try file.writeAll(Array(text.utf8))
                guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
            }
        } catch let error as Errno {
            throw Inaccessible(path: path, reason: error.description)
        }
    }

    /// The ids that the list names, each once, and the numbers of the lines that cannot be read.
    func read() throws -> (users: [UsuarioID], unreadable: [Int]) {
        guard let bytes = FileManager.default.contents(atPath: path) else { throw Inaccessible(path: path, reason: "it cannot be read") }
        var (users, known, unreadable): ([UsuarioID], Set<UsuarioID>, [Int]) = ([], [], [])
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() where !line.isEmpty {
            guard let user = (try? JSONDecoder().decode(Line.self, from: Data(line))).flatMap({ UsuarioID($0.user) }) else {
                unreadable.append(index + 1)
                continue
            }
            if known.insert(user).inserted { users.append(user) }
        }
        return (users, unreadable)
    }
}

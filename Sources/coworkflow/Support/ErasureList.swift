import Dispatch
import Domain
import EventStore
import Foundation
import SystemPackage

/// The list of who was erased, and which addresses were, in a file that no restored backup takes back: a line of JSON each, with ids, names
/// of addresses that do not reveal them, and nothing else.
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
        var user: String?
        /// The subject of an address's key, or of that of a year's books, which any process that does its timers would delete again by itself.
        var address: String?
        let erasedAt: String

        private enum CodingKeys: String, CodingKey {
            case user
            case address
            case erasedAt = "erased_at"
        }
    }

    private static let queue = DispatchQueue(label: "coworkflow.erasures")

    let path: String

    static func line(of erasure: Erasure) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let isPerson = UsuarioID(erasure.subject) != nil
        let line = Line(
            user: isPerson ? erasure.subject : nil,
            address: isPerson ? nil : erasure.subject,
            erasedAt: erasure.at.texto
        )
        return String(decoding: try encoder.encode(line), as: UTF8.self)
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

    /// What a list says.
    struct Content {
        /// Each once, as the list names them.
        var users: [UsuarioID] = []
        /// The subjects of addresses' keys.
        var addresses: Set<String> = []
        /// The numbers of the lines that cannot be read.
        var unreadable: [Int] = []
    }

    func read() throws -> Content {
        guard let bytes = FileManager.default.contents(atPath: path) else { throw Inaccessible(path: path, reason: "it cannot be read") }
        var content = Content()
        var known: Set<UsuarioID> = []
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() where !line.isEmpty {
            let read = try? JSONDecoder().decode(Line.self, from: Data(line))
            if let user = read?.user.flatMap({ UsuarioID($0) }) {
                if known.insert(user).inserted { content.users.append(user) }
            } else if let address = read?.address {
                content.addresses.insert(address)
            } else {
                content.unreadable.append(index + 1)
            }
        }
        return content
    }
}

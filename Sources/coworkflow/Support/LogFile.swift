import Dispatch
import Glibc
import SystemPackage

/// A file of which somebody has given the name, and that is of no use.
private struct FileProblem: Error, CustomStringConvertible {
    let path: String
    let what: String
    let reason: any Error

    var description: String { "\(path) \(what): \(reason)" }
}

/// The file that a log is exported to, or standard output. A file has its name only once it is complete and on disk.
struct LogOutput: Sendable {
    private let descriptor: FileDescriptor
    private let path: FilePath?
    /// Writing may block for as long as a disk or a pipe likes.
    private let queue = DispatchQueue(label: "log.export")

    /// - Parameter name: a path, or `-` for standard output.
    init(_ name: String) throws {
        guard name != "-" else {
            (path, descriptor) = (nil, .standardOutput)
            return
        }
        let path = FilePath(name)
        self.path = path
        do {
            descriptor = try FileDescriptor.open(
                Self.partial(path),
                .writeOnly,
                options: [.create, .truncate],
                permissions: .ownerReadWrite
            )
        } catch {
            throw FileProblem(path: name, what: "cannot be written", reason: error)
        }
    }

    func write(_ bytes: [UInt8]) async throws {
        try await onQueue { _ = try descriptor.writeAll(bytes) }
    }

    /// Gives the file its name.
    func finish() async throws {
        guard let path else { return }
        try await onQueue {
            guard fsync(descriptor.rawValue) == 0 else { throw Errno(rawValue: errno) }
            try descriptor.close()
            // Both strings live until the call returns.
            guard unsafe rename(Self.partial(path).string, path.string) == 0 else { throw Errno(rawValue: errno) }
        }
    }

    private static func partial(_ path: FilePath) -> FilePath {
        FilePath(path.string + ".partial")
    }

    private func onQueue(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }
}

/// The file that a log is imported from, or standard input.
struct LogInput: Sendable {
    private static let piece = 1 << 18

    private let descriptor: FileDescriptor

    /// - Parameter name: a path, or `-` for standard input.
    init(_ name: String) throws {
        do {
            descriptor = name == "-" ? .standardInput : try FileDescriptor.open(FilePath(name), .readOnly)
        } catch {
            throw FileProblem(path: name, what: "cannot be read", reason: error)
        }
    }

    /// The next bytes, none at the end. Blocks until there are some.
    func read() throws -> [UInt8] {
        try unsafe [UInt8](unsafeUninitializedCapacity: Self.piece) { buffer, count in
            // The buffer is the new array's own, and as long as it says.
            count = try unsafe descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))
        }
    }
}

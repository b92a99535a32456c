import EventStore
import Foundation
import Synchronization

/// What the clients know together, and the lines that they write.
final class Journal: Sendable {
    private struct State {
        var floor: Int64 = 0
        var versions: [String: Int32] = [:]
        var isFinished = false

        mutating func learn(_ stream: String, _ version: Int32) {
            versions[stream] = max(versions[stream, default: 0], version)
        }
    }

    private let state = Mutex(State())
    private let output = Mutex(FileHandle.standardOutput)

    /// The highest position that anybody here was told of.
    var floor: Int64 { state.withLock { $0.floor } }

    /// Whether no new command is to be begun.
    var isFinished: Bool { state.withLock { $0.isFinished } }

    func finish() {
        state.withLock { $0.isFinished = true }
    }

    /// What a stream's version was when last heard of.
    func version(of stream: String) -> Int32 {
        state.withLock { $0.versions[stream, default: 0] }
    }

    /// Writes the line, and remembers what it teaches.
    func add(_ attempt: Attempt) throws {
        state.withLock { state in
            if let last = attempt.last {
                state.floor = max(state.floor, last)
                for stream in attempt.streams where attempt.outcome != "other" {
                    state.learn(stream.stream, stream.expected + Int32(stream.events.count))
                }
            }
            if let stream = attempt.stream, let actual = attempt.actual { state.learn(stream, actual) }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var line = try encoder.encode(attempt)
        line.append(UInt8(ascii: "\n"))
        try output.withLock { try $0.write(contentsOf: line) }
    }
}

import EventStore
import Foundation
import TestSupport

/// Gives one command after another, each until it is told what became of it.
struct StubbornClient {
    /// Few, so that clients meet on them.
    private static let streams = 12
    /// How long a command may be asked for before the test has failed. Microseconds.
    private static let patience: Int64 = 180_000_000

    struct NeverAnswered: Error {
        let command: UUID
    }

    private let client: AppendClient
    private let journal: Journal
    private var generator: SeededGenerator

    init(_ client: AppendClient, _ journal: Journal, generator: SeededGenerator) {
        self.client = client
        self.journal = journal
        self.generator = generator
    }

    mutating func run() async throws {
        while !journal.isFinished {
            var request = makeRequest()
            try await insist(&request)
            // What is known to be recorded may be asked again, even as something else.
            if Int.random(in: 0..<10, using: &generator) == 0 {
                if Bool.random(using: &generator) { request.fingerprint = [2] }
                try await insist(&request)
            }
            try await Task.sleep(for: .milliseconds(Int.random(in: 5...40, using: &generator)))
        }
    }

    private mutating func makeRequest() -> AppendRequest {
        let names = (1...Self.streams).map { "caos-\($0)" }.shuffled(using: &generator)
        var streams = [append(to: names[0])]
        if Int.random(in: 0..<3, using: &generator) == 0 { streams.append(append(to: names[1])) }
        if Int.random(in: 0..<4, using: &generator) == 0 {
            streams.append(StreamAppend(stream: names[2], expected: StreamVersion(journal.version(of: names[2]))))
        }
        return AppendRequest(commandID: generator.uuid(), fingerprint: [1], deadline: 0, streams: streams)
    }

    private mutating func append(to stream: String) -> StreamAppend {
        var version = journal.version(of: stream)
        // Some know less than they could.
        if Int.random(in: 0..<10, using: &generator) == 0 { version = max(0, version - 1) }
        // Most are small; some do not fit a socket's buffer.
        let size = Int.random(in: 0..<40, using: &generator) == 0 ? 200_000 : Int.random(in: 0..<300, using: &generator)
        let events = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
            NewEvent(
                id: generator.uuid(),
                type: "caos.AlgoAconteceu",
                schemaVersion: 1,
                payload: Array(#"{"texto":"\#(String(repeating: "x", count: size))"}"#.utf8),
                metadata: Array(#"{"principal":"caos"}"#.utf8)
            )
        }
        return StreamAppend(stream: stream, expected: StreamVersion(version), events: events)
    }

    private mutating func insist(_ request: inout AppendRequest) async throws {
        let end = microseconds() + Self.patience
        while true {
            request.deadline = microseconds() + Int64.random(in: 500_000...3_000_000, using: &generator)
            var attempt = Attempt(request, floor: journal.floor)
            let result: Result<AppendOutcome, AppendError>
            do throws(AppendError) {
                result = .success(try await client.append(request))
            } catch {
                result = .failure(error)
            }
            attempt.end(with: result)
            try journal.add(attempt)
            switch result {
            case .success(.accepted), .success(.repeated), .success(.conflict), .success(.malformed): return
            case .success(.expired), .failure: break
            }
            guard microseconds() < end else { throw NeverAnswered(command: request.commandID) }
            try await Task.sleep(for: .milliseconds(Int.random(in: 50...300, using: &generator)))
        }
    }
}

import EventStore
import Foundation

/// One try of one command, as the judge reads it. Instants are microseconds since the Unix epoch.
struct Attempt: Encodable {
    struct Stream: Encodable {
        let stream: String
        let expected: Int32
        /// The ids of the events for it, in order; none for a guard.
        let events: [String]
    }

    let command: String
    let streams: [Stream]
    /// The highest position that this process had been told of before it sent this.
    let floor: Int64
    /// Until when the recorder may record it.
    let deadline: Int64
    let sent: Int64
    var got: Int64 = 0
    /// `accepted`, `repeated`, `other` (recorded under another fingerprint), `conflict`, `expired`, `malformed`, `unavailable` or
    /// `unknown`.
    var outcome = ""
    var first: Int64?
    var last: Int64?
    /// The stream in conflict, and its version.
    var stream: String?
    var actual: Int32?

    init(_ request: AppendRequest, floor: Int64) {
        command = request.commandID.uuidString.lowercased()
        streams = request.streams.map { stream in
            Stream(
                stream: stream.stream,
                expected: stream.expected.rawValue,
                events: stream.events.map { $0.id.uuidString.lowercased() }
            )
        }
        self.floor = floor
        deadline = request.deadline
        sent = microseconds()
    }

    mutating func end(with result: Result<AppendOutcome, AppendError>) {
        got = microseconds()
        switch result {
        case .success(.accepted(let first, let last)): recorded("accepted", first, last)
        case .success(.repeated(let first, let last, let same)): recorded(same ? "repeated" : "other", first, last)
        case .success(.conflict(let stream, let actual)):
            (outcome, self.stream, self.actual) = ("conflict", stream, actual.rawValue)
        case .success(.expired): outcome = "expired"
        case .success(.malformed): outcome = "malformed"
        case .failure(.unavailable): outcome = "unavailable"
        case .failure(.outcomeUnknown): outcome = "unknown"
        }
    }

    private mutating func recorded(_ outcome: String, _ first: Position, _ last: Position) {
        (self.outcome, self.first, self.last) = (outcome, first.rawValue, last.rawValue)
    }
}

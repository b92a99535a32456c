import FoundationEssentials

/// Decides a batch of requests against the versions that the log would have after each of them. Pure: what the recorder
/// then writes is exactly `events`, and nothing is true before that is committed.
struct BatchPlanner {
    struct CommandRow: Equatable {
        let id: UUID
        let fingerprint: [UInt8]
        let first: Position
        let last: Position

        /// What a request is told that comes with the id of this command, which is recorded.
        func answer(to request: AppendRequest) -> AppendOutcome {
            .repeated(first: first, last: last, sameFingerprint: fingerprint == request.fingerprint)
        }
    }

    /// Versions of the streams that the requests name, as of the last commit and then as the plan moves them.
    private(set) var heads: [String: StreamVersion]
    /// Whether a stream without a known version is taken to be where the first request that names it expects it.
    private let isAssuming: Bool
    /// Versions that were assumed and that only a look can confirm. A new stream's first event is not among them: had the stream
    /// existed, the log's index would refuse that event.
    private(set) var assumptions: [String: StreamVersion] = [:]
    /// Commands among the requests that the log knows already, and then those of the plan.
    private var commands: [UUID: CommandRow]
    private(set) var head: Position
    private(set) var hash: [UInt8]
    /// When the events of a request that is decided now are recorded: microseconds since the epoch, never less than before.
    private(set) var recordedAt: Int64
    private var now: Int64

    private(set) var events: [RecordedEvent] = []
    private(set) var hashes: [[UInt8]] = []
    private(set) var newCommands: [CommandRow] = []

    /// What names may be long: their indexes and the announcement's headers have limits, and a request past them would
    /// fail the whole batch, again and again.
    private static let longestStream = 255
    private static let longestType = 100

    /// - Parameters:
    ///   - heads: the versions of streams that the requests name.
    ///   - isAssuming: whether streams that `heads` lacks are taken to be where they are expected, rather than not to exist. The plan
    ///     then holds only if every request is accepted, and if the log confirms its `assumptions` and has none of its commands and
    ///     none of its events' versions.
    ///   - recordedAt: microseconds since the epoch; the caller makes sure that it never decreases.
    ///   - now: microseconds since the epoch, what deadlines are told by.
    init(
        head: Position,
        hash: [UInt8],
        heads: [String: StreamVersion],
        isAssuming: Bool = false,
        known: [CommandRow],
        recordedAt: Int64,
        now: Int64
    ) {
        self.head = head
        self.hash = hash
        self.heads = heads
        self.isAssuming = isAssuming
        self.commands = Dictionary(known.map { ($0.id, $0) }) { first, _ in first }
        self.recordedAt = recordedAt
        self.now = now
    }

    /// For requests that come later: a clock that is put back does not turn the events' time back.
    mutating func setClock(_ now: Int64) {
        self.now = now
        recordedAt = max(recordedAt, now)
    }

    /// Tells the version of a stream that the plan does not know yet.
    mutating func learn(_ version: StreamVersion, of stream: String) {
        if heads[stream] == nil { heads[stream] = version }
    }

    mutating func decide(_ request: AppendRequest) -> AppendOutcome {
        if let earlier = commands[request.commandID] { return earlier.answer(to: request) }
        guard request.deadline >= now else { return .expired }
        guard isWellFormed(request) else { return .malformed }
        for stream in request.streams {
            guard let actual = heads[stream.stream] ?? (isAssuming ? nil : StreamVersion.none) else { continue }
            guard actual == stream.expected else { return .conflict(stream: stream.stream, actual: actual) }
        }
        if isAssuming { assume(request.streams.filter { heads[$0.stream] == nil }) }
        return record(request)
    }

    /// Only what an accepted request expects is assumed: its events, or the look at its guards, find out whether it is so.
    private mutating func assume(_ streams: [StreamAppend]) {
        for stream in streams {
            heads[stream.stream] = stream.expected
            if stream.events.isEmpty || stream.expected > .none { assumptions[stream.stream] = stream.expected }
        }
    }

    private func isWellFormed(_ request: AppendRequest) -> Bool {
        request.eventCount > 0
            && Set(request.streams.map(\.stream)).count == request.streams.count
            && request.streams.allSatisfy { stream in
                Self.isStreamName(stream.stream) && stream.expected >= .none
                    && Int(stream.expected.rawValue) + stream.events.count <= Int32.max
                    && stream.events.allSatisfy { Self.isName($0.type, atMost: Self.longestType) && $0.schemaVersion > 0 }
            }
    }

    /// Whether the log can hold a stream of this name.
    static func isStreamName(_ name: String) -> Bool {
        isName(name, atMost: longestStream)
    }

    /// Postgres stores no NUL in text.
    private static func isName(_ name: String, atMost limit: Int) -> Bool {
        (1...limit).contains(name.utf8.count) && !name.utf8.contains(0)
    }

    private mutating func record(_ request: AppendRequest) -> AppendOutcome {
        let first = head.next
        for stream in request.streams where !stream.events.isEmpty {
            var version = stream.expected
            for event in stream.events {
                version = StreamVersion(version.rawValue + 1)
                append(event, to: stream.stream, version: version, commandID: request.commandID)
            }
            heads[stream.stream] = version
        }
        let row = CommandRow(id: request.commandID, fingerprint: request.fingerprint, first: first, last: head)
        commands[row.id] = row
        newCommands.append(row)
        return .accepted(first: first, last: head)
    }

    private mutating func append(_ event: NewEvent, to stream: String, version: StreamVersion, commandID: UUID) {
        head = head.next
        let recorded = RecordedEvent(
            position: head,
            id: event.id,
            stream: stream,
            version: version,
            type: event.type,
            schemaVersion: event.schemaVersion,
            recordedAt: recordedAt,
            commandID: commandID,
            payload: event.payload,
            metadata: event.metadata
        )
        hash = EventHash.hash(after: hash, recorded)
        events.append(recorded)
        hashes.append(hash)
    }
}

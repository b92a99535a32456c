import FoundationEssentials
import Postgres

/// Follows the chain from event to event and says what is wrong with the first that does not fit. Its memory is bounded,
/// however long the log and however many its streams.
struct ChainCheck {
    typealias Problem = LogVerifier.Problem

    /// The last event that fits, and its hash.
    private(set) var position: Position
    private(set) var hash: [UInt8]
    /// How many commands began among the events seen.
    private(set) var commands: Int64 = 0
    /// The command of the last event.
    private var command: (id: UUID, last: Position)?
    private var versions: RecentVersions

    /// Whether events of the last command are still to come, by what the log says of it.
    var isWithinCommand: Bool { command.map { position < $0.last } ?? false }

    /// - Parameters:
    ///   - position: the event before the first to come.
    ///   - hash: that event's.
    init(after position: Position = .start, _ hash: [UInt8] = EventHash.origin, rememberedStreams: Int = 100_000) {
        self.position = position
        self.hash = hash
        versions = RecentVersions(capacity: rememberedStreams)
    }

    /// The streams of the events that come next whose event before must be asked for, with the version of the event that
    /// follows it.
    mutating func unknownStreams(_ events: [ChainedEvent]) -> [String: StreamVersion] {
        // Only here: what is known now must be known still when these events are followed.
        versions.forgetOld()
        var unknown: [String: StreamVersion] = [:]
        var known: Set<String> = []
        for event in events.lazy.map(\.event) where known.insert(event.stream).inserted {
            // Version 1 follows nothing, and what is before 1 the table itself refuses.
            if event.version.rawValue > 1, versions[event.stream] == nil { unknown[event.stream] = event.version }
        }
        return unknown
    }

    /// Takes the events that come next.
    ///
    /// - Parameter found: of the streams that `unknownStreams` named, those that have the event before.
    mutating func follow(_ events: [ChainedEvent], found: Set<String>) -> Problem? {
        for link in events {
            if let problem = follow(link, found: found) { return problem }
        }
        return nil
    }

    private mutating func follow(_ link: ChainedEvent, found: Set<String>) -> Problem? {
        let event = link.event
        guard event.position == position.next else { return .missing(position.next) }
        let hash = EventHash.hash(after: hash, event)
        guard link.hash == hash, EventType.isContext(link.context, of: event.type) else { return .altered(event.position) }
        let before = versions[event.stream]?.rawValue ?? (found.contains(event.stream) ? event.version.rawValue - 1 : 0)
        guard event.version.rawValue - 1 == before else { return .versionGap(stream: event.stream, event.position) }
        if let problem = followCommand(of: link) { return problem }
        versions[event.stream] = event.version
        position = event.position
        self.hash = hash
        return nil
    }

    /// A command's range holds its own events and no other's. Only the first event of a stretch may be in the middle of one.
    private mutating func followCommand(of link: ChainedEvent) -> Problem? {
        let event = link.event
        guard let known = link.command else { return .commandUnknown(event.position) }
        if isWithinCommand {
            guard command?.id == event.commandID else { return .commandRange(event.position) }
        } else {
            let isFirstSeen = command == nil && position > .start
            guard known.first == event.position || (isFirstSeen && known.first < event.position), event.position <= known.last else {
                return .commandRange(event.position)
            }
            command = (event.commandID, known.last)
        }
        if known.first == event.position { commands += 1 }
        return nil
    }

    /// Looks the events up that come before those named, all of which must be at `position` or before.
    static func predecessors(
        of streams: [String: StreamVersion],
        through position: Position,
        on connection: isolated PostgresConnection
    ) throws -> Set<String> {
        guard !streams.isEmpty else { return [] }
        let rows = try connection.query(
            """
            select e.stream
              from unnest($1::text[], $2::int4[]) as u (stream, version)
              join log.events e on e.stream = u.stream and e.version = u.version - 1
             where e.position <= $3
            """,
            PostgresArray(Array(streams.keys)),
            PostgresArray(streams.values.map(\.rawValue)),
            position.rawValue
        )
        return Set(try rows.map { try $0.get(0, String.self) })
    }
}

/// The last versions seen of the streams seen last.
private struct RecentVersions {
    /// Two halves of a bounded memory: when the young one is full it becomes the old one.
    private var young: [String: StreamVersion] = [:]
    private var old: [String: StreamVersion] = [:]
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
    }

    subscript(stream: String) -> StreamVersion? {
        get { young[stream] ?? old[stream] }
        set { young[stream] = newValue }
    }

    mutating func forgetOld() {
        guard young.count >= capacity / 2 else { return }
        old = young
        young = [:]
    }
}

extension EventType {
    /// Whether this is the part of a type before its dot.
    static func isContext(_ context: String, of type: String) -> Bool {
        let (context, type) = (context.utf8, type.utf8)
        guard type.starts(with: context) else { return false }
        return type.count == context.count
            ? !context.contains(UInt8(ascii: "."))
            : type.dropFirst(context.count).first == UInt8(ascii: ".") && !context.contains(UInt8(ascii: "."))
    }
}

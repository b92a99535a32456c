/// Writes the log, or a stretch of it, as lines of JSON from which the very same log can be made again (see `LogImport`).
/// The chain is checked on the way: a log that is not sound is not passed off as a backup.
package struct LogExport: Sendable {
    package enum Problem: Error, Sendable, Equatable, CustomStringConvertible {
        /// Nothing after this position is fit to be exported.
        case unsound(LogVerifier.Problem)
        /// The stretch begins before the first event, ends before it begins, or ends after the last.
        case outOfRange(head: Position)
        /// The stretch ends among the events that one command recorded, all of which belong together.
        case cutsCommand(at: Position)

        package var description: String {
            switch self {
            case .unsound(let problem): "the log is not sound (\(problem)): nothing from there on can be exported"
            case .outOfRange(.start): "the log is empty: there is no such stretch"
            case .outOfRange(let head): "the stretch must lie between positions 1 and \(head)"
            case .cutsCommand(let last): "the command that recorded position \(last) recorded more after it: end there, or before it"
            }
        }
    }

    package struct Report: Sendable, Equatable {
        package let events: Int64
        package let last: Position
        package let hash: [UInt8]
    }

    private let reader: LogReader
    private let window: Int64

    /// - Parameter window: events read at a time, which bounds the memory that is used.
    package init(reader: LogReader, window: Int64 = 2000) {
        self.reader = reader
        self.window = window
    }

    /// Exports everything from `first` to `last`, both included; to the head as it is now where `last` is nil.
    ///
    /// - Parameters:
    ///   - write: takes whole lines, some hundreds of kilobytes at a time.
    ///   - progress: is told after each window how many events were written, and of how many.
    /// - Throws: `Problem`, or what `write` throws. What was written by then is of no use.
    package func run(
        from first: Position = Position(1),
        through last: Position? = nil,
        progress: @Sendable (Int64, Int64) -> Void = { _, _ in },
        write: @Sendable ([UInt8]) async throws -> Void
    ) async throws -> Report {
        let head = try await reader.head()
        let last = last ?? head
        guard first > .start, last <= head, last.rawValue >= first.rawValue - 1 else { throw Problem.outOfRange(head: head) }
        let before = Position(first.rawValue - 1)
        let manifest = LogManifest(first: first, last: last, previous: try await hash(of: before), hash: try await hash(of: last))
        try await write(try manifest.encoded() + [UInt8(ascii: "\n")])
        var check = ChainCheck(after: before, manifest.previous)
        let problem = try await ChainWalk(reader: reader, window: window).run(&check, to: last) { events in
            guard let end = events.last?.event.position else { return nil }
            try await write(Self.lines(events))
            progress(end.rawValue - before.rawValue, last.rawValue - before.rawValue)
            return nil
        }
        if let problem { throw Problem.unsound(problem) }
        if check.isWithinCommand { throw Problem.cutsCommand(at: last) }
        return Report(events: last.rawValue - before.rawValue, last: last, hash: check.hash)
    }

    private func hash(of position: Position) async throws -> [UInt8] {
        guard position > .start else { return EventHash.origin }
        guard let hash = try await reader.hash(at: position) else { throw Problem.unsound(.missing(position)) }
        return hash
    }

    private static func lines(_ events: [ChainedEvent]) -> [UInt8] {
        var lines: [UInt8] = []
        lines.reserveCapacity(events.reduce(0) { $0 + 640 + $1.event.payload.count + $1.event.metadata.count })
        for event in events {
            LogLine.append(event, to: &lines)
            lines.append(UInt8(ascii: "\n"))
        }
        return lines
    }
}

import Postgres

/// Reads a stretch of the log window by window and checks its chain; the next window is read while one is checked.
struct ChainWalk {
    let reader: LogReader
    /// Events read at a time at most; what they come to is bounded too.
    let window: Int64

    /// Walks from where `check` stands to `end`.
    ///
    /// - Parameter body: takes the events of each window that hold; what it finds wrong with them comes before what is wrong
    ///   after them.
    /// - Returns: the first thing wrong, with `check` standing before it.
    func run(
        _ check: inout ChainCheck,
        to end: Position,
        body: ([ChainedEvent]) async throws -> LogVerifier.Problem?
    ) async throws -> LogVerifier.Problem? {
        var page = try await page(after: check.position, end)
        while check.position < end {
            let (before, events, pageEnd) = (check.position, page.events, page.end)
            async let following = self.page(after: pageEnd, end)
            let problem = try await follow(events, &check)
            let sound = problem == nil ? events : Array(events.prefix(Int(check.position.rawValue - before.rawValue)))
            if let problem = try await body(sound) ?? problem { return problem }
            guard check.position == pageEnd else { return .missing(check.position.next) }
            page = try await following
        }
        return nil
    }

    private func page(after position: Position, _ end: Position) async throws -> (events: [ChainedEvent], end: Position) {
        guard position < end else { return ([], end) }
        try Task.checkCancellation()
        return try await reader.chain(after: position, through: Position(min(position.rawValue + window, end.rawValue)))
    }

    private func follow(_ events: [ChainedEvent], _ check: inout ChainCheck) async throws -> LogVerifier.Problem? {
        let position = check.position
        let unknown = check.unknownStreams(events)
        let found: Set<String> =
            if unknown.isEmpty {
                []
            } else {
                try await reader.pool.withConnection { try ChainCheck.predecessors(of: unknown, through: position, on: $0) }
            }
        return check.follow(events, found: found)
    }
}

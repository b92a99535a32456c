import EventStore
import Postgres

/// Turns a stretch of the log into changes of a read model's rows, as fast as the cores allow and in bounded memory: while one
/// batch is written, the next is decoded and folded, and the one after that is read.
struct ReadModelBuilder: Sendable {
    /// What the events after `start` up to `end` change.
    struct Batch: Sendable {
        let start: Position
        let end: Position
        let changes: Changes
    }

    /// How many parts of a batch are decoded and folded at once.
    private static let lanes = 2
    /// How many positions are considered at once at most; what their events come to is bounded too.
    private static let window: Int64 = 8192

    private let model: any ReadModel
    private let projector: Projector
    private let recordedTypes: Set<String>
    private let pool: PostgresPool
    private let reader: LogReader

    /// - Parameter pool: connections of `Projections.configuration` that are not written on meanwhile, or reading would wait.
    init(_ model: any ReadModel, pool: PostgresPool, opener: any SealOpener) {
        self.model = model
        self.pool = pool
        reader = LogReader(pool: pool)
        // Each event comes by once.
        let decoded = DecodedEvents(capacity: 0)
        recordedTypes = decoded.recordedTypes(of: model.eventTypes)
        projector = Projector(model, decoded: decoded, opener: opener)
    }

    /// Hands over what changes after `start`, batch by batch and in order, until `end` has been considered.
    ///
    /// - Parameter write: is called for one batch at a time, and for all of them, also where nothing changes. A batch of which it throws
    ///   what a value is to blame for comes again in parts.
    /// - Throws: `ReadModelReplay.Halted` where an event is to blame: all before it has been handed over.
    func run(after start: Position, through end: Position, write: @escaping @Sendable (Batch) async throws -> Void) async throws {
        // A position that the live model has passed was skipped before that or never will be.
        let model = model
        let skipped = try await pool.withConnection { try DeadLetters(.readModels).skipped(by: model.name, on: $0) }
        var position = start
        var read: Page?
        var folded: Batch?
        var busy: Set<Stage> = []
        try await withThrowingTaskGroup(of: Product.self) { group in
            while true {
                if !busy.contains(.writing), let batch = folded {
                    folded = nil
                    busy.insert(.writing)
                    group.addTask {
                        try await self.write(batch, skipping: skipped, with: write)
                        return .written
                    }
                }
                if !busy.contains(.folding), folded == nil, let page = read {
                    read = nil
                    busy.insert(.folding)
                    group.addTask { .folded(try await fold(page, skipping: skipped)) }
                }
                if !busy.contains(.reading), read == nil, position < end {
                    busy.insert(.reading)
                    group.addTask { [position] in
                        .read(try await page(after: position, through: Position(min(position.rawValue + Self.window, end.rawValue))))
                    }
                }
                guard let product = try await group.next() else { return }
                switch product {
                case .read(let page):
                    busy.remove(.reading)
                    position = page.end
                    read = page
                case .folded(let batch):
                    busy.remove(.folding)
                    folded = batch
                case .written:
                    busy.remove(.writing)
                }
            }
        }
    }

    private enum Stage {
        case reading
        case folding
        case writing
    }

    private enum Product: Sendable {
        case read(Page)
        case folded(Batch)
        case written
    }

    private struct Page: Sendable {
        let start: Position
        let end: Position
        let events: [RecordedEvent]
    }

    private func page(after start: Position, through end: Position) async throws -> Page {
        let (events, end) = try await reader.events(after: start, through: end, types: recordedTypes)
        return Page(start: start, end: end, events: events)
    }

    private func fold(_ page: Page, skipping skipped: Set<Position>) async throws -> Batch {
        let size = max(1, (page.events.count + Self.lanes - 1) / Self.lanes)
        let parts = stride(from: 0, to: page.events.count, by: size).map { page.events[$0..<min($0 + size, page.events.count)] }
        let changes = try await withThrowingTaskGroup(of: (Int, Changes).self) { group in
            for (place, part) in parts.enumerated() {
                group.addTask { (place, try await project(part, skipping: skipped)) }
            }
            var done: [Int: Changes] = [:]
            for try await (place, changes) in group { done[place] = changes }
            var all = done[0] ?? Changes(model.tables)
            for place in parts.indices.dropFirst() {
                if let later = done[place] { try all.append(later) }
            }
            return all
        }
        return Batch(start: page.start, end: page.end, changes: changes)
    }

    /// - Throws: `ReadModelReplay.Halted` where an event is to blame.
    private func project(_ events: ArraySlice<RecordedEvent>, skipping skipped: Set<Position>) async throws -> Changes {
        do {
            return try await projector.changes(by: events, skipping: skipped)
        } catch {
            try await Poison.search(events, after: .start, through: .start) { events, _, _ in
                _ = try await projector.changes(by: events, skipping: skipped)
            } blame: { event, reason, _, _ in
                throw ReadModelReplay.Halted(event: event, reason: reason)
            }
            throw error
        }
    }

    /// - Throws: `ReadModelReplay.Halted` where the tables refuse what an event says.
    private func write(
        _ batch: Batch,
        skipping skipped: Set<Position>,
        with write: @escaping @Sendable (Batch) async throws -> Void
    ) async throws {
        do {
            try await write(batch)
        } catch let error as PostgresError where Poison.reason(for: error) != nil {
            let events = try await page(after: batch.start, through: batch.end).events
            try await Poison.search(events[...], after: batch.start, through: batch.end) { part, start, end in
                try await write(Batch(start: start, end: end, changes: try await projector.changes(by: part, skipping: skipped)))
            } blame: { event, reason, _, _ in
                throw ReadModelReplay.Halted(event: event, reason: reason)
            }
        }
    }
}

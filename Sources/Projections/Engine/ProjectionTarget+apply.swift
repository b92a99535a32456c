import Domain
package import EventStore
import Logging
import Metrics
import Postgres
import Synchronization

/// Applying events, and what becomes of one that cannot be applied: the model halts there until somebody has it tried again
/// or skipped.
extension ProjectionTarget {
    static let deadLetters = DeadLetters(.readModels)

    package func apply(_ events: [RecordedEvent], after position: Position, through end: Position) async throws {
        try await Poison.search(events[...], after: position, through: end, apply: write, blame: halt)
        // At once after an erasure, and now and then where the log never rests and nobody calls `acquire`.
        let isDue = lookedBeside.withLock { $0.map { .now - $0 > Self.lookBeside } ?? true }
        if isDue { try await dropForgotten() }
    }

    /// While a rebuild stays halted there is no right to run to be kept: the model is still another's.
    package func keep() async throws -> Bool {
        if rebuildHalt.withLock({ $0 }) != nil { return true }
        return try await acquire() != nil
    }

    package func isReleased(from halt: SubscriptionHalted) async throws -> Bool {
        let (name, position) = (name, Position(halt.position.rawValue - 1))
        if let stopped = rebuildHalt.withLock({ $0 }) {
            return try await pool.withConnection { try Self.deadLetters.isReleased(stopped, forRebuildOf: name, on: $0) }
        }
        let standing = try await pool.withConnection { try Self.deadLetters.standing(of: name, at: position, on: $0) }
        heed(standing)
        guard let waiting = standing.waiting.values.first(where: { $0.first == halt.position }) else { return true }
        return waiting.isRetryAsked
    }

    func heed(_ standing: DeadLetters.Standing) {
        letters.withLock { $0 = standing }
        Gauge(label: "coworkflow_dead_letters", dimensions: [("subscription", name)]).record(standing.count)
    }

    /// Rows and checkpoint in one round trip, which is one transaction.
    private func write(_ events: ArraySlice<RecordedEvent>, after position: Position, through end: Position) async throws {
        let standing = letters.withLock { $0 }
        let changes = try await projector.changes(by: events, skipping: standing.skipped)
        let failedBefore = standing.first.flatMap { position < $0 && $0 <= end ? $0 : nil }
        var statements = [checkpoint.moving(from: position, to: end, changed: changes.changed)]
        if let failedBefore { statements.append(Self.deadLetters.resolving(failedBefore, of: name)) }
        statements += try changes.statements(schema: tables.schema)
        let erasures = projector.model.erasures
        let isErasing = !erasures.isEmpty && events.contains { erasures.contains($0.type) }
        // What a replay replaced, or keeps as of a position, shows what was erased still. It is only marked: whoever reads it, as a backup
        // does for hours, must not keep the model waiting.
        if isErasing { statements.append(Leftovers.forgetting(of: name)) }
        let pipeline = statements
        try await pool.withConnection { connection in
            _ = try CheckpointMoved.recognising { try connection.pipeline(pipeline) }
        }
        if isErasing { lookedBeside.withLock { $0 = nil } }
        if let failedBefore {
            heed(DeadLetters.Standing(skipped: standing.skipped))
            logger.notice("an event that could not be applied has been", metadata: ["position": "\(failedBefore)"])
        }
    }

    private func halt(at event: RecordedEvent, because reason: String, after position: Position, through end: Position) async throws {
        let (name, checkpoint) = (name, checkpoint)
        let setAside = Self.deadLetters.setting(aside: [DeadLetters.Entry(event, because: reason)], for: name)
        let standing = try await pool.transaction { connection in
            _ = try CheckpointMoved.recognising {
                try connection.pipeline([checkpoint.moving(from: position, to: position), setAside])
            }
            return try Self.deadLetters.standing(of: name, at: position, on: connection)
        }
        heed(standing)
        throw SubscriptionHalted(at: event.position, because: reason)
    }
}

import FoundationEssentials
import Postgres

@testable import EventStore

/// A target with a checkpoint of its own in the database, which keeps what was applied there, in order.
struct RecordingTarget: SubscriptionTarget {
    let name: String
    let contexts: Set<String>?
    private let pool: PostgresPool
    private let checkpoint: Checkpoint
    private let released: Shared<Bool>
    private let beforeApply: @Sendable (_ events: [RecordedEvent], _ end: Position) async throws -> Void

    /// Makes the table on the first use in a world.
    init(
        _ name: String = "target",
        contexts: Set<String>? = nil,
        world: TestWorld,
        lease: Duration = .seconds(5),
        released: Shared<Bool> = Shared(false),
        beforeApply: @escaping @Sendable ([RecordedEvent], Position) async throws -> Void = { _, _ in }
    ) async throws {
        try await world.admin.executeScript(
            """
            create table if not exists subs.applied (number bigserial, target text, position bigint);
            grant all on subs.applied, subs.applied_number_seq to coworkflow_service;
            """
        )
        self.name = name
        self.contexts = contexts
        self.released = released
        self.beforeApply = beforeApply
        pool = world.pool(.service, connections: 1)
        checkpoint = Checkpoint(table: .policies, name: name, replica: UUID(), lease: lease)
    }

    func acquire() async throws -> Position? {
        try await pool.withConnection { try checkpoint.acquire($0) }
    }

    func apply(_ events: [RecordedEvent], after position: Position, through end: Position) async throws {
        try await beforeApply(events, end)
        try await pool.transaction { connection in
            try checkpoint.move(from: position, to: end, on: connection)
            try connection.execute(
                "insert into subs.applied (target, position) select $1, p from unnest($2::int8[]) p",
                name,
                PostgresArray(events.map(\.position.rawValue))
            )
        }
    }

    func isReleased(from halt: SubscriptionHalted) async throws -> Bool { released.value }

    func release() async throws {
        try await pool.withConnection { try checkpoint.release($0) }
    }

    /// The positions applied, in the order of their application.
    static func applied(_ world: TestWorld, _ name: String = "target") async throws -> [Int64] {
        try await world.admin.run { connection in
            try connection.query("select position from subs.applied where target = $1 order by number", name)
                .map { try $0.get(0, Int64.self) }
        }
    }

    static func position(_ world: TestWorld, _ name: String = "target") async throws -> Int64? {
        try await world.admin.run { connection in
            try connection.query("select position from subs.checkpoints where name = $1", name).first?.get(0, Int64.self)
        }
    }
}

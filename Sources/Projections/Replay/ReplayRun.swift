import EventStore
import Postgres

/// One run of a replay, from taking up the build to the switch.
struct ReplayRun: Sendable {
    /// What is left to apply when the live model is made to stand still, in events: some tens of milliseconds.
    private static let close: Int64 = 500
    /// How long queries may be made to wait by one try to switch: first, and at most. Less than Postgres' `deadlock_timeout` of a second:
    /// a query may hold one of the tables and wait for another that the switch has, and whichever of two has waited so long is ended.
    static let limits = (first: Duration.milliseconds(100), last: Duration.milliseconds(800))

    let model: any ReadModel
    /// Holds the lock that makes this the only run.
    let control: PostgresConnection
    let writer: PostgresConnection
    let pool: PostgresPool
    let opener: any SealOpener
    /// How long the live model may take to come to an erasure, where it has other rows.
    let patience: Duration
    let step: @Sendable (ReadModelReplay.Step) async throws -> Void
    let progress: @Sendable (ReplayProgress) -> Void

    func outcome(force: Bool) async throws -> ReadModelReplay.Outcome {
        let model = model
        // The live model lacks what these events say: it has other rows, and is to have them.
        let restored = try await control.run { try DeadLetters(.readModels).restored(by: model.name, on: $0) }
        let build = try await ShadowBuild.take(model, goal: try await goal(), on: writer)
        try await step(.taken)
        try await load(build)
        let mayDiffer = force || !restored.isEmpty
        let compared = try await compare(build, mayDiffer: mayDiffer)
        if let compared, !compared.differences.isEmpty, !mayDiffer {
            try await control.run { [model] in try DeadLetters(.readModels).forgetRebuild(of: model.name, on: $0) }
            return .different(at: compared.position, compared.differences)
        }
        let position = try await replace(by: build, compared, restored)
        try await step(.switched)
        return .switched(at: position, compared: compared?.position, differences: compared?.differences ?? [])
    }

    // MARK: Loading

    /// How far the build may go: not past a live model of the same definition, with which it is to be compared.
    private func goal() async throws -> Position {
        let model = model
        let live = try await control.run { try LiveModel.find(model, on: $0) }
        if let live, live.definition == model.definition { return live.position }
        return try await LogReader(pool: pool).head()
    }

    /// Applies what is missing until hardly anything is, and makes the indexes.
    private func load(_ build: ShadowBuild) async throws {
        while true {
            let goal = try await goal()
            let standing = await build.standing
            guard goal.rawValue - standing.position.rawValue > Self.close || !standing.isIndexed else { return }
            try await apply(to: build, through: goal)
            guard !standing.isIndexed else { continue }
            progress(ReplayProgress(phase: .indexing, position: goal, goal: goal))
            try await build.index()
            try await step(.indexed)
        }
    }

    private func apply(to build: ShadowBuild, through goal: Position) async throws {
        let position = await build.standing.position
        guard position < goal else { return }
        progress(ReplayProgress(phase: .loading, position: position, goal: goal))
        try await ReadModelBuilder(model, pool: pool, opener: opener).run(after: position, through: goal) { batch in
            try await build.write(batch)
            try await step(.written)
            progress(ReplayProgress(phase: .loading, position: batch.end, goal: goal))
        }
    }

    // MARK: Comparing

    private struct Comparison: Sendable {
        let position: Position
        let differences: [TableDifference]
    }

    /// Compares the build with the live model. Where they differ and the log has an erasure that the live model has still to come to, they
    /// are compared again once it has.
    ///
    /// - Returns: nil where there is no live model of this definition.
    /// - Throws: `ReadModelReplay.Behind`, where it does not come there in time.
    private func compare(_ build: ShadowBuild, mayDiffer: Bool) async throws -> Comparison? {
        let deadline = ContinuousClock.now + patience
        while true {
            let compared = try await compareOnce(build)
            try await step(.compared)
            guard !mayDiffer, let position = compared?.position, compared?.differences.isEmpty == false,
                let erasure = try await LogReader(pool: pool).erasure(for: model, after: position)
            else { return compared }
            try await waitForLive(through: erasure, until: deadline)
            try await load(build)
        }
    }

    private func waitForLive(through erasure: Position, until deadline: ContinuousClock.Instant) async throws {
        let model = model
        while let live = try await control.run({ try LiveModel.find(model, on: $0) }), live.definition == model.definition,
            live.position < erasure
        {
            guard ContinuousClock.now < deadline else {
                throw ReadModelReplay.Behind(model: model.name, position: live.position, erasure: erasure)
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// Compares the build with the live model, both at the position where the live one was made to stand still, as they were
    /// then: it goes on while they are looked at.
    ///
    /// - Returns: nil where there is no live model of this definition.
    private func compareOnce(_ build: ShadowBuild) async throws -> Comparison? {
        let model = model
        let position = try await LiveModel.paused(model, on: control) { live -> Position? in
            guard let live, live.definition == model.definition else { return nil }
            try await apply(to: build, through: live.position)
            try await step(.paused)
            // What the transaction sees is fixed by its first query.
            try await writer.executeScript("begin isolation level repeatable read read only; select 1")
            return live.position
        }
        guard let position else { return nil }
        progress(ReplayProgress(phase: .comparing, position: position, goal: position))
        let differences = try await writer.run { connection in
            let differences = try TableDifference.between(Projections.schema, and: ShadowBuild.schema, of: model, on: connection)
            try connection.executeScript("rollback")
            return differences
        }
        return Comparison(position: position, differences: differences)
    }

    // MARK: Switching

    /// - Returns: the position of the model that serves from now on.
    private func replace(by build: ShadowBuild, _ compared: Comparison?, _ restored: [Position]) async throws -> Position {
        var limit = Self.limits.first
        while true {
            try await load(build)
            let standing = await build.standing
            progress(ReplayProgress(phase: .switching, position: standing.position, goal: standing.position))
            do {
                return try await replaceOnce(by: build, compared, restored, limit: limit)
            } catch let error as PostgresError where ["55P03", "57014", "40P01"].contains(error.sqlState) {
                // Somebody uses the tables. Those who wait behind us now have their turn.
                limit = min(limit * 2, Self.limits.last)
                try await Task.sleep(for: limit)
            }
        }
    }

    private func replaceOnce(
        by build: ShadowBuild,
        _ compared: Comparison?,
        _ restored: [Position],
        limit: Duration
    ) async throws -> Position {
        let (model, isOther) = (model, compared?.differences.isEmpty != true)
        return try await LiveModel.paused(model, on: control) { live in
            if let live { try await apply(to: build, through: live.position) }
            let standing = await build.standing
            try await control.run { connection in
                try LiveModel.replace(by: build.tables, standing, isOther: isOther, limit: limit, on: connection)
                try DeadLetters(.readModels).forgetRebuild(of: model.name, on: connection)
                if live?.definition != model.definition {
                    // What stopped the other definition need not stop this one.
                    try DeadLetters(.readModels).forgetWaiting(of: model.name, on: connection)
                }
                try DeadLetters(.readModels).forgetRestored(restored, of: model.name, on: connection)
            }
            try await step(.replaced)
            return standing.position
        }
    }
}

import Synchronization

/// Where a recorder's loop, which decides, and its database connection, which commits, meet.
///
/// One batch is with the database, and what comes meanwhile joins the next. That one is closed when the database is free, by the thread
/// that commits, so that as much as can be goes together and the database waits for nobody. It stands on the batch before: where that
/// fails, no other is given to the database until the loop has decided it anew.
final class CommitLine: Sendable {
    private struct State {
        /// What comes joins it.
        var next = RecordingBatch()
        /// With the database.
        var underWay: RecordingBatch?
        /// What the loop has not seen yet of what has ended, in order. Only the last can be a failure.
        var landed: [Landed] = []
        /// Somebody commits, and asks for the next batch as soon as one has landed.
        var isWorking = false
        /// What is under way ends, and no other follows.
        var isHalted = false

        /// Whether there is nothing that the loop does not know of.
        var isQuiet: Bool { underWay == nil && !isWorking && landed.isEmpty }

        mutating func takeNext() -> RecordingBatch {
            defer { next = RecordingBatch() }
            return next
        }
    }

    /// A batch that was given to the database, and what came of it; see `Committer.commit`.
    struct Landed: Sendable {
        let batch: RecordingBatch
        let result: Result<Bool, any Error>
    }

    private let state = Mutex(State())
    private let clock: @Sendable () -> Int64

    /// - Parameter clock: microseconds since the Unix epoch.
    init(clock: @escaping @Sendable () -> Int64) {
        self.clock = clock
    }

    // MARK: For the loop

    /// Changes the next batch, which stands on the draft given to `body`, nil where nothing is under way.
    ///
    /// - Returns: false where something has landed, which is to be seen first.
    func join(_ body: (inout RecordingBatch, LogWriter.Draft?) -> Void) -> Bool {
        state.withLock { state in
            guard state.landed.isEmpty else { return false }
            body(&state.next, state.underWay?.draft)
            return true
        }
    }

    /// What has landed since.
    func takeLanded() -> [Landed] {
        state.withLock { state in
            defer { state.landed = [] }
            return state.landed
        }
    }

    /// What has joined the next batch and must be decided anew.
    func takeBack() -> [AppendMessage] {
        state.withLock { $0.takeNext().messages }
    }

    /// What the loop has to do for the next batch.
    enum Duty {
        /// Nothing: there is none, or what is under way brings it along, or something has landed, for which the loop is rung.
        case nothing
        /// To have it committed, by `work`.
        case commit
        /// To look its requests up, which cannot be committed as they were decided.
        case lookUp(RecordingBatch)
    }

    /// To be asked after every change. Decided at one moment, so that no deadline passes between two answers.
    func begin() -> Duty {
        let now = clock()
        return state.withLock { state in
            guard state.isQuiet, !state.isHalted, !state.next.isEmpty else { return .nothing }
            guard state.next.isCommittable(at: now) else { return .lookUp(state.takeNext()) }
            state.isWorking = true
            return .commit
        }
    }

    /// Has what is under way end, and no other follow until `resume`.
    func halt() {
        state.withLock { $0.isHalted = true }
    }

    func resume() {
        state.withLock { $0.isHalted = false }
    }

    // MARK: For who commits

    /// Commits batches until none is there that can be committed.
    ///
    /// - Parameters:
    ///   - answer: tells those who wait for a batch that they are recorded. Called at once by the thread that commits: through the loop
    ///     they would wait for one thread more.
    ///   - ring: is called whenever one has landed, and where one is left that cannot be committed as it is.
    func work(
        _ committer: Committer,
        answer: @escaping @Sendable (RecordingBatch, [AppendOutcome]) -> Void,
        ring: @escaping @Sendable () -> Void
    ) async {
        await committer.commitAll {
            let (batch, isLeft) = self.takeCommittable()
            if isLeft { ring() }
            return batch?.draft
        } landed: { result in
            if case .success(true) = result { self.answerUnderWay(answer) }
            self.land(result)
            ring()
        }
    }

    /// - Returns: the batch; or none, and whether there is one for the loop to look at.
    private func takeCommittable() -> (RecordingBatch?, isLeft: Bool) {
        let now = clock()
        return state.withLock { state -> (RecordingBatch?, Bool) in
            guard !state.isHalted, state.next.isCommittable(at: now) else {
                state.isWorking = false
                return (nil, !state.next.isEmpty)
            }
            let batch = state.takeNext()
            state.underWay = batch
            return (batch, false)
        }
    }

    /// Before the loop hears of it, so that nothing of the batch is announced before.
    private func answerUnderWay(_ answer: (RecordingBatch, [AppendOutcome]) -> Void) {
        let underWay = state.withLock { $0.underWay }
        if let underWay, let draft = underWay.draft { answer(underWay, draft.outcomes) }
    }

    private func land(_ result: Result<Bool, any Error>) {
        state.withLock { state in
            guard let batch = state.underWay.take() else { return }
            state.landed.append(Landed(batch: batch, result: result))
            if case .success(true) = result { return }
            state.isWorking = false
        }
    }
}

package import Logging
import ServiceLifecycle

/// What follows the log: a read model, a policy.
package protocol SubscriptionTarget: Sendable {
    /// Unique among those that share a checkpoint table.
    var name: String { get }
    /// The contexts it follows, nil for all.
    var contexts: Set<String>? { get }

    /// Takes or renews the right to run, which one replica has at a time.
    ///
    /// - Returns: the checkpoint, nil where another replica runs this subscription.
    func acquire() async throws -> Position?

    /// Applies events and moves the checkpoint, both or neither, and renews the right to run.
    ///
    /// - Parameters:
    ///   - events: all of the followed contexts after `position` up to `end`, in order; may be empty.
    ///   - position: the checkpoint as this replica knows it.
    /// - Throws: `CheckpointMoved` where the checkpoint is another: somebody else runs this subscription. `SubscriptionHalted`
    ///   where it must not go on. After any error the checkpoint may have moved some of the way.
    func apply(_ events: [RecordedEvent], after position: Position, through end: Position) async throws

    /// Keeps the right to run while it stays halted.
    ///
    /// - Returns: false where the right is lost, and all begins anew.
    func keep() async throws -> Bool

    /// Whether what it halted at is out of the way, or somebody has asked for another try.
    func isReleased(from halt: SubscriptionHalted) async throws -> Bool

    /// Gives the right to run back, so that another replica need not wait until it runs out.
    func release() async throws
}

extension SubscriptionTarget {
    package func keep() async throws -> Bool { try await acquire() != nil }
}

/// Follows the log for one target: catches up, then lives on announcements, and compares itself with the log whenever it
/// hears nothing for a second. The log is the truth; a lost, repeated or reordered announcement does no harm.
package final class Subscription: Service {
    /// How often it looks whether it is released, while halted, or whether its turn has come, while another replica runs it: announcements
    /// may come by the hundred a second.
    private static let look = Duration.milliseconds(500)

    private let target: any SubscriptionTarget
    private let reader: LogReader
    private let mailbox: Mailbox
    private let patience: Backoff
    private let logger: Logger

    /// - Parameter feed: run by the caller, listening to at least the target's contexts.
    package convenience init(_ target: any SubscriptionTarget, feed: EventFeed, reader: LogReader, logger: Logger) {
        self.init(target, mailbox: feed.mailbox(), reader: reader, logger: logger)
    }

    /// - Parameter patience: how long it stays halted before it tries again unasked.
    init(
        _ target: any SubscriptionTarget,
        mailbox: Mailbox,
        reader: LogReader,
        patience: Backoff = Backoff(first: .seconds(10), longest: .seconds(300)),
        logger: Logger
    ) {
        self.target = target
        self.reader = reader
        self.mailbox = mailbox
        self.patience = patience
        var logger = logger
        logger[metadataKey: "subscription"] = "\(target.name)"
        self.logger = logger
    }

    /// Follows until the task is cancelled, the service group shuts down or the feed ends. Never throws: what fails is tried
    /// again. Halted, it waits for its operator.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var backoff = Backoff(first: .milliseconds(100), longest: .seconds(5))
            var halt: Halt?
            var isHalted = false
            while !Task.isCancelled {
                do {
                    if isHalted, let halt {
                        guard try await self.waitOut(halt) else { return }
                        isHalted = false
                    }
                    if let position = try await self.target.acquire() {
                        backoff = Backoff(first: .milliseconds(100), longest: .seconds(5))
                        try await self.follow(from: position)
                        return
                    } else if await !self.standBy() {
                        return
                    }
                } catch is CheckpointMoved {
                    self.logger.notice("another replica runs this subscription")
                } catch is CancellationError {
                    return
                } catch let halted as SubscriptionHalted {
                    halt = self.halted(halted, before: halt)
                    isHalted = true
                } catch {
                    self.logger.error("subscription stopped; trying again", metadata: ["error": "\(error)"])
                    try? await Task.sleep(for: backoff.next())
                }
            }
        }
        // Where this fails the lease runs out by itself.
        try? await target.release()
    }

    /// - Returns: false when the feed has ended.
    private func standBy() async -> Bool {
        let until = ContinuousClock.now + Self.look
        while await mailbox.takeAll() != nil {
            if ContinuousClock.now >= until { return true }
        }
        return false
    }

    /// Where it halted, and how long it waits there.
    private struct Halt {
        let halted: SubscriptionHalted
        var patience: Backoff
        var until: ContinuousClock.Instant
    }

    /// Said once an event, however often it is tried.
    private func halted(_ halted: SubscriptionHalted, before: Halt?) -> Halt {
        let isNew = before?.halted.position != halted.position
        if isNew {
            logger.error(
                "subscription halted at an event that cannot be applied; see 'coworkflow deadletters'",
                metadata: ["position": "\(halted.position)", "error": "\(halted.reason)"]
            )
        }
        var patience = isNew ? patience : before?.patience ?? patience
        let until = ContinuousClock.now + patience.next()
        return Halt(halted: halted, patience: patience, until: until)
    }

    /// Stays halted, keeping the right to run, until somebody releases it or it is time to try again.
    ///
    /// - Returns: false when the feed has ended.
    private func waitOut(_ halt: Halt) async throws -> Bool {
        var looked = ContinuousClock.now
        while await mailbox.takeAll() != nil {
            if ContinuousClock.now >= halt.until { return true }
            guard looked.duration(to: .now) >= Self.look else { continue }
            looked = .now
            guard try await target.keep() else { return true }
            if try await target.isReleased(from: halt.halted) { return true }
        }
        return false
    }

    /// Returns when the feed has ended or the task was cancelled.
    private func follow(from start: Position) async throws {
        var position = try await catchUp(from: start)
        while let batches = await mailbox.takeAll() {
            if batches.isEmpty {
                guard try await target.acquire() == position else { throw CheckpointMoved() }
                position = try await catchUp(from: position)
            } else {
                position = try await apply(batches, after: position)
            }
        }
    }

    /// Applies in one go all batches that join on; from the first that does not, the log is read.
    private func apply(_ batches: [EventBatch], after position: Position) async throws -> Position {
        var events: [RecordedEvent] = []
        var end = position
        var missing = false
        for batch in batches where batch.end > end {
            guard batch.follows(end, contexts: target.contexts) else {
                missing = true
                break
            }
            events += batch.events.filter { $0.position > end && wants($0) }
            end = batch.end
        }
        if end > position {
            try await target.apply(events, after: position, through: end)
        }
        return missing ? try await catchUp(from: end) : end
    }

    private func catchUp(from start: Position) async throws -> Position {
        var position = start
        while true {
            let page = try await reader.page(after: position, contexts: target.contexts)
            if page.end > position {
                try await target.apply(page.events, after: position, through: page.end)
                position = page.end
            }
            if position >= page.head { return position }
            try Task.checkCancellation()
        }
    }

    private func wants(_ event: RecordedEvent) -> Bool {
        target.contexts?.contains(event.context) ?? true
    }
}

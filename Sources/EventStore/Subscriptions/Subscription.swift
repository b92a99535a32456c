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
    /// - Throws: `CheckpointMoved` where the checkpoint is another: somebody else runs this subscription.
    func apply(_ events: [RecordedEvent], after position: Position, through end: Position) async throws

    /// Gives the right to run back, so that another replica need not wait until it runs out.
    func release() async throws
}

/// The checkpoint is not where this replica left it: another one has taken the subscription over.
package struct CheckpointMoved: Error {
    package init() {}
}

/// Follows the log for one target: catches up, then lives on announcements, and compares itself with the log whenever it
/// hears nothing for a second. The log is the truth; a lost, repeated or reordered announcement does no harm.
package final class Subscription: Service {
    private let target: any SubscriptionTarget
    private let reader: LogReader
    private let mailbox: Mailbox
    private let logger: Logger

    /// - Parameter feed: run by the caller, listening to at least the target's contexts.
    package convenience init(_ target: any SubscriptionTarget, feed: EventFeed, reader: LogReader, logger: Logger) {
        self.init(target, mailbox: feed.mailbox(), reader: reader, logger: logger)
    }

    init(_ target: any SubscriptionTarget, mailbox: Mailbox, reader: LogReader, logger: Logger) {
        self.target = target
        self.reader = reader
        self.mailbox = mailbox
        var logger = logger
        logger[metadataKey: "subscription"] = "\(target.name)"
        self.logger = logger
    }

    /// Follows until the task is cancelled, the service group shuts down or the feed ends. Never throws: what fails is tried again, so
    /// an event that cannot be applied holds the subscription where it is.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var backoff = Backoff(first: .milliseconds(100), longest: .seconds(5))
            while !Task.isCancelled {
                do {
                    if let position = try await self.target.acquire() {
                        backoff = Backoff(first: .milliseconds(100), longest: .seconds(5))
                        try await self.follow(from: position)
                        return
                    } else if await self.mailbox.takeAll() == nil {
                        return
                    }
                } catch is CheckpointMoved {
                    self.logger.notice("another replica runs this subscription")
                } catch is CancellationError {
                    return
                } catch {
                    self.logger.error("subscription stopped; trying again", metadata: ["error": "\(error)"])
                    try? await Task.sleep(for: backoff.next())
                }
            }
        }
        // Where this fails the lease runs out by itself.
        try? await target.release()
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

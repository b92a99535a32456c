import Synchronization

/// Lets one read model of a process be rebuilt at a time: a new version may define all of them anew, and each rebuild takes three connections
/// and tens of megabytes.
package final class RebuildTurn: Sendable {
    private let isTaken = Mutex(false)

    package init() {}

    /// - Returns: false where another rebuild has it: try again in a moment.
    func take() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }

    func giveBack() {
        isTaken.withLock { $0 = false }
    }
}

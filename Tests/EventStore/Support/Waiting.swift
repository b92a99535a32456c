import Testing

struct NeverHappened: Error, CustomStringConvertible {
    let description: String
}

/// Waits until the condition holds.
func eventually(
    _ what: String,
    limit: Duration = .seconds(10),
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw NeverHappened(description: "never happened: \(what)") }
        try await Task.sleep(for: .milliseconds(10))
    }
}

/// Fails instead of hanging.
func within<Value: Sendable>(
    _ what: String,
    limit: Duration = .seconds(10),
    _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask(operation: work)
        group.addTask {
            try await Task.sleep(for: limit)
            throw NeverHappened(description: "took longer than \(limit): \(what)")
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw CancellationError() }
        return value
    }
}

/// How long something took.
func duration(of work: () async throws -> Void) async rethrows -> Duration {
    let start = ContinuousClock.now
    try await work()
    return .now - start
}

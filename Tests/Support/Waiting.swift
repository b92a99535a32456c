/// What a test waited for and did not see.
package struct NeverHappened: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// Waits until a condition holds.
///
/// - Throws: `NeverHappened`, which names the caller's line, where it does not in time.
package func eventually(
    _ what: String = "the condition holds",
    within limit: Duration = .seconds(15),
    file: String = #fileID,
    line: Int = #line,
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw NeverHappened("not within \(limit): \(what) (\(file):\(line))") }
        try await Task.sleep(for: .milliseconds(10))
    }
}

/// Fails instead of hanging.
///
/// - Throws: `NeverHappened` where the work does not end in time; it is cancelled then.
package func ending<Value: Sendable>(
    _ what: String,
    within limit: Duration = .seconds(10),
    _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask(operation: work)
        group.addTask {
            try await Task.sleep(for: limit)
            throw NeverHappened("not within \(limit): \(what)")
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw CancellationError() }
        return value
    }
}

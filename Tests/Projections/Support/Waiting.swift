struct NeverHappened: Error, CustomStringConvertible {
    let description: String
}

/// Waits until the condition holds.
func eventually(
    _ what: String,
    limit: Duration = .seconds(30),
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw NeverHappened(description: "never happened: \(what)") }
        try await Task.sleep(for: .milliseconds(10))
    }
}

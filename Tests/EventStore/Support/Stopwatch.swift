/// How long something took.
func duration(of work: () async throws -> Void) async rethrows -> Duration {
    let start = ContinuousClock.now
    try await work()
    return .now - start
}

struct NeverHappened: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Waits until a condition holds, and throws when it does not in time.
func eventually(_ what: String, within limit: Duration = .seconds(15), _ condition: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw NeverHappened("not within \(limit): \(what)") }
        try await Task.sleep(for: .milliseconds(20))
    }
}

/// Does all of it, so many at a time, and gives the results in the order of the input.
func concurrently<Input: Sendable, Output: Sendable>(
    _ inputs: [Input],
    atATime width: Int,
    _ work: @escaping @Sendable (Input) async throws -> Output
) async throws -> [Output] {
    try await withThrowingTaskGroup(of: (Int, Output).self) { group in
        var results = [Output?](repeating: nil, count: inputs.count)
        for (index, input) in inputs.enumerated() {
            if index >= width, let (done, output) = try await group.next() { results[done] = output }
            group.addTask { (index, try await work(input)) }
        }
        for try await (done, output) in group { results[done] = output }
        return results.compactMap { $0 }
    }
}

/// The same numbers for the same seed, so that a failure can be repeated.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

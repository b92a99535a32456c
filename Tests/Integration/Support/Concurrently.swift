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

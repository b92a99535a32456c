/// Waiting times that double up to a bound, with jitter so that many who fail together do not come back together.
package struct Backoff: Sendable {
    private var current: Duration
    private let longest: Duration

    package init(first: Duration = .milliseconds(50), longest: Duration = .seconds(2)) {
        current = first
        self.longest = longest
    }

    package mutating func next() -> Duration {
        defer { current = min(current * 2, longest) }
        return current * Double.random(in: 0.5...1)
    }
}

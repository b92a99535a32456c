/// Random numbers that a seed repeats (SplitMix64), and what a simulation draws with them.
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Whether something happens that happens so many times in a thousand.
    mutating func happens(_ perMille: Int) -> Bool {
        Int.random(in: 0..<1000, using: &self) < perMille
    }

    mutating func among(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &self)
    }

    /// One of several, each as likely as its weight says.
    ///
    /// - Precondition: one at least, with a weight above zero.
    mutating func pick<Value>(_ choices: [(Value, Int)]) -> Value {
        var rest = Int.random(in: 0..<choices.reduce(0) { $0 + $1.1 }, using: &self)
        for (value, weight) in choices {
            if rest < weight { return value }
            rest -= weight
        }
        preconditionFailure("weights sum up")
    }
}

import EventStore

/// Who waits for which read models to come how far, and how far they are known to have come. Pure: whoever holds it resumes
/// the waiters that it names.
struct WaitingRoom<Token> {
    struct Waiter {
        let position: Position
        let models: Set<String>
        let token: Token
    }

    private var positions: [String: Position] = [:]
    private var waiters: [UInt64: Waiter] = [:]
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
    }

    var isEmpty: Bool { waiters.isEmpty }
    var isFull: Bool { waiters.count >= capacity }

    /// Those of the models that are not known to have considered the position.
    func laggards(among models: Set<String>, at position: Position) -> Set<String> {
        models.filter { (positions[$0] ?? .start) < position }
    }

    mutating func admit(_ waiter: Waiter, as id: UInt64) {
        waiters[id] = waiter
    }

    /// - Returns: the waiter and whom it still waited for, nil if it is here no longer.
    mutating func dismiss(_ id: UInt64) -> (token: Token, laggards: Set<String>)? {
        waiters.removeValue(forKey: id).map { ($0.token, laggards(among: $0.models, at: $0.position)) }
    }

    /// Takes news of where the read models are. It may be less far than before: a model can be built anew.
    ///
    /// - Returns: the waiters that need to wait no longer.
    mutating func learn(_ news: [ReadModelProgress]) -> [Token] {
        positions = Dictionary(news.map { ($0.name, $0.position) }) { first, _ in first }
        let ready = waiters.filter { laggards(among: $0.value.models, at: $0.value.position).isEmpty }
        for id in ready.keys { waiters[id] = nil }
        return ready.values.map(\.token)
    }

    /// Nothing is known any more: a server that was restarted may have lost the last steps.
    mutating func forget() {
        positions = [:]
    }
}

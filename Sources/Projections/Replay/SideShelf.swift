import EventStore

/// Which past read models are there, being built, asked for and no longer used. Pure: whoever holds it builds, drops and
/// resumes what it names.
struct SideShelf<Token> {
    struct Key: Hashable, Sendable {
        let model: String
        let position: Position
    }

    enum Order: Equatable, Sendable {
        case build(Key)
        case drop(Key)
    }

    enum Answer {
        case ready
        /// The token is resumed when it is built, or could not be.
        case wait
        /// As many as there may be are in use or being built.
        case full
    }

    private struct Entry {
        /// Those who wait for it to be built; nil once it is.
        var waiters: [UInt64: Token]?
        var users = 0
        var lastUse: ContinuousClock.Instant
    }

    private var entries: [Key: Entry] = [:]
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
    }

    var count: Int { entries.count }

    /// Somebody wants to use one.
    ///
    /// - Parameter token: kept only where the answer is `wait`.
    mutating func ask(for key: Key, as id: UInt64, _ token: Token, now: ContinuousClock.Instant) -> (answer: Answer, orders: [Order]) {
        if entries[key] != nil {
            entries[key]?.users += 1
            entries[key]?.lastUse = now
            guard entries[key]?.waiters != nil else { return (.ready, []) }
            entries[key]?.waiters?[id] = token
            return (.wait, [])
        }
        var orders: [Order] = []
        if entries.count >= capacity {
            let idle = entries.filter { $0.value.users == 0 && $0.value.waiters == nil }
            guard let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse })?.key else { return (.full, []) }
            entries[oldest] = nil
            orders.append(.drop(oldest))
        }
        entries[key] = Entry(waiters: [id: token], users: 1, lastUse: now)
        return (.wait, orders + [.build(key)])
    }

    /// Whoever waited does so no longer. What is being built for nobody is built all the same: they may come back.
    ///
    /// - Returns: the token, nil where it has been resumed already.
    mutating func dismiss(_ id: UInt64, for key: Key) -> Token? {
        guard let token = entries[key]?.waiters?.removeValue(forKey: id) else { return nil }
        entries[key]?.users -= 1
        return token
    }

    /// It can be used.
    mutating func built(_ key: Key, now: ContinuousClock.Instant) -> [Token] {
        let waiters = entries[key]?.waiters ?? [:]
        entries[key]?.waiters = nil
        entries[key]?.lastUse = now
        return Array(waiters.values)
    }

    /// It could not be built.
    mutating func failed(_ key: Key) -> [Token] {
        Array(entries.removeValue(forKey: key)?.waiters?.values ?? [:].values)
    }

    /// Somebody has done with it.
    mutating func release(_ key: Key, now: ContinuousClock.Instant) {
        entries[key]?.users -= 1
        entries[key]?.lastUse = now
    }

    /// What nobody has used since a time goes.
    mutating func expire(before time: ContinuousClock.Instant) -> [Order] {
        let expired = entries.filter { $0.value.users == 0 && $0.value.waiters == nil && $0.value.lastUse < time }.map(\.key)
        for key in expired { entries[key] = nil }
        return expired.map(Order.drop)
    }

    /// Nothing is there any more.
    mutating func reset() -> [Token] {
        defer { entries = [:] }
        return entries.values.flatMap { Array(($0.waiters ?? [:]).values) }
    }
}

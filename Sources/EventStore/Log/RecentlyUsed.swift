/// A bounded dictionary that forgets what has not been asked for in a while.
///
/// Two halves: what is asked for moves to the young one; when that is full it becomes the old one, and the old one goes.
struct RecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let capacity: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]

    /// - Parameter capacity: entries kept at most.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The value, which counts as used now.
    mutating func value(for key: Key) -> Value? {
        if let value = young[key] { return value }
        // Moved, not copied, so that the two together stay within the capacity.
        guard let value = old.removeValue(forKey: key) else { return nil }
        set(value, for: key)
        return value
    }

    mutating func set(_ value: Value, for key: Key) {
        if young.count >= capacity / 2, young[key] == nil {
            old = young
            young = [:]
        } else {
            old[key] = nil
        }
        young[key] = value
    }

    /// How many entries there are.
    var count: Int { young.count + old.count }
}

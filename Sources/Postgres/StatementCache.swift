/// The statements prepared on one connection, by their text and parameter types, with the least recently used going first.
///
/// The cache only keeps the books: whoever owns it prepares and deallocates.
struct StatementCache {
    struct Key: Hashable {
        let sql: String
        let types: [UInt32]
    }

    private struct Entry {
        let name: String
        var lastUse: UInt64
    }

    private var entries: [Key: Entry] = [:]
    private var clock: UInt64 = 0
    private var names: UInt64 = 0
    private let capacity: Int

    /// Names of statements that the server still keeps but nobody will use again.
    private(set) var evicted: [String] = []

    init(capacity: Int) {
        self.capacity = capacity
    }

    var count: Int { entries.count }

    /// A name never used on this connection before.
    mutating func makeName() -> String {
        names += 1
        return "s\(names)"
    }

    /// The name under which the statement is prepared on the server, if it is.
    mutating func name(for key: Key) -> String? {
        clock += 1
        guard let index = entries.index(forKey: key) else { return nil }
        entries.values[index].lastUse = clock
        return entries.values[index].name
    }

    /// Notes that the server has prepared a statement, and makes room for it.
    mutating func insert(_ name: String, for key: Key) {
        clock += 1
        if entries.count >= capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            evicted.append(oldest.value.name)
            entries.removeValue(forKey: oldest.key)
        }
        entries[key] = Entry(name: name, lastUse: clock)
    }

    /// Forgets every statement; those that the server may still have are to be deallocated.
    mutating func removeAll() {
        entries.removeAll()
        evicted.removeAll()
    }

    mutating func clearEvicted() {
        evicted.removeAll()
    }
}

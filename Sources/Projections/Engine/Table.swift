/// A table of a read model: what it holds and how rows are told apart. In which schema it lies is decided by whoever
/// makes it, so that a model can be built beside the live one.
package struct Table: Sendable, Hashable {
    /// Begins with the model's name and an underscore.
    package let name: String
    package let columns: [Column]
    /// The names of the columns that make the primary key, in the order of its index.
    package let key: [String]
    /// What each further index is over, as SQL after `create index on table`, e.g. `(user_id, created_at)`.
    package let indexes: [String]

    let keyPlaces: [Int]
    private let places: [String: Int]

    package init(_ name: String, columns: [Column], key: [String], indexes: [String] = []) {
        self.name = name
        self.columns = columns
        self.key = key
        self.indexes = indexes
        places = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1.name, $0) })
        keyPlaces = key.compactMap { [places] name in places[name] }
        precondition(!key.isEmpty && keyPlaces.count == key.count, "the key of \(name) names a column that it lacks")
    }

    func place(of column: String) -> Int? {
        places[column]
    }

    /// The statements that make the table in a schema.
    func definition(in schema: String) -> [String] {
        [creation(in: schema)] + indexing(in: schema)
    }

    /// Makes the table with its primary key alone.
    func creation(in schema: String) -> String {
        let lines = columns.map(\.definition) + ["primary key (\(key.joined(separator: ", ")))"]
        return "create table \(schema).\(name) (\n    \(lines.joined(separator: ",\n    "))\n)"
    }

    /// Makes the further indexes.
    func indexing(in schema: String) -> [String] {
        indexes.map { "create index on \(schema).\(name) \($0)" }
    }
}

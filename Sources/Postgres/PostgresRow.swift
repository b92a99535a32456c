/// One row of a result.
package struct PostgresRow: Sendable {
    private let storage: ResultStorage
    private let index: Int

    init(storage: ResultStorage, index: Int) {
        self.storage = storage
        self.index = index
    }

    /// How many columns the row has.
    package var count: Int { storage.columnCount }

    /// Reads a column by its place, counted from 0.
    ///
    /// An integer column may be read as a wider integer. NULL can be read as an optional only.
    ///
    /// - Throws: ``PostgresError`` of kind `decoding`, which names the column and both types.
    package func get<T: PostgresDecodable>(_ column: Int, _ type: T.Type = T.self) throws(PostgresError) -> T {
        guard column >= 0, column < storage.columnCount else {
            throw PostgresError(.decoding, "there is no column \(column); the result has \(storage.columnCount)")
        }
        do throws(PostgresDecodingFailure) {
            return try storage.decode(row: index, column: column, as: type)
        } catch {
            let place = "column \(column) (\(storage.columnName(column))), which is of type \(storage.type(column: column)),"
            switch error {
            case .typeMismatch: throw PostgresError(.decoding, "\(place) cannot be read as \(T.self)")
            case .null: throw PostgresError(.decoding, "\(place) holds NULL, which \(T.self) cannot")
            case .malformed: throw PostgresError(.decoding, "\(place) holds bytes that \(T.self) cannot")
            }
        }
    }

    /// Reads a column by its name, compared exactly; the first if several have it.
    ///
    /// - Throws: ``PostgresError`` of kind `decoding`.
    package func get<T: PostgresDecodable>(_ column: String, _ type: T.Type = T.self) throws(PostgresError) -> T {
        guard let index = storage.column(named: column) else {
            throw PostgresError(.decoding, "the result has no column \(column)")
        }
        return try get(index, type)
    }
}

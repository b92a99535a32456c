/// The rows a statement returned.
///
/// They stay in the memory in which libpq received them, until the last reference to the rows or one of them goes.
package struct PostgresRows: RandomAccessCollection, Sendable {
    private let storage: ResultStorage

    init(storage: ResultStorage) {
        self.storage = storage
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { storage.rowCount }

    /// A row by its place, counted from 0.
    package subscript(position: Int) -> PostgresRow {
        precondition(position >= 0 && position < storage.rowCount, "row index out of range")
        return PostgresRow(storage: storage, index: position)
    }

    /// How many rows the statement inserted, updated, deleted or returned; 0 for other statements.
    package var affected: Int { storage.affected }

    /// The names of the columns in order.
    package var columnNames: [String] { (0..<storage.columnCount).map(storage.columnName) }

    /// The types of the columns in order.
    package var columnTypes: [PostgresType] { (0..<storage.columnCount).map(storage.type(column:)) }
}

/// A stretch of a list.
package struct ResultPage<Item: Sendable>: Sendable {
    package let items: [Item]
    /// Where the next page begins; nil on the last.
    package let next: Cursor?
}

extension ResultPage {
    /// Of items read one beyond the limit, to know whether there are more.
    init(_ items: [Item], limit: Int, cursor: (Item) -> Cursor) {
        self.items = Array(items.prefix(limit))
        next = items.count > limit ? self.items.last.map(cursor) : nil
    }
}

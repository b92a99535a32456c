import Projections

/// A page of a list as it is shown.
struct QueryPage<Item: Encodable & Sendable>: Sendable {
    let items: [Item]
    let next: Cursor?
}

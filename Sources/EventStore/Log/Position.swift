/// A place in the log's total order: 1, 2, 3 … without holes. 0 is "before the first event".
package struct Position: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    package let rawValue: Int64

    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    package init(_ rawValue: Int64) {
        self.rawValue = rawValue
    }

    package static let start = Position(0)

    /// The position after this one.
    package var next: Position { Position(rawValue &+ 1) }

    package var description: String { String(rawValue) }

    package static func < (lhs: Position, rhs: Position) -> Bool {
        lhs.rawValue < rhs.rawValue
    }
}

/// The number of events in a stream, which is the version of its last event. 0 is a stream that does not exist yet.
package struct StreamVersion: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    package init(_ rawValue: Int32) {
        self.rawValue = rawValue
    }

    package static let none = StreamVersion(0)

    package var description: String { String(rawValue) }

    package static func < (lhs: StreamVersion, rhs: StreamVersion) -> Bool {
        lhs.rawValue < rhs.rawValue
    }
}

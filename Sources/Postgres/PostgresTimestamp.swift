/// An instant, `timestamptz` in Postgres: whole microseconds since 1970-01-01T00:00:00Z.
package struct PostgresTimestamp: Hashable, Comparable, Sendable {
    /// Microseconds since the Unix epoch; `Int64.max` and `Int64.min` stand for Postgres' infinities.
    package let microsecondsSinceEpoch: Int64

    package init(microsecondsSinceEpoch: Int64) {
        self.microsecondsSinceEpoch = microsecondsSinceEpoch
    }

    /// `'infinity'`, later than every instant.
    package static let infinity = PostgresTimestamp(microsecondsSinceEpoch: .max)
    /// `'-infinity'`, earlier than every instant.
    package static let negativeInfinity = PostgresTimestamp(microsecondsSinceEpoch: .min)

    package static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.microsecondsSinceEpoch < rhs.microsecondsSinceEpoch
    }

    // Postgres counts from 2000-01-01T00:00:00Z.
    private static let postgresEpoch: Int64 = 946_684_800_000_000
}

extension PostgresTimestamp: PostgresScalar {
    package static var postgresType: PostgresType { .timestamptz }

    /// An instant outside Postgres' range (4713 BC to 294276 AD) is refused by the server (SQLSTATE 22008).
    package func encode(into buffer: inout PostgresBuffer) {
        guard self != .infinity, self != .negativeInfinity else { return buffer.append(microsecondsSinceEpoch) }
        let (value, overflow) = microsecondsSinceEpoch.subtractingReportingOverflow(Self.postgresEpoch)
        // Below Int64's range is far below Postgres': the least finite value makes the server refuse it too.
        buffer.append(overflow ? Int64.min + 1 : value)
    }

    package static func decode(_ bytes: RawSpan, as type: PostgresType) throws(PostgresDecodingFailure) -> PostgresTimestamp {
        guard type == .timestamptz else { throw .typeMismatch }
        guard let value = bytes.wholeInteger(as: Int64.self) else { throw .malformed }
        guard value != .max, value != .min else { return PostgresTimestamp(microsecondsSinceEpoch: value) }
        let (micros, overflow) = value.addingReportingOverflow(postgresEpoch)
        // 294276 AD plus thirty years exceeds Int64 by less than thirty years.
        guard !overflow else { throw .malformed }
        return PostgresTimestamp(microsecondsSinceEpoch: micros)
    }
}

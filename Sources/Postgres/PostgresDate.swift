/// A calendar day without a zone, `date` in Postgres: days since 1970-01-01, proleptic Gregorian.
package struct PostgresDate: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01; `Int32.max` and `Int32.min` stand for Postgres' infinities.
    package let daysSinceEpoch: Int32

    package init(daysSinceEpoch: Int32) {
        self.daysSinceEpoch = daysSinceEpoch
    }

    /// `'infinity'`, later than every day.
    package static let infinity = PostgresDate(daysSinceEpoch: .max)
    /// `'-infinity'`, earlier than every day.
    package static let negativeInfinity = PostgresDate(daysSinceEpoch: .min)

    package static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.daysSinceEpoch < rhs.daysSinceEpoch
    }

    // Postgres counts from 2000-01-01.
    private static let postgresEpoch: Int32 = 10957
}

extension PostgresDate: PostgresScalar {
    package static var postgresType: PostgresType { .date }

    /// A day outside Postgres' range (4713 BC to 5874897 AD) is refused by the server (SQLSTATE 22008).
    package func encode(into buffer: inout PostgresBuffer) {
        guard self != .infinity, self != .negativeInfinity else { return buffer.append(daysSinceEpoch) }
        let (value, overflow) = daysSinceEpoch.subtractingReportingOverflow(Self.postgresEpoch)
        buffer.append(overflow ? Int32.min + 1 : value)
    }

    package static func decode(_ bytes: RawSpan, as type: PostgresType) throws(PostgresDecodingFailure) -> PostgresDate {
        guard type == .date else { throw .typeMismatch }
        guard let value = bytes.wholeInteger(as: Int32.self) else { throw .malformed }
        guard value != .max, value != .min else { return PostgresDate(daysSinceEpoch: value) }
        let (days, overflow) = value.addingReportingOverflow(postgresEpoch)
        guard !overflow else { throw .malformed }
        return PostgresDate(daysSinceEpoch: days)
    }
}

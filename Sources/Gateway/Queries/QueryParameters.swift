import Domain
import EventStore
import FoundationEssentials
import HTTP
import Hummingbird
import Projections

/// The parameters of a query, read strictly: a text that is not what its name asks for is refused rather than passed over.
struct QueryParameters: Sendable {
    private let values: [String: [String]]

    init(_ request: Request) {
        values = request.uri.queryParameters.reduce(into: [:]) { values, parameter in
            values[String(parameter.key), default: []].append(String(parameter.value))
        }
    }

    /// Nil where it is absent or empty.
    ///
    /// - Throws: 400 where it comes twice.
    func text(_ name: String, limit: Int = 200) throws(Problem) -> String? {
        guard let all = values[name] else { return nil }
        guard all.count == 1, let text = all.first else { throw .invalid(field: name, "must come once") }
        guard text.utf8.count <= limit else { throw .invalid(field: name, "must have \(limit) bytes at most") }
        // Postgres has no such character in a text.
        guard !text.utf8.contains(0) else { throw .invalid(field: name, "must not have a NUL character") }
        return text.isEmpty ? nil : text
    }

    func value<Value>(_ name: String, _ expected: String, _ read: (String) -> Value?) throws(Problem) -> Value? {
        guard let text = try text(name) else { return nil }
        guard let value = read(text) else { throw .invalid(field: name, "must be \(expected)") }
        return value
    }

    func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        try value(name, "a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    func flag(_ name: String) throws(Problem) -> Bool? {
        try value(name, "true or false") { Bool($0) }
    }

    func id<Mark>(_ name: String, as type: Identificador<Mark>.Type = Identificador<Mark>.self) throws(Problem) -> Identificador<Mark>? {
        try value(name, "an id") { Identificador<Mark>($0) }
    }

    func choice<Choice: RawRepresentable & CaseIterable>(_ name: String) throws(Problem) -> Choice? where Choice.RawValue == String {
        try value(name, "one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))") { Choice(rawValue: $0) }
    }

    /// A date of the years that bookings are made in.
    func date(_ name: String) throws(Problem) -> DataCivil? {
        try value(name, "a date from 2000-01-01 to 2199-12-31, such as 2026-03-01") { text in
            DataCivil(text).flatMap { (2000...2199).contains($0.ano) ? $0 : nil }
        }
    }

    /// An instant with an offset. A plus sign need not be escaped.
    func instant(_ name: String) throws(Problem) -> Instante? {
        try value(name, "a time with an offset, such as 2026-03-01T09:00:00-03:00") { Instante($0) }
    }

    /// Up to where the log is to be looked at; nil where the present is asked for.
    func asOf() throws(Problem) -> AsOf? {
        try value("as_of", "a position, or a time with an offset, such as 2026-03-01T09:00:00-03:00") { text in
            text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
                ? Int64(text).map { .position(Position($0)) } : Instante(text).map(AsOf.time)
        }
    }

    /// The unit whose figures are asked for by `unit`; nil for the whole business, which takes somebody who works for all of it. Whoever
    /// works for one unit means that one.
    ///
    /// - Throws: 404 for a unit that they do not work for; 403 where they name none of those that they work for.
    func unit(for identity: Identity) throws(Problem) -> UnidadeID? {
        let named: UnidadeID? = try id("unit")
        if let unit = named ?? (identity.units?.count == 1 ? identity.units?.first : nil) {
            guard identity.actor.opera(em: unit) else { throw .notFound }
            return unit
        }
        guard identity.actor.operaEmTodas else { throw .otherUnit }
        return nil
    }

    /// The member whose things are asked for by `user_id`; nil for those of everybody whom the one who asks may see.
    ///
    /// - Throws: 404 for somebody else's, but to staff.
    func member(for identity: Identity) throws(Problem) -> UsuarioID? {
        let named: UsuarioID? = try id("user_id")
        if let named { try identity.require(mayLookUp: named) }
        return named
    }

    /// How many items a page has.
    func limit() throws(Problem) -> Int {
        try number("limit", in: 1...200) ?? 50
    }

    func cursor() throws(Problem) -> Cursor? {
        try value("cursor", "one that a list gave out") { Cursor($0) }
    }
}

extension Problem {
    fileprivate static let otherUnit = Problem(
        .forbidden,
        code: "other_unit",
        portuguese: "Isto abrange unidades em que você não trabalha: indique uma das suas em 'unit'.",
        english: "This takes in units that you do not work for: name one of yours in 'unit'."
    )
}

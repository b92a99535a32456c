import Domain
import FoundationEssentials
import Postgres

extension PostgresValue {
    static func id<Marca>(_ id: Identificador<Marca>) -> PostgresValue {
        .uuid(id.uuid)
    }

    static func instant(_ instant: Instante) -> PostgresValue {
        .timestamp(PostgresTimestamp(instant))
    }

    static func instant(_ instant: Instante?) -> PostgresValue {
        instant.map { .timestamp(PostgresTimestamp($0)) } ?? .null(.timestamptz)
    }

    static func text(_ text: String?) -> PostgresValue {
        text.map(PostgresValue.text) ?? .null(.text)
    }

    static func day(_ day: DataCivil) -> PostgresValue {
        .date(PostgresDate(day))
    }

    static func day(_ day: DataCivil?) -> PostgresValue {
        day.map { .date(PostgresDate($0)) } ?? .null(.date)
    }

    /// A domain value as its own JSON, to be read back by the domain's own decoder.
    static func json(encoding value: some Encodable) throws -> PostgresValue {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return .json(PostgresJSON(utf8: Array(try encoder.encode(value))))
    }
}

extension PostgresTimestamp {
    init(_ instant: Instante) {
        self.init(microsecondsSinceEpoch: instant.microssegundos)
    }
}

extension PostgresDate {
    init(_ day: DataCivil) {
        // Days of the years 0000 to 9999 fit many times over.
        self.init(daysSinceEpoch: Int32(clamping: day.diasDesde1970))
    }
}

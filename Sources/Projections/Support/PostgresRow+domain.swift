import Domain
import FoundationEssentials
import Postgres

/// A read model's row holds what no code of this program writes there.
struct UnreadableRow: Error, CustomStringConvertible {
    let column: String

    var description: String { "column \(column) holds an unknown value" }
}

extension PostgresRow {
    func id<Marca>(_ column: String) throws -> Identificador<Marca> {
        Identificador(try get(column, UUID.self))
    }

    func id<Marca>(_ column: String) throws -> Identificador<Marca>? {
        try get(column, UUID?.self).map { Identificador($0) }
    }

    func instant(_ column: String) throws -> Instante {
        Instante(microssegundos: try get(column, PostgresTimestamp.self).microsecondsSinceEpoch)
    }

    func instant(_ column: String) throws -> Instante? {
        try get(column, PostgresTimestamp?.self).map { Instante(microssegundos: $0.microsecondsSinceEpoch) }
    }

    func interval(_ start: String, _ end: String) throws -> Intervalo {
        guard let interval = Intervalo(inicio: try instant(start), fim: try instant(end)) else { throw UnreadableRow(column: end) }
        return interval
    }

    func day(_ column: String) throws -> DataCivil {
        DataCivil(diasDesde1970: Int64(try get(column, PostgresDate.self).daysSinceEpoch))
    }

    func day(_ column: String) throws -> DataCivil? {
        try get(column, PostgresDate?.self).map { DataCivil(diasDesde1970: Int64($0.daysSinceEpoch)) }
    }

    /// A value that is stored as text and read by `parse`.
    func parsed<Value>(_ column: String, _ parse: (String) -> Value?) throws -> Value {
        guard let value = parse(try get(column, String.self)) else { throw UnreadableRow(column: column) }
        return value
    }

    func parsed<Value>(_ column: String, _ parse: (String) -> Value?) throws -> Value? {
        try get(column, String?.self).map { text in
            guard let value = parse(text) else { throw UnreadableRow(column: column) }
            return value
        }
    }

    func json<Value: Decodable>(_ column: String, _ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(try get(column, PostgresJSON.self).utf8))
    }

    func jsonIfPresent<Value: Decodable>(_ column: String, _ type: Value.Type = Value.self) throws -> Value? {
        try get(column, PostgresJSON?.self).map { try JSONDecoder().decode(type, from: Data($0.utf8)) }
    }
}

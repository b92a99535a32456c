import Domain
import FoundationEssentials
import Postgres

/// Puts the SELECT of a list together from the filters that are set, so that each combination has a plan of its own. What varies
/// is always bound.
struct SelectBuilder {
    private let base: String
    private var conditions: [String] = []
    private var parameters: [any PostgresEncodable] = []

    /// - Parameter base: everything up to the WHERE.
    init(_ base: String) {
        self.base = base
    }

    /// The place of a further parameter, `$n`.
    mutating func bind(_ value: any PostgresEncodable) -> String {
        parameters.append(value)
        return "$\(parameters.count)"
    }

    mutating func require(_ condition: String) {
        conditions.append(condition)
    }

    /// Only rows that exist as far as somebody is concerned, as `Ator.alcanca` says of one: their own, those of the units that they work
    /// for, and those of no unit.
    ///
    /// - Parameters:
    ///   - actor: nil where all rows may be seen.
    ///   - table: the name of a table with `user_id` and `unit_id`, where the statement gives it one.
    mutating func require(visibleTo actor: Ator?, in table: String? = nil) {
        guard let actor, !actor.operaEmTodas else { return }
        let prefix = table.map { "\($0)." } ?? ""
        let own = "\(prefix)user_id = \(bind(actor.usuario.uuid))"
        guard actor.opera, let units = actor.unidades else { return require(own) }
        let theirs = "\(prefix)unit_id = any(\(bind(PostgresArray(units.sorted().map(\.uuid)))))"
        require("(\(own) or \(theirs) or \(prefix)unit_id is null)")
    }

    /// The statement for a page: one row more than the limit, to know whether there are more.
    ///
    /// - Parameter filterFirst: whether to find all that passes the conditions and sort that, rather than to look for the
    ///   first few in order. The planner chooses where this is false.
    consuming func page(orderBy order: String, limit: Int, filterFirst: Bool = false) -> PostgresStatement {
        let filter = conditions.isEmpty ? "" : "\n where \(conditions.joined(separator: "\n   and "))"
        let found = base + filter
        let source = filterFirst ? "select * from (\n\(found)\noffset 0) as found" : found
        let tail = "\n order by \(order)\n limit \(bind(limit + 1))"
        return PostgresStatement(source + tail, parameters: parameters)
    }
}

extension PostgresPool {
    /// The rows of one statement, each read by `read`.
    func rows<Item: Sendable>(
        _ statement: PostgresStatement,
        _ read: @Sendable (PostgresRow) throws -> Item
    ) async throws -> [Item] {
        try await withConnection { try $0.query(statement.sql, parameters: statement.parameters).map(read) }
    }
}

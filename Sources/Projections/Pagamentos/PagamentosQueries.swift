package import Domain
import FoundationEssentials
package import Postgres

/// Which charges are wanted; nil is "any".
package struct PaymentFilter: Sendable, Equatable {
    /// Who asks; nil where everything may be seen.
    package var viewer: Ator?
    package var user: UsuarioID?
    package var booking: ReservaID?
    package var unit: UnidadeID?
    package var status: PaymentStatus?

    package init(
        viewer: Ator? = nil,
        user: UsuarioID? = nil,
        booking: ReservaID? = nil,
        unit: UnidadeID? = nil,
        status: PaymentStatus? = nil
    ) {
        self.viewer = viewer
        self.user = user
        self.booking = booking
        self.unit = unit
        self.status = status
    }
}

/// What is asked of charges. Who may see which is for the caller to know.
package struct PagamentosQueries: Sendable {
    /// The read models that the queries read.
    package static let models: Set<String> = ["pagamentos"]

    private let pool: PostgresPool
    private let schema: String

    /// - Parameter pool: connections of a role that may read the schema.
    package init(pool: PostgresPool, schema: String = "read") {
        self.pool = pool
        self.schema = schema
    }

    /// A charge, nil where there is none.
    package func payment(_ id: PagamentoID) async throws -> PaymentRecord? {
        try await pool.rows(
            PostgresStatement(
                "select \(PaymentRecord.columns(in: schema)) from \(PaymentRecord.source(in: schema)) where id = $1",
                id.uuid
            ),
            PaymentRecord.init(row:)
        ).first
    }

    /// What was given back of a charge, or is to be, the oldest first. As many as tries can be paid, and cents be split: bounded to 200.
    package func refunds(of payment: PagamentoID) async throws -> [RefundRecord] {
        try await pool.rows(
            PostgresStatement(
                """
                select \(RefundRecord.columns) from \(schema).pagamentos_refunds
                 where payment_id = $1 order by requested_at, id limit 200
                """,
                payment.uuid
            ),
            RefundRecord.init(row:)
        )
    }

    /// The charges for each of some bookings, the oldest first. As many bookings as a page has; each has a few.
    package func payments(of bookings: [ReservaID]) async throws -> [ReservaID: [PaymentRecord]] {
        guard !bookings.isEmpty else { return [:] }
        let payments = try await pool.rows(statement(of: bookings), PaymentRecord.init(row:))
        var found: [ReservaID: [PaymentRecord]] = [:]
        for payment in payments {
            if let booking = payment.booking { found[booking, default: []].append(payment) }
        }
        return found
    }

    func statement(of bookings: [ReservaID]) -> PostgresStatement {
        PostgresStatement(
            """
            select \(PaymentRecord.columns(in: schema)) from \(PaymentRecord.source(in: schema))
             where booking_id = any($1) order by created_at, id
            """,
            PostgresArray(bookings.map(\.uuid))
        )
    }

    /// The charges that pass the filter, the newest first.
    package func payments(
        _ filter: PaymentFilter = PaymentFilter(),
        limit: Int,
        after cursor: Cursor? = nil
    ) async throws -> ResultPage<PaymentRecord> {
        let payments = try await pool.rows(try statement(filter, limit: limit, after: cursor), PaymentRecord.init(row:))
        return ResultPage(payments, limit: limit) { Cursor($0.createdAt, $0.id.uuid) }
    }

    func statement(_ filter: PaymentFilter, limit: Int, after cursor: Cursor?) throws -> PostgresStatement {
        var select = SelectBuilder("select \(PaymentRecord.columns(in: schema)) from \(PaymentRecord.source(in: schema))")
        select.require(visibleTo: filter.viewer)
        if let user = filter.user { select.require("user_id = \(select.bind(user.uuid))") }
        if let booking = filter.booking { select.require("booking_id = \(select.bind(booking.uuid))") }
        if let unit = filter.unit { select.require("unit_id = \(select.bind(unit.uuid))") }
        if let status = filter.status { select.require("status = \(select.bind(status.rawValue))") }
        if let cursor {
            let (time, id) = try cursor.instantAndID()
            select.require("(created_at, id) < (\(select.bind(PostgresTimestamp(time))), \(select.bind(id)))")
        }
        return select.page(orderBy: "created_at desc, id desc", limit: limit)
    }
}

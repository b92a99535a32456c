package import Domain
package import EventStore
import Postgres

/// A booking.
package struct BookingRecord: Sendable, Equatable {
    package let id: ReservaID
    package let user: UsuarioID
    package let space: EspacoID
    package let unit: UnidadeID
    package let schedule: HorarioDaReserva
    package let status: BookingStatus
    package let quote: Cotacao
    package let rulesVersion: VersaoDeRegra
    package let notes: String?
    /// The member, or the operator who booked for them.
    package let createdBy: UsuarioID
    package let createdAt: Instante
    /// When the hold runs out; nil for a booking that has none any more.
    package let expiresAt: Instante?
    package let confirmedAt: Instante?
    package let completedAt: Instante?
    package let cancelledAt: Instante?
    package let cancellation: CancellationRecord?
    package let series: SerieID?
    package let waitlistEntry: EsperaID?
    /// Until when a gestor has to approve it; nil where nobody has to.
    package let approvalUntil: Instante?
    /// The difference of a move that is to be paid.
    package let dueCents: Int64?
    package let agreedPayment: PagamentoCombinado?
    /// Why an operator set rules aside.
    package let overrideReason: String?
    /// For whom without an account it was made.
    package let visitorName: String?
    package let visitorEmail: String?
    /// When nobody had come.
    package let missedAt: Instante?
    /// Of the last event that changed the booking.
    package let position: Position

    static let columns = ReservasModel.bookings.columns.map(\.name).joined(separator: ", ")

    init(row: PostgresRow) throws {
        id = try row.id("id")
        user = try row.id("user_id")
        space = try row.id("space_id")
        unit = try row.id("unit_id")
        schedule = HorarioDaReserva(
            intervalo: try row.interval("starts_at", "ends_at"),
            ocupacao: try row.interval("occupied_from", "occupied_to"),
            fuso: try row.get("time_zone"),
            inicioLocal: try row.parsed("local_start") { DataHoraLocal($0) },
            fimLocal: try row.parsed("local_end") { DataHoraLocal($0) },
            lugares: Int(try row.get("seats", Int32.self))
        )
        status = try row.parsed("status") { BookingStatus(rawValue: $0) }
        quote = try row.json("quote")
        rulesVersion = VersaoDeRegra(Int(try row.get("rules_version", Int32.self)))
        notes = try row.get("notes")
        createdBy = try row.id("created_by")
        createdAt = try row.instant("created_at")
        expiresAt = try row.instant("expires_at")
        confirmedAt = try row.instant("confirmed_at")
        completedAt = try row.instant("completed_at")
        cancelledAt = try row.instant("cancelled_at")
        cancellation = try CancellationRecord(row: row)
        series = try row.id("series_id")
        waitlistEntry = try row.id("waitlist_id")
        approvalUntil = try row.instant("approval_until")
        dueCents = try row.get("due_cents")
        agreedPayment = try row.parsed("agreed_payment") { PagamentoCombinado(rawValue: $0) }
        overrideReason = try row.get("override_reason")
        visitorName = try row.get("visitor_name")
        visitorEmail = try row.get("visitor_email")
        missedAt = try row.instant("missed_at")
        position = Position(try row.get("position", Int64.self))
    }
}

/// How a booking was given up.
package struct CancellationRecord: Sendable, Equatable {
    package let by: UsuarioID
    package let reason: MotivoDoCancelamento
    package let note: String?
    package let refund: Reembolso

    init?(row: PostgresRow) throws {
        guard let by: UsuarioID = try row.id("cancelled_by") else { return nil }
        self.by = by
        reason = try row.parsed("cancel_reason") { MotivoDoCancelamento(rawValue: $0) }
        note = try row.get("cancel_note")
        refund = try row.json("refund")
    }
}

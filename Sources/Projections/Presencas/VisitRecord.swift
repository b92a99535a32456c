package import Domain
import Postgres

/// A booking and whether somebody came to it.
package struct VisitRecord: Sendable, Equatable {
    package let booking: ReservaID
    package let user: UsuarioID
    /// Empty where the account is not known.
    package let userName: String
    package let space: EspacoID
    package let spaceName: String
    package let interval: Intervalo
    /// IANA name of the zone of the booking's unit.
    package let timeZone: String
    package let seats: Int
    package let status: BookingStatus
    package let checkedInAt: Instante?
    package let checkedInBy: MeioDePresenca?
    /// When they are taken to have left.
    package let closesAt: Instante?
    package let checkedOutAt: Instante?
    package let checkedOutBy: MeioDePresenca?
    package let overtimeMinutes: Int?
    package let overtimeCents: Int64?

    package var isIn: Bool { checkedInAt != nil && checkedOutAt == nil }

    static func select(schema: String) -> String {
        """
        select b.id, b.user_id, coalesce(u.name, '') as user_name, b.space_id, coalesce(s.name, '') as space_name, b.starts_at,
               b.ends_at, b.time_zone, b.seats, b.status, v.checked_in_at, v.checked_in_by, v.closes_at, v.checked_out_at,
               v.checked_out_by, v.overtime_minutes, v.overtime_cents
          from \(schema).reservas_bookings b
          left join \(schema).presencas_visits v on v.booking_id = b.id
          left join \(schema).contas_users u on u.id = b.user_id
          left join \(schema).catalogo_spaces s on s.id = b.space_id
        """
    }

    init(row: PostgresRow) throws {
        booking = try row.id("id")
        user = try row.id("user_id")
        userName = try row.get("user_name")
        space = try row.id("space_id")
        spaceName = try row.get("space_name")
        interval = try row.interval("starts_at", "ends_at")
        timeZone = try row.get("time_zone")
        seats = Int(try row.get("seats", Int32.self))
        status = try row.parsed("status") { BookingStatus(rawValue: $0) }
        checkedInAt = try row.instant("checked_in_at")
        checkedInBy = try row.parsed("checked_in_by") { MeioDePresenca(rawValue: $0) }
        closesAt = try row.instant("closes_at")
        checkedOutAt = try row.instant("checked_out_at")
        checkedOutBy = try row.parsed("checked_out_by") { MeioDePresenca(rawValue: $0) }
        overtimeMinutes = try row.get("overtime_minutes", Int32?.self).map { Int($0) }
        overtimeCents = try row.get("overtime_cents")
    }
}

/// A display at a door.
package struct DisplayRecord: Sendable, Equatable {
    package let id: CodigoID
    package let space: EspacoID
    package let createdBy: UsuarioID
    package let createdAt: Instante
    package let expiresAt: Instante
    package let revokedAt: Instante?

    init(row: PostgresRow) throws {
        id = try row.id("id")
        space = try row.id("space_id")
        createdBy = try row.id("created_by")
        createdAt = try row.instant("created_at")
        expiresAt = try row.instant("expires_at")
        revokedAt = try row.instant("revoked_at")
    }
}

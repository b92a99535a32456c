import Domain
import EventStore
import Postgres

/// Who waits for which span.
extension ReservasModel {
    /// A place in a line, a row each. `line` is the position in the log at which somebody joined: the order of the line.
    static let waitlist = Table(
        "reservas_waitlist",
        columns: [
            Column("id", .uuid), Column("user_id", .uuid), Column("space_id", .uuid), Column("unit_id", .uuid), Column("day", .date),
            Column("time_zone", .text), Column("starts_at", .timestamp), Column("ends_at", .timestamp), Column("seats", .integer),
            Column("status", .text), Column("line", .bigint), Column("joined_at", .timestamp),
            Column("booking_id", .uuid, nullable: true), Column("offered_at", .timestamp, nullable: true),
            Column("offer_expires_at", .timestamp, nullable: true), Column("closed_at", .timestamp, nullable: true),
            Column("close_reason", .text, nullable: true), Column("position", .bigint),
        ],
        key: ["id"],
        indexes: ["(user_id, line)", "(space_id, line)", "(space_id, day, line)", "(line)", "(status, line)"]
    )

    func applyWaitlist(_ change: EventoDeReservas, at position: Position, to changes: inout Changes) throws {
        switch change {
        case .esperaInscrita(let joined): try changes.upsert(Self.waitlist, Self.row(of: joined, position))
        case .esperaOferecida(let offered):
            let values: [String: PostgresValue] = [
                "status": .text(WaitlistStatus.offered.rawValue), "booking_id": .id(offered.reserva), "offered_at": .instant(offered.em),
                "offer_expires_at": .instant(offered.expiraEm),
            ]
            try set(offered.inscricao, values, at: position, in: &changes)
        case .esperaAtendida(let done): try close(done.inscricao, .booked, done.em, nil, at: position, in: &changes)
        case .esperaVencida(let over):
            try close(over.inscricao, .expired, over.em, over.motivo.rawValue, at: position, in: &changes)
        case .esperaRetirada(let left): try close(left.inscricao, .withdrawn, left.em, nil, at: position, in: &changes)
        case .reservaSolicitada, .reservaConfirmada, .reservaExpirada, .reservaRemarcada, .reservaCancelada, .reservaConcluida,
            .reservaRetomada, .reservaNaoComparecida, .reservaAprovada, .convidadosDefinidos, .horarioOcupado, .horarioLiberado,
            .serieCriada, .serieAlterada, .serieEncerrada:
            break
        }
    }

    private static func row(of joined: EsperaInscrita, _ position: Position) -> [String: PostgresValue] {
        [
            "id": .id(joined.inscricao), "user_id": .id(joined.usuario), "space_id": .id(joined.espaco), "unit_id": .id(joined.unidade),
            "day": .day(joined.dia), "time_zone": .text(joined.fuso), "starts_at": .instant(joined.intervalo.inicio),
            "ends_at": .instant(joined.intervalo.fim), "seats": .int4(Int32(clamping: joined.lugares)),
            "status": .text(WaitlistStatus.waiting.rawValue), "line": .int8(position.rawValue), "joined_at": .instant(joined.em),
            "booking_id": .null(.uuid), "offered_at": .null(.timestamptz), "offer_expires_at": .null(.timestamptz),
            "closed_at": .null(.timestamptz), "close_reason": .null(.text), "position": .int8(position.rawValue),
        ]
    }

    private func close(
        _ entry: EsperaID,
        _ status: WaitlistStatus,
        _ time: Instante,
        _ reason: String?,
        at position: Position,
        in changes: inout Changes
    ) throws {
        let values: [String: PostgresValue] = [
            "status": .text(status.rawValue), "closed_at": .instant(time), "close_reason": .text(reason),
        ]
        try set(entry, values, at: position, in: &changes)
    }

    private func set(
        _ entry: EsperaID,
        _ values: [String: PostgresValue],
        at position: Position,
        in changes: inout Changes
    ) throws {
        var values = values
        values["position"] = .int8(position.rawValue)
        try changes.update(Self.waitlist, key: ["id": .id(entry)], set: values)
    }
}

/// Where a place in a line stands, in the words of the API.
package enum WaitlistStatus: String, Sendable, CaseIterable {
    case waiting
    /// The span is held for them.
    case offered
    case booked
    case expired
    case withdrawn
}

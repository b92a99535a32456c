import Domain
import EventStore
import Postgres

/// Bookings as calendars show them, and that something became of one.
extension NotificacoesModel {
    func apply(_ change: EventoDeReservas, of event: ProjectedEvent, to changes: inout Changes) throws {
        switch change {
        case .reservaSolicitada(let change):
            try changes.upsert(
                Self.calendar,
                [
                    "id": .id(change.reserva), "user_id": .id(change.usuario), "space_id": .id(change.espaco),
                    "unit_id": .id(change.unidade), "starts_at": .instant(change.horario.intervalo.inicio),
                    "ends_at": .instant(change.horario.intervalo.fim), "time_zone": .text(change.horario.fuso),
                    "status": .status(.initial(of: change)), "sequence": Self.sequence(event), "changed_at": Self.time(event),
                ]
            )
            let type = change.aprovacaoAte == nil ? "reservation.requested" : "reservation.approval_requested"
            try note(type, of: change.reserva, event, in: &changes)
        case .reservaAprovada(let change): try note("reservation.approved", of: change.reserva, event, in: &changes)
        case .reservaConfirmada(let change): try move(change.reserva, to: .active, "reservation.confirmed", event, in: &changes)
        case .reservaExpirada(let change): try move(change.reserva, to: .expired, "reservation.expired", event, in: &changes)
        case .reservaCancelada(let change):
            let type = change.motivo == .naoAprovada ? "reservation.rejected" : "reservation.cancelled"
            try move(change.reserva, to: .cancelled, type, event, in: &changes)
        case .reservaConcluida(let change): try move(change.reserva, to: .completed, "reservation.completed", event, in: &changes)
        case .reservaRemarcada(let change):
            let schedule = change.para
            try update(
                change.reserva,
                set: [
                    "starts_at": .instant(schedule.intervalo.inicio), "ends_at": .instant(schedule.intervalo.fim),
                    "time_zone": .text(schedule.fuso),
                ],
                event,
                in: &changes
            )
            try note("reservation.moved", of: change.reserva, event, in: &changes)
        case .reservaNaoComparecida(let change): try move(change.reserva, to: .noShow, "reservation.no_show", event, in: &changes)
        case .esperaInscrita, .esperaOferecida, .esperaAtendida, .esperaVencida, .esperaRetirada:
            try applyWaitlist(change, of: event, to: &changes)
        case .horarioOcupado, .horarioLiberado, .reservaRetomada, .convidadosDefinidos, .serieCriada, .serieAlterada, .serieEncerrada:
            break
        }
    }

    private func move(
        _ booking: ReservaID,
        to status: BookingStatus,
        _ type: String,
        _ event: ProjectedEvent,
        in changes: inout Changes
    ) throws {
        try update(booking, set: ["status": .status(status)], event, in: &changes)
        try note(type, of: booking, event, in: &changes)
    }

    private func update(
        _ booking: ReservaID,
        set values: [String: PostgresValue],
        _ event: ProjectedEvent,
        in changes: inout Changes
    ) throws {
        let values = values.merging(["sequence": Self.sequence(event), "changed_at": Self.time(event)]) { $1 }
        try changes.update(Self.calendar, key: ["id": .id(booking)], set: values)
    }

    private static func sequence(_ event: ProjectedEvent) -> PostgresValue { .int4(event.recorded.version.rawValue) }

    static func time(_ event: ProjectedEvent) -> PostgresValue {
        .timestamp(PostgresTimestamp(microsecondsSinceEpoch: event.recorded.recordedAt))
    }
}

import Domain
import Postgres

/// When spaces are taken: what the agenda streams hold, a row a booking and UTC day as there, so that a day is found
/// without looking at others and a booking over midnight on each of its days.
package struct AgendaModel: ReadModel {
    package init() {}

    package let name = "agenda"
    package let revision = 2

    package let tables = [occupied, bookings]

    /// The whole interval with buffers on each of its days.
    static let occupied = Table(
        "agenda_occupied",
        columns: [
            Column("space_id", .uuid), Column("day", .date), Column("booking_id", .uuid), Column("starts_at", .timestamp),
            Column("ends_at", .timestamp), Column("seats", .integer),
        ],
        key: ["space_id", "day", "booking_id"]
    )

    /// The interval that was booked, which the agenda streams do not know.
    static let bookings = Table(
        "agenda_bookings",
        columns: [Column("id", .uuid), Column("starts_at", .timestamp), Column("ends_at", .timestamp)],
        key: ["id"]
    )

    package let eventTypes: Set<String> = [
        HorarioOcupado.tipo, HorarioLiberado.tipo, ReservaSolicitada.tipo, ReservaRemarcada.tipo, ReservaCancelada.tipo,
        ReservaExpirada.tipo, ReservaRetomada.tipo, ReservaNaoComparecida.tipo,
    ]

    package func apply(_ event: ProjectedEvent, to changes: inout Changes) throws {
        guard case .reservas(let event) = event.event else { return }
        switch event {
        case .horarioOcupado(let event):
            try changes.upsert(
                Self.occupied,
                [
                    "space_id": .id(event.espaco), "day": .day(event.dia), "booking_id": .id(event.reserva),
                    "starts_at": .instant(event.intervalo.inicio), "ends_at": .instant(event.intervalo.fim),
                    "seats": .int4(Int32(clamping: event.lugares)),
                ]
            )
        case .horarioLiberado(let event):
            try changes.delete(
                Self.occupied,
                key: ["space_id": .id(event.espaco), "day": .day(event.dia), "booking_id": .id(event.reserva)]
            )
        case .reservaSolicitada(let event):
            try booked(event.reserva, event.horario.intervalo, in: &changes)
        case .reservaRetomada(let event):
            try booked(event.reserva, event.horario.intervalo, in: &changes)
        case .reservaRemarcada(let event):
            try booked(event.reserva, event.para.intervalo, in: &changes)
        case .reservaCancelada(let event):
            try changes.delete(Self.bookings, key: ["id": .id(event.reserva)])
        case .reservaExpirada(let event):
            try changes.delete(Self.bookings, key: ["id": .id(event.reserva)])
        case .reservaNaoComparecida(let event):
            try changes.delete(Self.bookings, key: ["id": .id(event.reserva)])
        case .reservaConfirmada, .reservaConcluida, .reservaAprovada, .convidadosDefinidos, .serieCriada, .serieAlterada,
            .serieEncerrada, .esperaInscrita, .esperaOferecida, .esperaAtendida, .esperaVencida, .esperaRetirada:
            break
        }
    }

    private func booked(_ booking: ReservaID, _ interval: Intervalo, in changes: inout Changes) throws {
        try changes.upsert(
            Self.bookings,
            ["id": .id(booking), "starts_at": .instant(interval.inicio), "ends_at": .instant(interval.fim)]
        )
    }
}

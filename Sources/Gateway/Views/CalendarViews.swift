import Domain
import Projections

/// From and to, with the unit's offset.
struct TimeView: Encodable, Sendable {
    let startTime: String
    let endTime: String

    init(_ interval: Intervalo, zone: ZonaHoraria) {
        startTime = interval.inicio.texto(em: zone)
        endTime = interval.fim.texto(em: zone)
    }
}

/// A stretch in which seats are taken, buffers included.
struct BusyView: Encodable, Sendable {
    let startTime: String
    let endTime: String
    let seats: Int

    init(_ interval: Intervalo, seats: Int, zone: ZonaHoraria) {
        startTime = interval.inicio.texto(em: zone)
        endTime = interval.fim.texto(em: zone)
        self.seats = seats
    }
}

/// One local date of one space, with the slots that can be booked now.
struct AvailabilityView: Encodable, Sendable {
    struct Slot: Encodable, Sendable {
        let startTime: String
        let endTime: String
        let freeSeats: Int
    }

    let spaceId: String
    let date: String
    let timezone: String
    /// Whether there is a slot.
    let available: Bool
    let open: [TimeView]
    let slots: [Slot]
    let busy: [BusyView]

    init(of space: SpaceRecord, _ day: DisponibilidadeDoDia, zone: ZonaHoraria) {
        spaceId = space.data.espaco.texto
        date = day.data.texto
        timezone = space.timeZone
        available = !day.vagas.isEmpty
        open = day.aberturas.map { TimeView($0, zone: zone) }
        slots = day.vagas.map { slot in
            Slot(
                startTime: slot.intervalo.inicio.texto(em: zone),
                endTime: slot.intervalo.fim.texto(em: zone),
                freeSeats: slot.livres
            )
        }
        busy = day.ocupados.map { BusyView($0.intervalo, seats: $0.lugares, zone: zone) }
    }

    /// A space that takes no bookings any more.
    init(of space: SpaceRecord, closedOn date: DataCivil) {
        spaceId = space.data.espaco.texto
        self.date = date.texto
        timezone = space.timeZone
        available = false
        open = []
        slots = []
        busy = []
    }
}

/// Consecutive local dates of one space.
struct CalendarView: Encodable, Sendable {
    struct Day: Encodable, Sendable {
        let date: String
        let open: [TimeView]
        let busy: [BusyView]
    }

    let spaceId: String
    let unitId: String
    let name: String
    let type: String
    let seats: Int
    let timezone: String
    let days: [Day]

    init(of space: SpaceRecord, on dates: [DataCivil], taken: [Agendas.Trecho], zone: ZonaHoraria) {
        spaceId = space.data.espaco.texto
        unitId = space.data.unidade.texto
        name = space.data.ficha.nome
        type = space.data.ficha.tipo.rawValue
        seats = space.data.ficha.lugares
        timezone = space.timeZone
        days = dates.map { date in
            let whole = zone.dia(date)
            return Day(
                date: date.texto,
                open: space.data.aberturas(de: date, ate: date, zona: zone).map { TimeView($0, zone: zone) },
                busy: taken.compactMap { stretch in
                    whole.flatMap(stretch.intervalo.intersecao).map { BusyView($0, seats: stretch.lugares, zone: zone) }
                }
            )
        }
    }
}

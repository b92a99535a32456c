import Domain
import EventStore
import Postgres

/// What there is to count: bookings with the local dates and hours that they fall on, accounts, and the history of the catalogue.
///
/// Figures are not counted here but in the queries. An event that takes a booking back names the booking only, so what it counted
/// could not be subtracted without reading; a row a booking needs no reading, and a figure that is thought of later can still be
/// had.
///
/// Where a booking falls on the wall clock is in its events (`HorarioDaReserva.trechosLocais`): local times, and how the clocks are set
/// meanwhile. Zone rules are not asked again, because they change with the system's tzdata, and a replay next year must give
/// the rows of today.
package struct AnalyticsModel: ReadModel {
    package init() {}

    package let name = "analytics"
    package let revision = 2

    package let tables = [bookings, stretches, open, accounts, catalogue, closings]

    /// A row a booking, with the first of its local stretches, which most have alone: `from_second` and `to_second` are on the
    /// clock's face, since midnight of `day`. The status is in no index, so that a change of it touches none.
    static let bookings = Table(
        "analytics_bookings",
        columns: [
            Column("id", .uuid), Column("user_id", .uuid), Column("space_id", .uuid), Column("unit_id", .uuid), Column("status", .text),
            Column("seats", .integer), Column("price_cents", .bigint), Column("requested_at", .timestamp),
            Column("starts_at", .timestamp), Column("ends_at", .timestamp), Column("day", .date), Column("from_second", .integer),
            Column("to_second", .integer), Column("refund_cents", .bigint), Column("attended", .boolean),
        ],
        key: ["id"],
        indexes: ["(day, space_id)", "(space_id, day)", "(user_id, day)"]
    )

    /// The further local stretches of bookings that go over midnight or see the clocks set; numbered from 1.
    static let stretches = Table(
        "analytics_stretches",
        columns: [
            Column("booking_id", .uuid), Column("number", .integer), Column("day", .date), Column("from_second", .integer),
            Column("to_second", .integer),
        ],
        key: ["booking_id", "number"],
        indexes: ["(day)"]
    )

    /// Bookings that are not over, pending or active.
    static let open = Table(
        "analytics_open",
        columns: [Column("booking_id", .uuid), Column("space_id", .uuid), Column("unit_id", .uuid), Column("status", .text)],
        key: ["booking_id"]
    )

    static let accounts = Table(
        "analytics_accounts",
        columns: [Column("id", .uuid), Column("registered_at", .timestamp)],
        key: ["id"],
        indexes: ["(registered_at)"]
    )

    /// The events of units and spaces themselves: when a space was open on a day that is past is for the domain to say, from
    /// what was defined by then. `subject` is the unit or space.
    static let catalogue = Table(
        "analytics_catalogue",
        columns: [
            Column("position", .bigint), Column("at", .timestamp), Column("subject", .uuid), Column("type", .text),
            Column("schema_version", .integer), Column("payload", .jsonb),
        ],
        key: ["position"]
    )

    /// What was recorded when a unit's local day closed, in its latest revision.
    static let closings = Table(
        "analytics_closings",
        columns: [
            Column("unit_id", .uuid), Column("day", .date), Column("revision", .integer), Column("time_zone", .text),
            Column("spaces", .jsonb), Column("closed_at", .timestamp),
        ],
        key: ["unit_id", "day"]
    )

    package let eventTypes: Set<String> = [
        UsuarioCadastrado.tipo, UsuarioApagado.tipo, UnidadeCriada.tipo, UnidadeAtualizada.tipo, EspacoCriado.tipo, EspacoAtualizado.tipo,
        HorarioDefinido.tipo, FechamentoDefinido.tipo, FechamentoRemovido.tipo, EspacoDesativado.tipo, EspacoReativado.tipo,
        ReservaSolicitada.tipo, ReservaConfirmada.tipo, ReservaExpirada.tipo, ReservaRemarcada.tipo, ReservaCancelada.tipo,
        ReservaConcluida.tipo, ReservaRetomada.tipo, ReservaNaoComparecida.tipo, CheckinRealizado.tipo, OcupacaoDiariaApurada.tipo,
    ]

    package func apply(_ event: ProjectedEvent, to changes: inout Changes) throws {
        switch event.event {
        case .reservas(let change): try apply(change, to: &changes)
        case .espacos(let change): try apply(change, of: event, to: &changes)
        case .usuarios(let change): try apply(change, to: &changes)
        case .checkin(.checkinRealizado(let change)):
            try changes.update(Self.bookings, key: ["id": .id(change.reserva)], set: ["attended": .bool(true)])
        case .analytics(.ocupacaoDiariaApurada(let change)): try closed(change, in: &changes)
        case .precos, .pagamentos, .checkin, .notificacoes, .financeiro: break
        }
    }

    private func apply(_ event: EventoDeReservas, to changes: inout Changes) throws {
        switch event {
        case .reservaSolicitada(let event): try requested(event, in: &changes)
        case .reservaConfirmada(let event):
            try changes.update(Self.bookings, key: ["id": .id(event.reserva)], set: ["status": .status(.active)])
            try changes.update(Self.open, key: ["booking_id": .id(event.reserva)], set: ["status": .status(.active)])
        case .reservaExpirada(let event): try close(event.reserva, .expired, in: &changes)
        case .reservaCancelada(let event): try close(event.reserva, .cancelled, in: &changes)
        case .reservaConcluida(let event): try close(event.reserva, .completed, in: &changes)
        case .reservaNaoComparecida(let event):
            try close(event.reserva, .noShow, in: &changes)
            let refund = PostgresValue.int8(event.reembolso.valor.centavos)
            try changes.update(Self.bookings, key: ["id": .id(event.reserva)], set: ["refund_cents": refund])
        case .reservaRemarcada(let event): try moved(event, in: &changes)
        case .reservaRetomada(let event): try takenUp(event, in: &changes)
        case .horarioOcupado, .horarioLiberado, .reservaAprovada, .convidadosDefinidos, .serieCriada, .serieAlterada, .serieEncerrada,
            .esperaInscrita, .esperaOferecida, .esperaAtendida, .esperaVencida, .esperaRetirada:
            break
        }
    }

    private func requested(_ event: ReservaSolicitada, in changes: inout Changes) throws {
        let status = BookingStatus.initial(of: event)
        let stretches = event.horario.trechosLocais
        var row = Self.columns(of: event.horario, stretches, price: event.cotacao.total)
        row["id"] = .id(event.reserva)
        row["user_id"] = .id(event.usuario)
        row["space_id"] = .id(event.espaco)
        row["unit_id"] = .id(event.unidade)
        row["status"] = .status(status)
        row["requested_at"] = .instant(event.em)
        row["refund_cents"] = .int8(0)
        row["attended"] = .bool(false)
        try changes.upsert(Self.bookings, row)
        try changes.upsert(
            Self.open,
            [
                "booking_id": .id(event.reserva), "space_id": .id(event.espaco), "unit_id": .id(event.unidade),
                "status": .status(status),
            ]
        )
        try upsertFurther(stretches, of: event.reserva, in: &changes)
    }

    private func moved(_ event: ReservaRemarcada, in changes: inout Changes) throws {
        let stretches = event.para.trechosLocais
        try changes.update(
            Self.bookings,
            key: ["id": .id(event.reserva)],
            set: Self.columns(of: event.para, stretches, price: event.cotacao.total)
        )
        if event.pagarAte != nil {
            try changes.update(Self.bookings, key: ["id": .id(event.reserva)], set: ["status": .status(.pending)])
            try changes.update(Self.open, key: ["booking_id": .id(event.reserva)], set: ["status": .status(.pending)])
        }
        let old = event.de.trechosLocais.count
        for number in stretches.count..<max(old, stretches.count) {
            try changes.delete(Self.stretches, key: ["booking_id": .id(event.reserva), "number": .int4(Int32(clamping: number))])
        }
        try upsertFurther(stretches, of: event.reserva, in: &changes)
    }

    private func closed(_ event: OcupacaoDiariaApurada, in changes: inout Changes) throws {
        try changes.upsert(
            Self.closings,
            [
                "unit_id": .id(event.unidade), "day": .day(event.dia), "revision": .int4(Int32(clamping: event.revisao)),
                "time_zone": .text(event.fuso), "spaces": try .json(encoding: event.espacos), "closed_at": .instant(event.em),
            ]
        )
    }

    private func close(_ booking: ReservaID, _ status: BookingStatus, in changes: inout Changes) throws {
        try changes.update(Self.bookings, key: ["id": .id(booking)], set: ["status": .status(status)])
        try changes.delete(Self.open, key: ["booking_id": .id(booking)])
    }

    private func takenUp(_ event: ReservaRetomada, in changes: inout Changes) throws {
        try changes.update(Self.bookings, key: ["id": .id(event.reserva)], set: ["status": .status(.pending)])
        try changes.upsert(
            Self.open,
            [
                "booking_id": .id(event.reserva), "space_id": .id(event.espaco), "unit_id": .id(event.unidade),
                "status": .status(.pending),
            ]
        )
    }

    private func upsertFurther(_ stretches: [TrechoLocal], of booking: ReservaID, in changes: inout Changes) throws {
        for (number, stretch) in stretches.enumerated().dropFirst() {
            var row = Self.columns(of: stretch)
            row["booking_id"] = .id(booking)
            row["number"] = .int4(Int32(clamping: number))
            try changes.upsert(Self.stretches, row)
        }
    }

    private static func columns(
        of schedule: HorarioDaReserva,
        _ stretches: [TrechoLocal],
        price: Dinheiro
    ) -> [String: PostgresValue] {
        // An interval is never empty, and so has a stretch.
        var row = stretches.first.map(columns(of:)) ?? [:]
        row["seats"] = .int4(Int32(clamping: schedule.lugares))
        row["price_cents"] = .int8(price.centavos)
        row["starts_at"] = .instant(schedule.intervalo.inicio)
        row["ends_at"] = .instant(schedule.intervalo.fim)
        return row
    }

    private static func columns(of stretch: TrechoLocal) -> [String: PostgresValue] {
        [
            "day": .day(stretch.dia), "from_second": .int4(Int32(clamping: stretch.de.microssegundos / 1_000_000)),
            "to_second": .int4(Int32(clamping: stretch.ate.microssegundos / 1_000_000)),
        ]
    }

    private func apply(_ change: EventoDeEspacos, of event: ProjectedEvent, to changes: inout Changes) throws {
        guard let (subject, time) = change.subject else { return }
        try changes.upsert(
            Self.catalogue,
            [
                "position": .int8(event.position.rawValue), "at": .instant(time), "subject": subject,
                "type": .text(event.recorded.type), "schema_version": .int4(Int32(event.recorded.schemaVersion)),
                "payload": .json(PostgresJSON(utf8: event.recorded.payload)),
            ]
        )
    }

    private func apply(_ event: EventoDeUsuarios, to changes: inout Changes) throws {
        switch event {
        case .usuarioCadastrado(let event):
            try changes.upsert(Self.accounts, ["id": .id(event.usuario), "registered_at": .instant(event.em)])
        case .usuarioApagado(let event):
            try changes.delete(Self.accounts, key: ["id": .id(event.usuario)])
        case .emailReservado, .emailLiberado, .perfilAtualizado, .senhaAlterada, .papelAlterado, .usuarioBloqueado, .usuarioDesbloqueado,
            .loginRealizado,
            .sessaoRevogada:
            break
        }
    }
}

extension EventoDeEspacos {
    /// The unit or space that the event is about, and when it happened; nil for what says nothing about opening.
    fileprivate var subject: (PostgresValue, Instante)? {
        switch self {
        case .unidadeCriada(let event): (.id(event.unidade), event.em)
        case .unidadeAtualizada(let event): (.id(event.unidade), event.em)
        case .espacoCriado(let event): (.id(event.espaco), event.em)
        case .espacoAtualizado(let event): (.id(event.espaco), event.em)
        case .horarioDefinido(let event): (.id(event.espaco), event.em)
        case .fechamentoDefinido(let event): (.id(event.espaco), event.em)
        case .fechamentoRemovido(let event): (.id(event.espaco), event.em)
        case .espacoDesativado(let event): (.id(event.espaco), event.em)
        case .espacoReativado(let event): (.id(event.espaco), event.em)
        case .regrasDeReservaDefinidas: nil
        }
    }
}

package import Domain
import EventStore
import Postgres

/// Bookings, a row each, from the hold to the end.
package struct ReservasModel: ReadModel {
    package init() {}

    package let name = "reservas"
    package let revision = 3

    package let tables = [bookings, series, waitlist, guests]

    /// Quote and refund are the domain's own JSON.
    static let bookings = Table(
        "reservas_bookings",
        columns: [
            Column("id", .uuid), Column("user_id", .uuid), Column("space_id", .uuid), Column("unit_id", .uuid),
            Column("starts_at", .timestamp), Column("ends_at", .timestamp), Column("occupied_from", .timestamp),
            Column("occupied_to", .timestamp), Column("time_zone", .text), Column("local_start", .text),
            Column("local_end", .text), Column("seats", .integer), Column("status", .text), Column("price_cents", .bigint),
            Column("quote", .jsonb), Column("rules_version", .integer), Column("notes", .text, nullable: true),
            Column("created_by", .uuid), Column("created_at", .timestamp), Column("expires_at", .timestamp, nullable: true),
            Column("confirmed_at", .timestamp, nullable: true), Column("completed_at", .timestamp, nullable: true),
            Column("cancelled_at", .timestamp, nullable: true), Column("cancelled_by", .uuid, nullable: true),
            Column("cancel_reason", .text, nullable: true), Column("cancel_note", .text, nullable: true),
            Column("refund_cents", .bigint, nullable: true), Column("refund", .jsonb, nullable: true),
            Column("missed_at", .timestamp, nullable: true),
            Column("position", .bigint), Column("series_id", .uuid, nullable: true), Column("waitlist_id", .uuid, nullable: true),
            Column("approval_until", .timestamp, nullable: true), Column("due_cents", .bigint, nullable: true),
            Column("agreed_payment", .text, nullable: true), Column("override_reason", .text, nullable: true),
            Column("visitor_name", .text, nullable: true), Column("visitor_email", .text, nullable: true),
        ],
        key: ["id"],
        indexes: [
            "(created_at, id)", "(user_id, created_at, id)", "(space_id, created_at, id)", "(unit_id, created_at, id)",
            "(status, created_at, id)", "(starts_at, ends_at)", "(space_id, starts_at, ends_at)", "(series_id, starts_at, id)",
        ]
    )

    package let eventTypes: Set<String> = [
        ReservaSolicitada.tipo, ReservaConfirmada.tipo, ReservaExpirada.tipo, ReservaRemarcada.tipo, ReservaCancelada.tipo,
        ReservaConcluida.tipo, ReservaRetomada.tipo, ReservaNaoComparecida.tipo, ReservaAprovada.tipo, ConvidadosDefinidos.tipo,
        SerieCriada.tipo, SerieAlterada.tipo,
        SerieEncerrada.tipo, EsperaInscrita.tipo, EsperaOferecida.tipo, EsperaAtendida.tipo, EsperaVencida.tipo, EsperaRetirada.tipo,
        UsuarioApagado.tipo,
    ]

    package func sealedTexts(in event: EventoDoDominio) -> [SealedText] {
        switch event {
        case .reservas(.reservaSolicitada(let event)):
            (event.notas.map { [SealedText($0, field: "notas")] } ?? []) + Self.sealedTexts(in: event.origem)
        case .reservas(.convidadosDefinidos(let event)): event.convidados.flatMap(Self.sealedTexts)
        case .reservas(.reservaCancelada(let event)): event.justificativa.map { [SealedText($0, field: "justificativa")] } ?? []
        default: []
        }
    }

    package func apply(_ event: ProjectedEvent, to changes: inout Changes) throws {
        switch event.event {
        case .reservas(let change): try apply(change, of: event, to: &changes)
        case .usuarios(.usuarioApagado(let change)): try scrub(change.usuario, in: &changes)
        case .usuarios, .espacos, .precos, .pagamentos, .checkin, .notificacoes, .analytics, .financeiro: break
        }
    }

    /// What somebody wrote about an erased person's bookings reads from here on as it does without their key.
    private func scrub(_ user: UsuarioID, in changes: inout Changes) throws {
        for column in ["notes", "cancel_note", "override_reason", "visitor_name", "visitor_email"] {
            try changes.sweep(
                Self.bookings,
                where: "user_id",
                is: .id(user),
                having: .present(column),
                set: [column: .text(Keyring.erasedText)]
            )
        }
        try scrubGuests(of: user, in: &changes)
    }

    private func apply(_ change: EventoDeReservas, of event: ProjectedEvent, to changes: inout Changes) throws {
        switch change {
        case .reservaSolicitada(let change):
            try changes.upsert(Self.bookings, try row(of: change, event))
        case .reservaConfirmada(let change):
            try update(
                change.reserva,
                set: [
                    "status": .status(.active), "confirmed_at": .instant(change.em), "expires_at": .null(.timestamptz),
                    "approval_until": .null(.timestamptz), "due_cents": .null(.int8),
                ],
                at: event.position,
                in: &changes
            )
        case .reservaExpirada(let change):
            try update(change.reserva, set: ["status": .status(.expired)], at: event.position, in: &changes)
        case .reservaRemarcada(let change):
            var columns = Self.columns(of: change.para).merging(try Self.columns(of: change.cotacao)) { $1 }
            columns["rules_version"] = .int4(Int32(clamping: change.regras.versao.numero))
            if let due = change.pagarAte {
                columns["status"] = .status(.pending)
                columns["expires_at"] = .instant(due)
            } else if let end = change.expiraEm {
                columns["expires_at"] = .instant(end)
            }
            if let end = change.aprovacaoAte { columns["approval_until"] = .instant(end) }
            columns["due_cents"] = change.aPagar.map { .int8($0.centavos) } ?? .null(.int8)
            try update(change.reserva, set: columns, at: event.position, in: &changes)
        case .reservaCancelada(let change):
            try update(
                change.reserva,
                set: [
                    "status": .status(.cancelled), "cancelled_at": .instant(change.em), "cancelled_by": .id(change.por),
                    "cancel_reason": .text(change.motivo.rawValue),
                    "cancel_note": .text(try change.justificativa.map(event.text(of:))),
                    "refund_cents": .int8(change.reembolso.valor.centavos), "refund": try .json(encoding: change.reembolso),
                ],
                at: event.position,
                in: &changes
            )
        case .reservaConcluida(let change):
            try update(
                change.reserva,
                set: ["status": .status(.completed), "completed_at": .instant(change.em)],
                at: event.position,
                in: &changes
            )
        case .reservaAprovada(let change):
            try update(
                change.reserva,
                set: ["approval_until": .null(.timestamptz), "expires_at": .instant(change.expiraEm)],
                at: event.position,
                in: &changes
            )
        case .convidadosDefinidos(let change): try apply(change, of: event, to: &changes)
        case .serieCriada, .serieAlterada, .serieEncerrada: try applySeries(change, at: event.position, to: &changes)
        case .esperaInscrita, .esperaOferecida, .esperaAtendida, .esperaVencida, .esperaRetirada:
            try applyWaitlist(change, at: event.position, to: &changes)
        case .reservaRetomada(let change):
            try update(change.reserva, set: ["status": .status(.pending)], at: event.position, in: &changes)
        case .reservaNaoComparecida(let change):
            try update(
                change.reserva,
                set: [
                    "status": .status(.noShow), "missed_at": .instant(change.em),
                    "refund_cents": .int8(change.reembolso.valor.centavos), "refund": try .json(encoding: change.reembolso),
                ],
                at: event.position,
                in: &changes
            )
        case .horarioOcupado, .horarioLiberado:
            break
        }
    }

    private func row(of change: ReservaSolicitada, _ event: ProjectedEvent) throws -> [String: PostgresValue] {
        let beginning: [String: PostgresValue] = [
            "id": .id(change.reserva), "user_id": .id(change.usuario), "space_id": .id(change.espaco),
            "unit_id": .id(change.unidade), "status": .status(.initial(of: change)),
            "rules_version": .int4(Int32(clamping: change.regras.versao.numero)),
            "notes": .text(try change.notas.map(event.text(of:))), "created_by": .id(change.criadaPor),
            "created_at": .instant(change.em), "expires_at": .instant(change.expiraEm), "confirmed_at": .null(.timestamptz),
            "completed_at": .null(.timestamptz), "cancelled_at": .null(.timestamptz), "cancelled_by": .null(.uuid),
            "cancel_reason": .null(.text), "cancel_note": .null(.text), "refund_cents": .null(.int8), "refund": .null(.jsonb),
            "missed_at": .null(.timestamptz),
            "position": .int8(event.position.rawValue),
        ]
        return try beginning.merging(Self.columns(of: change.horario)) { $1 }.merging(Self.columns(of: change.cotacao)) { $1 }
            .merging(Self.columns(ofOriginOf: change, event)) { $1 }
    }

    private static func columns(of schedule: HorarioDaReserva) -> [String: PostgresValue] {
        [
            "starts_at": .instant(schedule.intervalo.inicio), "ends_at": .instant(schedule.intervalo.fim),
            "occupied_from": .instant(schedule.ocupacao.inicio), "occupied_to": .instant(schedule.ocupacao.fim),
            "time_zone": .text(schedule.fuso), "local_start": .text(schedule.inicioLocal.texto),
            "local_end": .text(schedule.fimLocal.texto), "seats": .int4(Int32(clamping: schedule.lugares)),
        ]
    }

    private static func columns(of quote: Cotacao) throws -> [String: PostgresValue] {
        ["price_cents": .int8(quote.total.centavos), "quote": try .json(encoding: quote)]
    }

    func update(
        _ booking: ReservaID,
        set values: [String: PostgresValue],
        at position: Position,
        in changes: inout Changes
    ) throws {
        var values = values
        values["position"] = .int8(position.rawValue)
        try changes.update(Self.bookings, key: ["id": .id(booking)], set: values)
    }
}

import Domain
import EventStore
import Postgres

/// Who came to which booking, who left, who stayed away: a row a booking, from the first of these on. And the displays at doors.
package struct PresencasModel: ReadModel {
    package init() {}

    package let name = "presencas"
    package let revision = 1

    package let tables = [visits, displays]

    static let visits = Table(
        "presencas_visits",
        columns: [
            Column("booking_id", .uuid), Column("user_id", .uuid), Column("space_id", .uuid), Column("unit_id", .uuid),
            Column("checked_in_at", .timestamp, nullable: true), Column("checked_in_by", .text, nullable: true),
            Column("closes_at", .timestamp, nullable: true), Column("checked_out_at", .timestamp, nullable: true),
            Column("checked_out_by", .text, nullable: true), Column("freed_from", .timestamp, nullable: true),
            Column("missed_at", .timestamp, nullable: true), Column("overtime_minutes", .integer, nullable: true),
            Column("overtime_cents", .bigint, nullable: true), Column("position", .bigint),
        ],
        key: ["booking_id"],
        indexes: ["(unit_id) where checked_in_at is not null and checked_out_at is null"]
    )

    /// Displays at doors, those that were taken back included.
    static let displays = Table(
        "presencas_displays",
        columns: [
            Column("id", .uuid), Column("space_id", .uuid), Column("created_by", .uuid), Column("created_at", .timestamp),
            Column("expires_at", .timestamp), Column("revoked_at", .timestamp, nullable: true), Column("revoked_by", .uuid, nullable: true),
        ],
        key: ["id"],
        indexes: ["(space_id, created_at, id)"]
    )

    package let eventTypes: Set<String> = [
        CheckinRealizado.tipo, CheckoutRealizado.tipo, NaoComparecimentoRegistrado.tipo, ExcedenteApurado.tipo, PainelAutorizado.tipo,
        PainelRevogado.tipo,
    ]

    package func apply(_ event: ProjectedEvent, to changes: inout Changes) throws {
        guard case .checkin(let change) = event.event else { return }
        let position = PostgresValue.int8(event.position.rawValue)
        switch change {
        case .checkinRealizado(let change):
            var row = Self.row(change.reserva, change.usuario, change.espaco, change.unidade, position)
            row["checked_in_at"] = .instant(change.em)
            row["checked_in_by"] = .text(change.meio.rawValue)
            row["closes_at"] = .instant(change.encerraEm)
            try changes.upsert(Self.visits, row)
        case .checkoutRealizado(let change):
            let sets: [String: PostgresValue] = [
                "checked_out_at": .instant(change.em), "checked_out_by": .text(change.meio.rawValue),
                "freed_from": .instant(change.liberadoDesde), "position": position,
            ]
            try changes.update(Self.visits, key: ["booking_id": .id(change.reserva)], set: sets)
        case .naoComparecimentoRegistrado(let change):
            var row = Self.row(change.reserva, change.usuario, change.espaco, change.unidade, position)
            row["missed_at"] = .instant(change.em)
            try changes.upsert(Self.visits, row)
        case .excedenteApurado(let change):
            let sets: [String: PostgresValue] = [
                "overtime_minutes": .int4(Int32(clamping: change.passos * change.passo.valor)),
                "overtime_cents": .int8(change.valor.centavos), "position": position,
            ]
            try changes.update(Self.visits, key: ["booking_id": .id(change.reserva)], set: sets)
        case .painelAutorizado(let change):
            try changes.upsert(
                Self.displays,
                [
                    "id": .id(change.painel), "space_id": .id(change.espaco), "created_by": .id(change.por),
                    "created_at": .instant(change.em), "expires_at": .instant(change.venceEm), "revoked_at": .null(.timestamptz),
                    "revoked_by": .null(.uuid),
                ]
            )
        case .painelRevogado(let change):
            try changes.update(
                Self.displays,
                key: ["id": .id(change.painel)],
                set: ["revoked_at": .instant(change.em), "revoked_by": .id(change.por)]
            )
        }
    }

    private static func row(
        _ booking: ReservaID,
        _ user: UsuarioID,
        _ space: EspacoID,
        _ unit: UnidadeID,
        _ position: PostgresValue
    ) -> [String: PostgresValue] {
        [
            "booking_id": .id(booking), "user_id": .id(user), "space_id": .id(space), "unit_id": .id(unit),
            "checked_in_at": .null(.timestamptz), "checked_in_by": .null(.text), "closes_at": .null(.timestamptz),
            "checked_out_at": .null(.timestamptz), "checked_out_by": .null(.text), "freed_from": .null(.timestamptz),
            "missed_at": .null(.timestamptz), "overtime_minutes": .null(.int4), "overtime_cents": .null(.int8), "position": position,
        ]
    }
}

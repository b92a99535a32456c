import Domain
import EventStore
import Postgres

/// Series; what became of their occurrences is in the bookings.
extension ReservasModel {
    /// A series, a row each. What was left out at its making is the domain's own JSON.
    static let series = Table(
        "reservas_series",
        columns: [
            Column("id", .uuid), Column("user_id", .uuid), Column("space_id", .uuid), Column("unit_id", .uuid),
            Column("time_zone", .text), Column("rule", .text), Column("minutes", .integer), Column("seats", .integer),
            Column("planned", .jsonb), Column("skipped", .jsonb), Column("created_by", .uuid), Column("created_at", .timestamp),
            Column("changed_at", .timestamp, nullable: true), Column("position", .bigint),
        ],
        key: ["id"],
        indexes: ["(user_id, created_at, id)", "(space_id, created_at, id)", "(created_at, id)"]
    )

    func applySeries(_ change: EventoDeReservas, at position: Position, to changes: inout Changes) throws {
        switch change {
        case .serieCriada(let made):
            try changes.upsert(
                Self.series,
                [
                    "id": .id(made.serie), "user_id": .id(made.usuario), "space_id": .id(made.espaco), "unit_id": .id(made.unidade),
                    "time_zone": .text(made.fuso), "rule": .text(made.regra.texto),
                    "minutes": .int4(Int32(clamping: made.duracao.valor)), "seats": .int4(Int32(clamping: made.lugares)),
                    "planned": try .json(encoding: made.ocorrencias), "skipped": try .json(encoding: made.puladas),
                    "created_by": .id(made.criadaPor), "created_at": .instant(made.em), "changed_at": .null(.timestamptz),
                    "position": .int8(position.rawValue),
                ]
            )
        case .serieAlterada(let moved):
            let minutes = PostgresValue.int4(Int32(clamping: moved.duracao.valor))
            try touch(moved.serie, moved.em, at: position, ["minutes": minutes], in: &changes)
        case .serieEncerrada(let ended):
            try touch(ended.serie, ended.em, at: position, [:], in: &changes)
        case .reservaSolicitada, .reservaConfirmada, .reservaExpirada, .reservaRemarcada, .reservaCancelada, .reservaConcluida,
            .reservaRetomada, .reservaNaoComparecida, .reservaAprovada, .convidadosDefinidos, .horarioOcupado, .horarioLiberado,
            .esperaInscrita, .esperaOferecida,
            .esperaAtendida, .esperaVencida, .esperaRetirada:
            break
        }
    }

    private func touch(
        _ series: SerieID,
        _ time: Instante,
        at position: Position,
        _ values: [String: PostgresValue],
        in changes: inout Changes
    ) throws {
        var values = values
        values["changed_at"] = .instant(time)
        values["position"] = .int8(position.rawValue)
        try changes.update(Self.series, key: ["id": .id(series)], set: values)
    }
}

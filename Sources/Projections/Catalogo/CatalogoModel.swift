import Domain
import Postgres

/// What can be booked, by which rules and at which rates.
package struct CatalogoModel: ReadModel {
    package init() {}

    package let name = "catalogo"
    package let revision = 1

    package let tables = [units, spaces, closures, tariffs, plans]

    static let units = Table(
        "catalogo_units",
        columns: [
            Column("id", .uuid), Column("name", .text), Column("time_zone", .text), Column("address", .text),
            Column("created_at", .timestamp),
        ],
        key: ["id"]
    )

    /// Rules and hours are the domain's own JSON; NULL until they are set for the first time.
    static let spaces = Table(
        "catalogo_spaces",
        columns: [
            Column("id", .uuid), Column("unit_id", .uuid), Column("name", .text), Column("type", .text),
            Column("capacity", .integer), Column("seats", .integer), Column("amenities", .jsonb), Column("description", .text),
            Column("active", .boolean), Column("created_at", .timestamp), Column("rules", .jsonb, nullable: true),
            Column("rules_version", .integer), Column("buffer_before_min", .integer), Column("buffer_after_min", .integer),
            Column("hours", .jsonb, nullable: true), Column("closed_on_holidays", .boolean),
        ],
        key: ["id"],
        indexes: ["(name, id)", "(unit_id, name, id)", "using gin (amenities jsonb_path_ops)"]
    )

    static let closures = Table(
        "catalogo_closures",
        columns: [Column("space_id", .uuid), Column("id", .uuid), Column("closure", .jsonb)],
        key: ["space_id", "id"]
    )

    static let tariffs = Table(
        "catalogo_tariffs",
        columns: [
            Column("unit_id", .uuid), Column("version", .integer), Column("effective_from", .date), Column("rates", .jsonb),
            Column("multipliers", .jsonb), Column("published_at", .timestamp),
        ],
        key: ["unit_id", "version"]
    )

    static let plans = Table(
        "catalogo_plans",
        columns: [
            Column("id", .text), Column("version", .integer), Column("name", .text), Column("discount", .integer),
            Column("monthly_cents", .bigint), Column("included_minutes", .integer), Column("credit_months", .integer),
        ],
        key: ["id"]
    )

    package let eventTypes: Set<String> = [
        UnidadeCriada.tipo, UnidadeAtualizada.tipo, EspacoCriado.tipo, EspacoAtualizado.tipo, HorarioDefinido.tipo,
        FechamentoDefinido.tipo, FechamentoRemovido.tipo, RegrasDeReservaDefinidas.tipo, EspacoDesativado.tipo,
        EspacoReativado.tipo, TarifarioPublicado.tipo, PlanoPublicado.tipo,
    ]

    package func apply(_ event: ProjectedEvent, to changes: inout Changes) throws {
        switch event.event {
        case .espacos(let event): try apply(event, to: &changes)
        case .precos(let event): try apply(event, to: &changes)
        case .usuarios, .reservas, .pagamentos, .checkin, .notificacoes, .analytics, .financeiro: break
        }
    }

    private func apply(_ event: EventoDeEspacos, to changes: inout Changes) throws {
        switch event {
        case .unidadeCriada(let event):
            try changes.upsert(
                Self.units,
                [
                    "id": .id(event.unidade), "name": .text(event.nome), "time_zone": .text(event.fuso),
                    "address": .text(event.endereco), "created_at": .instant(event.em),
                ]
            )
        case .unidadeAtualizada(let event):
            try changes.update(
                Self.units,
                key: ["id": .id(event.unidade)],
                set: ["name": .text(event.nome), "time_zone": .text(event.fuso), "address": .text(event.endereco)]
            )
        case .espacoCriado(let event):
            try changes.upsert(Self.spaces, try Self.row(of: event))
        case .espacoAtualizado(let event):
            try changes.update(Self.spaces, key: ["id": .id(event.espaco)], set: try Self.columns(of: event.ficha))
        case .horarioDefinido(let event):
            try changes.update(
                Self.spaces,
                key: ["id": .id(event.espaco)],
                set: ["hours": try .json(encoding: event.semana), "closed_on_holidays": .bool(event.fechaEmFeriados)]
            )
        case .regrasDeReservaDefinidas(let event):
            var columns = Self.buffers(of: event.regras)
            columns["rules"] = try .json(encoding: event.regras)
            columns["rules_version"] = .int4(Int32(clamping: event.versao.numero))
            try changes.update(Self.spaces, key: ["id": .id(event.espaco)], set: columns)
        case .fechamentoDefinido(let event):
            try changes.upsert(
                Self.closures,
                [
                    "space_id": .id(event.espaco), "id": .id(event.fechamento.id),
                    "closure": try .json(encoding: event.fechamento),
                ]
            )
        case .fechamentoRemovido(let event):
            try changes.delete(Self.closures, key: ["space_id": .id(event.espaco), "id": .id(event.fechamento)])
        case .espacoDesativado(let event):
            try changes.update(Self.spaces, key: ["id": .id(event.espaco)], set: ["active": .bool(false)])
        case .espacoReativado(let event):
            try changes.update(Self.spaces, key: ["id": .id(event.espaco)], set: ["active": .bool(true)])
        }
    }

    private func apply(_ event: EventoDePrecos, to changes: inout Changes) throws {
        switch event {
        case .tarifarioPublicado(let event):
            try changes.upsert(
                Self.tariffs,
                [
                    "unit_id": .id(event.unidade), "version": .int4(Int32(clamping: event.versao.numero)),
                    "effective_from": .day(event.vigenteDesde), "rates": try .json(encoding: event.tarifas),
                    "multipliers": try .json(encoding: event.multiplicadores), "published_at": .instant(event.em),
                ]
            )
        case .planoPublicado(let event):
            try changes.upsert(
                Self.plans,
                [
                    "id": .text(event.plano.texto), "version": .int4(Int32(clamping: event.versao.numero)),
                    "name": .text(event.nome), "discount": .int4(Int32(event.desconto.valor)),
                    "monthly_cents": .int8(event.mensalidade.centavos),
                    "included_minutes": .int4(Int32(clamping: event.creditosMensais?.valor ?? 0)),
                    "credit_months": .int4(Int32(clamping: event.mesesDeValidade ?? 1)),
                ]
            )
        case .cupomCriado, .cupomUsado, .cupomDevolvido, .cupomDesativado, .assinaturaIniciada, .assinaturaRenovada, .planoTrocado,
            .trocaDePlanoMarcada, .trocaDePlanoDesfeita,
            .assinaturaCancelada, .creditosConcedidos, .creditosConsumidos, .creditosDevolvidos:
            break
        }
    }

    private static func row(of event: EspacoCriado) throws -> [String: PostgresValue] {
        let beginning: [String: PostgresValue] = [
            "id": .id(event.espaco), "unit_id": .id(event.unidade), "active": .bool(true), "created_at": .instant(event.em),
            "rules": .null(.jsonb), "rules_version": .int4(0), "hours": .null(.jsonb), "closed_on_holidays": .bool(false),
        ]
        return try beginning.merging(columns(of: event.ficha)) { $1 }.merging(buffers(of: .padrao)) { $1 }
    }

    private static func columns(of description: FichaDoEspaco) throws -> [String: PostgresValue] {
        [
            "name": .text(description.nome), "type": .text(description.tipo.rawValue),
            "capacity": .int4(Int32(clamping: description.capacidade)), "seats": .int4(Int32(clamping: description.lugares)),
            "amenities": try .json(encoding: description.comodidades), "description": .text(description.descricao),
        ]
    }

    /// Beside the rules' JSON, because the search for free spaces reckons with them.
    private static func buffers(of rules: RegrasDeReserva) -> [String: PostgresValue] {
        [
            "buffer_before_min": .int4(Int32(clamping: rules.bufferAntes.valor)),
            "buffer_after_min": .int4(Int32(clamping: rules.bufferDepois.valor)),
        ]
    }
}

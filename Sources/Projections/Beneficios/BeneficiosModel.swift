import Domain
import Postgres

/// What members draw on besides money: coupons, subscriptions, credits. Apart from the catalogue, which every search reads and no
/// booking changes.
package struct BeneficiosModel: ReadModel {
    package init() {}

    package let name = "beneficios"
    package let revision = 2

    package let tables = [coupons, couponUses, subscriptions, lots, lotUses]

    static let coupons = Table(
        "beneficios_coupons",
        columns: [
            Column("code", .text), Column("percent", .integer, nullable: true), Column("amount_cents", .bigint, nullable: true),
            Column("valid_from", .date, nullable: true), Column("valid_to", .date, nullable: true), Column("max_uses", .integer),
            Column("max_uses_per_member", .integer, nullable: true), Column("minimum_cents", .bigint, nullable: true),
            Column("space_ids", .jsonb), Column("types", .jsonb), Column("active", .boolean), Column("created_at", .timestamp),
        ],
        key: ["code"],
        indexes: ["(created_at, code)"]
    )

    /// Those that count: without what was given back.
    static let couponUses = Table(
        "beneficios_coupon_uses",
        columns: [Column("code", .text), Column("uses", .bigint), Column("discount_cents", .bigint)],
        key: ["code"]
    )

    static let subscriptions = Table(
        "beneficios_subscriptions",
        columns: [
            Column("user_id", .uuid), Column("plan", .text), Column("plan_version", .integer), Column("fee_cents", .bigint),
            Column("period_number", .integer), Column("period_start", .timestamp), Column("period_end", .timestamp),
            Column("time_zone", .text), Column("due_at", .timestamp), Column("since", .timestamp),
            Column("ends_at", .timestamp, nullable: true), Column("end_reason", .text, nullable: true),
            Column("next_plan", .text, nullable: true),
        ],
        key: ["user_id"],
        indexes: ["(since, user_id)", "(plan, since, user_id)"]
    )

    static let lots = Table(
        "beneficios_lots",
        columns: [
            Column("user_id", .uuid), Column("id", .uuid), Column("minutes", .integer), Column("expires_at", .timestamp, nullable: true),
            Column("origin", .text), Column("granted_at", .timestamp),
        ],
        key: ["user_id", "id"]
    )

    static let lotUses = Table(
        "beneficios_lot_uses",
        columns: [Column("user_id", .uuid), Column("id", .uuid), Column("used", .bigint)],
        key: ["user_id", "id"]
    )

    package let eventTypes: Set<String> = [
        CupomCriado.tipo, CupomUsado.tipo, CupomDevolvido.tipo, CupomDesativado.tipo, AssinaturaIniciada.tipo, AssinaturaRenovada.tipo,
        PlanoTrocado.tipo, TrocaDePlanoMarcada.tipo, TrocaDePlanoDesfeita.tipo, AssinaturaCancelada.tipo,
        CreditosConcedidos.tipo, CreditosConsumidos.tipo, CreditosDevolvidos.tipo,
    ]

    package func apply(_ event: ProjectedEvent, to changes: inout Changes) throws {
        guard case .precos(let event) = event.event else { return }
        switch event {
        case .cupomCriado(let event): try changes.upsert(Self.coupons, try Self.row(of: event))
        case .cupomUsado(let event): try count(event.codigo, 1, event.desconto, in: &changes)
        case .cupomDevolvido(let event): try count(event.codigo, -1, event.desconto, in: &changes)
        case .cupomDesativado(let event):
            try changes.update(Self.coupons, key: ["code": .text(event.codigo.texto)], set: ["active": .bool(false)])
        case .assinaturaIniciada(let event): try changes.upsert(Self.subscriptions, Self.row(of: event))
        case .assinaturaRenovada(let event):
            try changes.update(
                Self.subscriptions,
                key: ["user_id": .id(event.usuario)],
                set: Self.columns(of: event.periodo).merging([
                    "plan": .text(event.plano.texto), "plan_version": .int4(Int32(clamping: event.planoVersao.numero)),
                    "fee_cents": .int8(event.mensalidade.centavos), "due_at": .instant(event.venceEm), "next_plan": .null(.text),
                ]) { $1 }
            )
        case .planoTrocado(let event):
            try update(
                event.usuario,
                [
                    "plan": .text(event.para.texto), "plan_version": .int4(Int32(clamping: event.paraVersao.numero)),
                    "fee_cents": .int8(event.paraMensalidade.centavos), "next_plan": .null(.text),
                ],
                &changes
            )
        case .trocaDePlanoMarcada(let event): try update(event.usuario, ["next_plan": .text(event.para.texto)], &changes)
        case .trocaDePlanoDesfeita(let event): try update(event.usuario, ["next_plan": .null(.text)], &changes)
        case .assinaturaCancelada(let event):
            try changes.update(
                Self.subscriptions,
                key: ["user_id": .id(event.usuario)],
                set: ["ends_at": .instant(event.terminaEm), "end_reason": .text(event.motivo.rawValue)]
            )
            for lot in event.lotesEncerrados ?? [] {
                try changes.update(
                    Self.lots, key: ["user_id": .id(event.usuario), "id": .id(lot)], set: ["expires_at": .instant(event.terminaEm)]
                )
            }
        case .creditosConcedidos(let event):
            try changes.upsert(
                Self.lots,
                [
                    "user_id": .id(event.usuario), "id": .id(event.lote), "minutes": .int4(Int32(clamping: event.minutos.valor)),
                    "expires_at": .instant(event.expiraEm), "origin": .text(event.origem.rawValue),
                    "granted_at": .instant(event.em),
                ]
            )
        case .creditosConsumidos(let event): try use(event.lotes, of: event.usuario, 1, in: &changes)
        case .creditosDevolvidos(let event): try use(event.lotes, of: event.usuario, -1, in: &changes)
        case .tarifarioPublicado, .planoPublicado: break
        }
    }

    private func update(_ user: UsuarioID, _ values: [String: PostgresValue], _ changes: inout Changes) throws {
        try changes.update(Self.subscriptions, key: ["user_id": .id(user)], set: values)
    }

    private func count(_ code: CodigoDoCupom, _ sign: Int64, _ discount: Dinheiro, in changes: inout Changes) throws {
        try changes.increment(
            Self.couponUses,
            key: ["code": .text(code.texto)],
            by: ["uses": sign, "discount_cents": sign * discount.centavos]
        )
    }

    private func use(_ lots: [ParcelaDeLote], of user: UsuarioID, _ sign: Int64, in changes: inout Changes) throws {
        for lot in lots {
            try changes.increment(
                Self.lotUses,
                key: ["user_id": .id(user), "id": .id(lot.lote)],
                by: ["used": sign * Int64(lot.minutos.valor)]
            )
        }
    }

    private static func row(of event: CupomCriado) throws -> [String: PostgresValue] {
        let terms = event.termos
        let (percent, amount): (PostgresValue, PostgresValue) =
            switch terms.desconto {
            case .percentual(let percent): (.int4(Int32(percent.valor)), .null(.int8))
            case .valor(let amount): (.null(.int4), .int8(amount.centavos))
            }
        return [
            "code": .text(event.codigo.texto), "percent": percent, "amount_cents": amount,
            "valid_from": .day(terms.validoDe), "valid_to": .day(terms.validoAte),
            "max_uses": .int4(Int32(clamping: terms.limiteDeUsos)),
            "max_uses_per_member": terms.limitePorMembro.map { .int4(Int32(clamping: $0)) } ?? .null(.int4),
            "minimum_cents": terms.valorMinimo.map { .int8($0.centavos) } ?? .null(.int8),
            "space_ids": try .json(encoding: terms.espacos), "types": try .json(encoding: terms.tipos), "active": .bool(true),
            "created_at": .instant(event.em),
        ]
    }

    private static func row(of event: AssinaturaIniciada) -> [String: PostgresValue] {
        columns(of: event.periodo).merging([
            "user_id": .id(event.usuario), "plan": .text(event.plano.texto),
            "plan_version": .int4(Int32(clamping: event.planoVersao.numero)), "fee_cents": .int8(event.mensalidade.centavos),
            "time_zone": .text(event.periodo.fuso), "due_at": .instant(event.venceEm), "since": .instant(event.em),
            "ends_at": .null(.timestamptz), "end_reason": .null(.text), "next_plan": .null(.text),
        ]) { $1 }
    }

    private static func columns(of period: PeriodoDaAssinatura) -> [String: PostgresValue] {
        [
            "period_number": .int4(Int32(clamping: period.numero)), "period_start": .instant(period.inicio),
            "period_end": .instant(period.fim),
        ]
    }
}

package import Domain
import EventStore
import Postgres

/// Charges, a row each, and what was given back of them.
package struct PagamentosModel: ReadModel {
    package init() {}

    package let name = "pagamentos"
    package let revision = 2

    package let tables = [payments, sums, refunds]

    static let payments = Table(
        "pagamentos_payments",
        columns: [
            Column("id", .uuid), Column("kind", .text), Column("booking_id", .uuid, nullable: true), Column("user_id", .uuid),
            Column("unit_id", .uuid, nullable: true), Column("status", .text), Column("amount_cents", .bigint),
            Column("method", .text, nullable: true), Column("transaction", .text, nullable: true),
            Column("reference", .text, nullable: true), Column("pix_code", .text, nullable: true),
            Column("refusal", .text, nullable: true), Column("created_at", .timestamp), Column("expires_at", .timestamp),
            Column("paid_at", .timestamp, nullable: true), Column("closed_at", .timestamp, nullable: true), Column("position", .bigint),
        ],
        key: ["id"],
        indexes: [
            "(created_at, id)", "(user_id, created_at, id)", "(booking_id, created_at, id)", "(status, created_at, id)",
            "(unit_id, created_at, id)",
        ]
    )

    /// What came in for a charge, is on its way back and went back: an event names no total of these.
    static let sums = Table(
        "pagamentos_sums",
        columns: [
            Column("payment_id", .uuid), Column("paid_cents", .bigint), Column("refunding_cents", .bigint),
            Column("refunded_cents", .bigint),
        ],
        key: ["payment_id"]
    )

    static let refunds = Table(
        "pagamentos_refunds",
        columns: [
            Column("id", .uuid), Column("payment_id", .uuid), Column("user_id", .uuid), Column("transaction", .text),
            Column("amount_cents", .bigint), Column("status", .text), Column("reason", .text),
            Column("late_because", .text, nullable: true), Column("note", .text, nullable: true),
            Column("requested_by", .uuid, nullable: true), Column("requested_at", .timestamp),
            Column("finished_at", .timestamp, nullable: true), Column("refusal", .text, nullable: true),
        ],
        key: ["id"],
        indexes: ["(payment_id, requested_at, id)", "(user_id)"]
    )

    package let eventTypes: Set<String> = [
        CobrancaCriada.tipo, CobrancaAlterada.tipo, PixGerado.tipo, PagamentoAprovado.tipo, PagamentoRecusado.tipo,
        CobrancaExpirada.tipo, EstornoSolicitado.tipo, PagamentoEstornado.tipo, EstornoRecusado.tipo, UsuarioApagado.tipo,
    ]

    package func sealedTexts(in event: EventoDoDominio) -> [SealedText] {
        guard case .pagamentos(.estornoSolicitado(let event)) = event, let note = event.justificativa else { return [] }
        return [SealedText(note, field: "justificativa")]
    }

    package func apply(_ event: ProjectedEvent, to changes: inout Changes) throws {
        switch event.event {
        case .pagamentos(let change): try apply(change, of: event, to: &changes)
        case .usuarios(.usuarioApagado(let change)):
            try changes.sweep(
                Self.refunds,
                where: "user_id",
                is: .id(change.usuario),
                having: .present("note"),
                set: ["note": .text(Keyring.erasedText)]
            )
        case .usuarios, .espacos, .precos, .reservas, .checkin, .notificacoes, .analytics, .financeiro: break
        }
    }

    private func apply(_ change: EventoDePagamentos, of event: ProjectedEvent, to changes: inout Changes) throws {
        switch change {
        case .cobrancaCriada(let change): try changes.upsert(Self.payments, row(of: change, event))
        case .cobrancaAlterada(let change):
            try update(change.pagamento, set: ["amount_cents": .int8(change.para.centavos), "pix_code": .null(.text)], event, &changes)
        case .pixGerado(let change):
            try update(
                change.pagamento,
                set: [
                    "method": .text(MetodoDePagamento.pix.rawValue), "transaction": .text(change.transacao.texto),
                    "pix_code": .text(change.copiaECola),
                ],
                event,
                &changes
            )
        case .pagamentoAprovado(let change): try approved(change, event, &changes)
        case .pagamentoRecusado(let change):
            try update(
                change.pagamento, set: ["refusal": .text(change.motivo.rawValue), "pix_code": .null(.text)], event, &changes
            )
        case .tentativaRespondida: break
        case .cobrancaExpirada(let change):
            let status = change.motivo == .prazo ? PaymentStatus.expired : .cancelled
            try update(
                change.pagamento,
                set: ["status": .text(status.rawValue), "closed_at": .instant(change.em), "pix_code": .null(.text)],
                event,
                &changes
            )
        case .estornoSolicitado(let change): try asked(change, event, &changes)
        case .pagamentoEstornado(let change):
            try finish(change.estorno, .done, nil, at: change.em, in: &changes)
            let cents = change.valor.centavos
            try add(to: change.pagamento, ["refunding_cents": -cents, "refunded_cents": cents], event, &changes)
        case .estornoRecusado(let change):
            try finish(change.estorno, .refused, change.motivo, at: change.em, in: &changes)
            try add(to: change.pagamento, ["refunding_cents": -change.valor.centavos], event, &changes)
        }
    }

    private func row(of change: CobrancaCriada, _ event: ProjectedEvent) -> [String: PostgresValue] {
        [
            "id": .id(change.pagamento), "kind": .text(change.causa.tipo),
            "booking_id": change.causa.reserva.map(PostgresValue.id) ?? .null(.uuid), "user_id": .id(change.usuario),
            "unit_id": change.unidade.map(PostgresValue.id) ?? .null(.uuid), "status": .text(PaymentStatus.pending.rawValue),
            "amount_cents": .int8(change.valor.centavos), "method": .null(.text), "transaction": .null(.text), "reference": .null(.text),
            "pix_code": .null(.text), "refusal": .null(.text), "created_at": .instant(change.em),
            "expires_at": .instant(change.expiraEm), "paid_at": .null(.timestamptz), "closed_at": .null(.timestamptz),
            "position": .int8(event.position.rawValue),
        ]
    }

    private func approved(_ change: PagamentoAprovado, _ event: ProjectedEvent, _ changes: inout Changes) throws {
        if change.quita {
            try update(
                change.pagamento,
                set: [
                    "status": .text(PaymentStatus.approved.rawValue), "method": .text(change.metodo.rawValue),
                    "transaction": .text(change.transacao.texto), "reference": .text(change.referencia), "paid_at": .instant(change.em),
                    "pix_code": .null(.text), "refusal": .null(.text),
                ],
                event,
                &changes
            )
        }
        try add(to: change.pagamento, ["paid_cents": change.valor.centavos], event, &changes)
    }

    private func asked(_ change: EstornoSolicitado, _ event: ProjectedEvent, _ changes: inout Changes) throws {
        try changes.upsert(
            Self.refunds,
            [
                "id": .id(change.estorno), "payment_id": .id(change.pagamento), "user_id": .id(change.usuario),
                "transaction": .text(change.transacao.texto), "amount_cents": .int8(change.valor.centavos),
                "status": .text(RefundStatus.requested.rawValue), "reason": .text(change.motivo.rawValue),
                "late_because": .text(change.razao?.rawValue),
                "note": .text(try change.justificativa.map(event.text(of:))),
                "requested_by": change.por.map(PostgresValue.id) ?? .null(.uuid), "requested_at": .instant(change.em),
                "finished_at": .null(.timestamptz), "refusal": .null(.text),
            ]
        )
        try add(to: change.pagamento, ["refunding_cents": change.valor.centavos], event, &changes)
    }

    private func finish(
        _ refund: EstornoID,
        _ status: RefundStatus,
        _ refusal: MotivoDaRecusa?,
        at time: Instante,
        in changes: inout Changes
    ) throws {
        try changes.update(
            Self.refunds,
            key: ["id": .id(refund)],
            set: ["status": .text(status.rawValue), "finished_at": .instant(time), "refusal": .text(refusal?.rawValue)]
        )
    }

    private func add(
        to payment: PagamentoID,
        _ cents: [String: Int64],
        _ event: ProjectedEvent,
        _ changes: inout Changes
    ) throws {
        try changes.update(Self.payments, key: ["id": .id(payment)], set: ["position": .int8(event.position.rawValue)])
        try changes.increment(Self.sums, key: ["payment_id": .id(payment)], by: cents)
    }

    private func update(
        _ payment: PagamentoID,
        set values: [String: PostgresValue],
        _ event: ProjectedEvent,
        _ changes: inout Changes
    ) throws {
        var values = values
        values["position"] = .int8(event.position.rawValue)
        try changes.update(Self.payments, key: ["id": .id(payment)], set: values)
    }
}

package import Domain
import EventStore
import FoundationEssentials
import Postgres

/// The ledger: its entries line by line, what each account moved on each day, what is still owed, expenses, closed months.
package struct RazaoModel: ReadModel {
    package init() {}

    package let name = "razao"
    package let revision = 2

    package let tables = [lines, days, receivables, expenses, months]

    /// A row a line of an entry. `account` is the account's stored name, one of `debit_cents` and `credit_cents` is zero.
    /// `fact_day` differs from `day` where the entry adjusts a month that was closed.
    static let lines = Table(
        "razao_lines",
        columns: [
            Column("position", .bigint), Column("number", .integer), Column("entry_id", .uuid), Column("day", .date),
            Column("fact_day", .date), Column("account", .text), Column("debit_cents", .bigint), Column("credit_cents", .bigint),
            Column("kind", .text), Column("unit_id", .uuid, nullable: true), Column("booking_id", .uuid, nullable: true),
            Column("subscriber_id", .uuid, nullable: true), Column("expense_id", .uuid, nullable: true),
            Column("cause_event", .uuid, nullable: true), Column("cause_type", .text, nullable: true),
            Column("cause_stream", .text, nullable: true), Column("recorded_at", .timestamp),
        ],
        key: ["position", "number"],
        indexes: [
            "(day, position, number)", "(account, day, position, number)", "(unit_id, day, position, number)",
            "(booking_id, day, position, number)", "(subscriber_id, day, position, number)",
        ]
    )

    /// What was moved. `unit_id` is all zeros for what belongs to no unit.
    static let days = Table(
        "razao_days",
        columns: [
            Column("day", .date), Column("account", .text), Column("unit_id", .uuid), Column("debit_cents", .bigint),
            Column("credit_cents", .bigint),
        ],
        key: ["day", "account", "unit_id"],
        indexes: ["(account, day)"]
    )

    /// What one booking or subscription moved in receivables; `subject_id` is the booking's id or the subscriber's.
    static let receivables = Table(
        "razao_receivables",
        columns: [
            Column("subject_id", .uuid), Column("debit_cents", .bigint), Column("credit_cents", .bigint),
            Column("unit_id", .uuid, nullable: true), Column("kind", .text, nullable: true),
        ],
        key: ["subject_id"],
        indexes: ["(subject_id) where debit_cents <> credit_cents"]
    )

    static let expenses = Table(
        "razao_expenses",
        columns: [
            Column("id", .uuid), Column("category", .text), Column("day", .date), Column("amount_cents", .bigint),
            Column("unit_id", .uuid, nullable: true), Column("memo", .text, nullable: true), Column("memo_of", .text, nullable: true),
            Column("recorded_by", .uuid),
            Column("recorded_at", .timestamp), Column("reversed_at", .timestamp, nullable: true),
            Column("reversed_by", .uuid, nullable: true), Column("reversal_reason", .text, nullable: true),
            Column("reversal_reason_of", .text, nullable: true),
            Column("position", .bigint),
        ],
        key: ["id"],
        indexes: ["(day, id)", "(memo_of)", "(reversal_reason_of)"]
    )

    /// A row a closed month; `month` is `yyyy-mm`.
    static let months = Table(
        "razao_months",
        columns: [Column("month", .text), Column("closed_at", .timestamp), Column("closed_by", .uuid, nullable: true)],
        key: ["month"]
    )

    package let eventTypes: Set<String> = [
        LancamentoRegistrado.tipo, PeriodoFechado.tipo, DespesaRegistrada.tipo, DespesaEstornada.tipo, PrazoDosLivrosEncerrado.tipo,
        UsuarioApagado.tipo,
    ]

    package func sealedTexts(in event: EventoDoDominio) -> [SealedText] {
        switch event {
        case .financeiro(.despesaRegistrada(let event)): event.memo.map { [SealedText($0, field: "memo")] } ?? []
        case .financeiro(.despesaEstornada(let event)): event.motivo.map { [SealedText($0, field: "motivo")] } ?? []
        default: []
        }
    }

    package func apply(_ event: ProjectedEvent, to changes: inout Changes) throws {
        switch event.event {
        case .financeiro(let change): try apply(change, of: event, to: &changes)
        case .usuarios(.usuarioApagado(let change)): try scrub(change.usuario.texto, in: &changes)
        case .usuarios, .espacos, .precos, .reservas, .pagamentos, .checkin, .analytics, .notificacoes: break
        }
    }

    /// What is sealed under the key of an erased person, or of books whose term is over, reads from here on as it does without that key.
    private func scrub(_ subject: String, in changes: inout Changes) throws {
        for column in ["memo", "reversal_reason"] {
            try changes.sweep(Self.expenses, where: "\(column)_of", is: .text(subject), set: [column: .text(Keyring.erasedText)])
        }
    }

    private func apply(_ change: EventoDeFinanceiro, of event: ProjectedEvent, to changes: inout Changes) throws {
        switch change {
        case .lancamentoRegistrado(let entry): try enter(entry, at: event.position, in: &changes)
        case .periodoFechado(let month):
            try changes.upsert(
                Self.months, ["month": .text(month.mes.texto), "closed_at": .instant(month.em), "closed_by": .idIfAny(month.por)])
        case .despesaRegistrada(let expense):
            try changes.upsert(
                Self.expenses,
                [
                    "id": .id(expense.despesa), "category": .text(expense.categoria.rawValue), "day": .day(expense.data),
                    "amount_cents": .int8(expense.valor.centavos), "unit_id": .idIfAny(expense.unidade),
                    "memo": .text(try expense.memo.map(event.text(of:))),
                    "memo_of": .text(expense.memo.flatMap(Keyring.subject)), "recorded_by": .id(expense.por),
                    "recorded_at": .instant(expense.em), "reversed_at": .null(.timestamptz), "reversed_by": .null(.uuid),
                    "reversal_reason": .null(.text), "reversal_reason_of": .null(.text), "position": .int8(event.position.rawValue),
                ]
            )
        case .despesaEstornada(let reversal):
            try changes.update(
                Self.expenses,
                key: ["id": .id(reversal.despesa)],
                set: [
                    "reversed_at": .instant(reversal.em), "reversed_by": .id(reversal.por),
                    "reversal_reason": .text(try reversal.motivo.map(event.text(of:))),
                    "reversal_reason_of": .text(reversal.motivo.flatMap(Keyring.subject)), "position": .int8(event.position.rawValue),
                ]
            )
        case .prazoDosLivrosEncerrado(let end): try scrub(end.ano.chave, in: &changes)
        case .prazoDosLivrosProrrogado: break
        }
    }

    private func enter(_ entry: LancamentoRegistrado, at position: Position, in changes: inout Changes) throws {
        for (number, line) in entry.partidas.linhas.enumerated() {
            let (debit, credit) = line.sides
            var row = Self.columns(of: entry)
            row["position"] = .int8(position.rawValue)
            row["number"] = .int4(Int32(clamping: number))
            row["account"] = .text(line.conta.texto)
            row["debit_cents"] = .int8(debit)
            row["credit_cents"] = .int8(credit)
            try changes.upsert(Self.lines, row)
            try changes.increment(
                Self.days,
                key: ["day": .day(entry.data), "account": .text(line.conta.texto), "unit_id": .id(entry.unidade ?? Self.noUnit)],
                by: ["debit_cents": debit, "credit_cents": credit]
            )
            if line.conta == .aReceber, let (subject, kind) = entry.assunto.debtor {
                let key = ["subject_id": subject]
                try changes.increment(Self.receivables, key: key, by: ["debit_cents": debit, "credit_cents": credit])
                try changes.update(Self.receivables, key: key, set: ["unit_id": .idIfAny(entry.unidade), "kind": .text(kind)])
            }
        }
    }

    /// Stands for no unit where a unit is part of a key.
    static let noUnit = UnidadeID(alto: 0, baixo: 0)

    private static func columns(of entry: LancamentoRegistrado) -> [String: PostgresValue] {
        var (booking, subscriber, expense): (PostgresValue, PostgresValue, PostgresValue) = (.null(.uuid), .null(.uuid), .null(.uuid))
        switch entry.assunto {
        case .reserva(let id): booking = .id(id)
        case .assinatura(let id): subscriber = .id(id)
        case .despesa(let id): expense = .id(id)
        }
        return [
            "entry_id": .id(entry.lancamento), "day": .day(entry.data), "fact_day": .day(entry.dataDoFato ?? entry.data),
            "kind": .text(entry.historico.rawValue), "unit_id": .idIfAny(entry.unidade), "booking_id": booking,
            "subscriber_id": subscriber, "expense_id": expense, "cause_event": .idIfAny(entry.causa?.evento),
            "cause_type": .text(entry.causa?.tipo), "cause_stream": .text(entry.causa?.fluxo), "recorded_at": .instant(entry.em),
        ]
    }
}

extension Partida {
    fileprivate var sides: (debit: Int64, credit: Int64) {
        switch lado {
        case .debito: (valor.centavos, 0)
        case .credito: (0, valor.centavos)
        }
    }
}

extension AssuntoDoLancamento {
    /// Who can owe: an expense cannot.
    fileprivate var debtor: (PostgresValue, String)? {
        switch self {
        case .reserva(let id): (.id(id), "reservation")
        case .assinatura(let id): (.id(id), "subscription")
        case .despesa: nil
        }
    }
}

extension PostgresValue {
    fileprivate static func idIfAny<Marca>(_ id: Identificador<Marca>?) -> PostgresValue {
        id.map { .id($0) } ?? .null(.uuid)
    }
}

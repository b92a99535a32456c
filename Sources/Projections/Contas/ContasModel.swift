package import Domain
import EventStore
import FoundationEssentials
import Postgres

/// Accounts, sessions, and who did what.
package struct ContasModel: ReadModel {
    package init() {}

    package let name = "contas"
    package let revision = 4

    package let tables = [users, sessions, audit]

    static let users = Table(
        "contas_users",
        columns: [
            Column("id", .uuid), Column("name", .text), Column("email", .text), Column("role", .text),
            Column("blocked", .boolean), Column("created_at", .timestamp), Column("updated_at", .timestamp),
            Column("erased_at", .timestamp, nullable: true),
            // The units that the role is for; NULL for all.
            Column("units", .jsonb, nullable: true),
        ],
        key: ["id"],
        // The searches are by prefix, which an index answers only where letters are ordered by their codes.
        indexes: [#"(created_at, id)"#, #"((lower(email) collate "C"))"#, #"((lower(name) collate "C"))"#]
    )

    static let sessions = Table(
        "contas_sessions",
        columns: [
            Column("id", .uuid), Column("user_id", .uuid), Column("opened_at", .timestamp),
            Column("revoked_at", .timestamp, nullable: true), Column("reason", .text, nullable: true),
        ],
        key: ["id"],
        indexes: ["(user_id, opened_at, id)", "(revoked_at)"]
    )

    static let audit = Table(
        "contas_audit",
        columns: [
            Column("position", .bigint), Column("at", .timestamp), Column("actor", .text), Column("action", .text),
            Column("subject", .text), Column("detail", .jsonb),
        ],
        key: ["position"],
        indexes: ["(actor, position)", "(action, position)", "(subject, position)", "(at, position)"]
    )

    /// What happens only as a part of something else, which is in the trail.
    private static let unaudited: Set<String> = [
        EmailReservado.tipo, EmailLiberado.tipo, HorarioOcupado.tipo, HorarioLiberado.tipo, NotificacaoEnviada.tipo, NotificacaoLida.tipo,
    ]

    package var eventTypes: Set<String> {
        Set(CodecDeEventos.padrao.tipos).subtracting(Self.unaudited)
    }

    package func sealedTexts(in event: EventoDoDominio) -> [SealedText] {
        switch event {
        case .usuarios(.usuarioCadastrado(let event)):
            [SealedText(event.nome, field: "nome"), SealedText(event.email, field: "email")]
        case .usuarios(.perfilAtualizado(let event)):
            [event.nome.map { SealedText($0, field: "nome") }, event.email.map { SealedText($0, field: "email") }].compactMap(\.self)
        default: []
        }
    }

    package func apply(_ event: ProjectedEvent, to changes: inout Changes) throws {
        if case .usuarios(let change) = event.event {
            try apply(change, of: event, to: &changes)
        }
        try changes.upsert(
            Self.audit,
            [
                "position": .int8(event.position.rawValue),
                "at": .timestamp(PostgresTimestamp(microsecondsSinceEpoch: event.recorded.recordedAt)),
                "actor": .text(try event.metadata().principal),
                "action": .text(event.event.tipo),
                "subject": .text(event.recorded.stream),
                "detail": try .json(encoding: AuditDetail.of(event.event)),
            ]
        )
    }

    private func apply(_ change: EventoDeUsuarios, of event: ProjectedEvent, to changes: inout Changes) throws {
        switch change {
        case .usuarioCadastrado(let change):
            try changes.upsert(
                Self.users,
                [
                    "id": .id(change.usuario),
                    "name": .text(try event.text(of: change.nome)),
                    "email": .text(try event.text(of: change.email)),
                    "role": .text(change.papel.rawValue),
                    "blocked": .bool(false),
                    "created_at": .instant(change.em),
                    "updated_at": .instant(change.em),
                    "erased_at": .null(.timestamptz),
                    "units": .null(.jsonb),
                ]
            )
        case .perfilAtualizado(let change):
            var values: [String: PostgresValue] = [:]
            if let name = change.nome { values["name"] = .text(try event.text(of: name)) }
            if let email = change.email { values["email"] = .text(try event.text(of: email)) }
            try update(change.usuario, set: values, at: change.em, in: &changes)
        case .senhaAlterada(let change):
            try update(change.usuario, set: [:], at: change.em, in: &changes)
            try endSessions(of: change.usuario, but: change.sessao, because: .trocaDeSenha, at: change.em, in: &changes)
        case .papelAlterado(let change):
            let units = try change.unidades.map { try PostgresValue.json(encoding: $0) } ?? .null(.jsonb)
            try update(change.usuario, set: ["role": .text(change.para.rawValue), "units": units], at: change.em, in: &changes)
        case .usuarioBloqueado(let change):
            try update(change.usuario, set: ["blocked": .bool(true)], at: change.em, in: &changes)
            try endSessions(of: change.usuario, because: .bloqueio, at: change.em, in: &changes)
        case .usuarioDesbloqueado(let change):
            try update(change.usuario, set: ["blocked": .bool(false)], at: change.em, in: &changes)
        case .usuarioApagado(let change):
            // Whatever keys are remembered anywhere: from here on nobody's name is shown.
            let erased = PostgresValue.text(Keyring.erasedText)
            try update(
                change.usuario,
                set: ["name": erased, "email": erased, "erased_at": .instant(change.em)],
                at: change.em,
                in: &changes
            )
            try endSessions(of: change.usuario, because: .apagamento, at: change.em, in: &changes)
        case .loginRealizado(let change):
            try changes.upsert(
                Self.sessions,
                [
                    "id": .id(change.sessao),
                    "user_id": .id(change.usuario),
                    "opened_at": .instant(change.em),
                    "revoked_at": .null(.timestamptz),
                    "reason": .null(.text),
                ]
            )
        case .sessaoRevogada(let change):
            try changes.update(
                Self.sessions,
                key: ["id": .id(change.sessao)],
                set: ["revoked_at": .instant(change.em), "reason": .text(change.motivo.rawValue)]
            )
        case .emailReservado, .emailLiberado:
            break
        }
    }

    /// Those that stand: the others ended before, for reasons of their own.
    private func endSessions(
        of user: UsuarioID,
        but survivor: SessaoID? = nil,
        because reason: MotivoDeRevogacao,
        at time: Instante,
        in changes: inout Changes
    ) throws {
        try changes.sweep(
            Self.sessions,
            where: "user_id",
            is: .id(user),
            having: .absent("revoked_at"),
            butNot: survivor.map { ("id", .id($0)) },
            set: ["revoked_at": .instant(time), "reason": .text(reason.rawValue)]
        )
    }

    private func update(
        _ user: UsuarioID,
        set values: [String: PostgresValue],
        at time: Instante,
        in changes: inout Changes
    ) throws {
        var values = values
        values["updated_at"] = .instant(time)
        try changes.update(Self.users, key: ["id": .id(user)], set: values)
    }
}

extension ProjectedEvent {
    fileprivate func metadata() throws -> EventMetadata {
        try JSONDecoder().decode(EventMetadata.self, from: Data(recorded.metadata))
    }
}

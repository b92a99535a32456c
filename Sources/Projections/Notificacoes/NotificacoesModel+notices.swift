import Domain
import EventStore
import Postgres

/// Messages, preferences, webhooks.
extension NotificacoesModel {
    func apply(_ change: EventoDeNotificacoes, of event: ProjectedEvent, to changes: inout Changes) throws {
        switch change {
        case .notificacaoSolicitada(let change): try ask(change, event, in: &changes)
        case .notificacaoEnviada(let change):
            try settle(change.notificacao, "sent", because: nil, change.tentativa, change.em, in: &changes)
        case .notificacaoFalhou(let change):
            try settle(change.notificacao, "failed", because: change.motivo, change.tentativa, change.em, in: &changes)
        case .notificacaoLida(let change):
            try changes.update(Self.notices, key: ["id": .id(change.notificacao)], set: ["read_at": .instant(change.em)])
        case .preferenciasDefinidas(let change):
            try changes.upsert(
                Self.preferences,
                [
                    "user_id": .id(change.usuario), "language": .text(change.idioma.rawValue),
                    "choices": try .json(encoding: change.escolhas),
                    "quiet": try change.silencio.map { try .json(encoding: $0) } ?? .null(.jsonb),
                    "phone": .text(try change.telefone.map(event.text(of:))), "device": .text(try change.dispositivo.map(event.text(of:))),
                ]
            )
        case .agendaCompartilhada(let change):
            try changes.upsert(Self.feeds, ["user_id": .id(change.usuario), "digest": .text(change.chave.texto)])
        case .agendaRecolhida(let change):
            try changes.delete(Self.feeds, key: ["user_id": .id(change.usuario)])
        case .webhookCadastrado, .webhookAlterado, .webhookDesativado, .webhookReativado, .webhookRemovido:
            try applyWebhook(change, to: &changes)
        }
    }

    private func ask(_ change: NotificacaoSolicitada, _ event: ProjectedEvent, in changes: inout Changes) throws {
        guard change.canal == .app, let user = change.destinatario else {
            try changes.upsert(
                Self.messages,
                [
                    "id": .id(change.notificacao), "user_id": change.destinatario.map { .id($0) } ?? .null(.uuid),
                    "kind": .text(change.aviso.rawValue), "channel": .text(change.canal.rawValue), "status": .text("pending"),
                    "reason": .null(.text), "attempts": .int4(0), "created_at": .instant(change.em), "send_at": .instant(change.enviarEm),
                    "settled_at": .null(.timestamptz),
                ]
            )
            return
        }
        try changes.upsert(
            Self.notices,
            [
                "id": .id(change.notificacao), "user_id": .id(user), "kind": .text(change.aviso.rawValue),
                "title": .text(try event.text(of: change.titulo)), "body": .text(try event.text(of: change.texto)),
                "booking_id": change.reserva.map { .id($0) } ?? .null(.uuid), "created_at": .instant(change.em),
                "read_at": .null(.timestamptz),
            ]
        )
        try note("notification.created", about: .id(change.notificacao), of: user, event, in: &changes)
    }

    private func settle(
        _ message: NotificacaoID,
        _ status: String,
        because reason: MotivoDaFalha?,
        _ attempts: Int,
        _ time: Instante,
        in changes: inout Changes
    ) throws {
        try changes.update(
            Self.messages,
            key: ["id": .id(message)],
            set: [
                "status": .text(status), "reason": .text(reason?.rawValue), "attempts": .int4(Int32(clamping: attempts)),
                "settled_at": .instant(time),
            ]
        )
    }

    private func applyWebhook(_ change: EventoDeNotificacoes, to changes: inout Changes) throws {
        func update(_ id: WebhookID, _ values: [String: PostgresValue]) throws {
            try changes.update(Self.webhooks, key: ["id": .id(id)], set: values)
        }
        switch change {
        case .webhookCadastrado(let change):
            try changes.upsert(
                Self.webhooks,
                [
                    "id": .id(change.webhook), "url": .text(change.endereco), "types": try .json(encoding: change.tipos),
                    "active": .bool(true), "reason": .null(.text), "created_by": .id(change.por), "created_at": .instant(change.em),
                ]
            )
        case .webhookAlterado(let change):
            try update(change.webhook, ["url": .text(change.endereco), "types": try .json(encoding: change.tipos)])
        case .webhookDesativado(let change):
            try update(change.webhook, ["active": .bool(false), "reason": .text(change.motivo.rawValue)])
        case .webhookReativado(let change):
            try update(change.webhook, ["active": .bool(true), "reason": .null(.text)])
        case .webhookRemovido(let change):
            try changes.delete(Self.webhooks, key: ["id": .id(change.webhook)])
        case .notificacaoSolicitada, .notificacaoEnviada, .notificacaoFalhou, .notificacaoLida, .preferenciasDefinidas,
            .agendaCompartilhada, .agendaRecolhida:
            break
        }
    }
}

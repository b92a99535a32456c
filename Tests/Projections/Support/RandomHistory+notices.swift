import Domain
import TestSupport

extension RandomHistory {
    /// Messages, preferences and webhooks: the same few over and over.
    static func notice(_ number: Int, _ minutes: Int, _ log: inout TestLog, _ random: inout SeededGenerator) throws {
        let (id, user): (NotificacaoID, UsuarioID) = (Samples.id(number), Samples.id(number))
        let (hook, admin): (WebhookID, UsuarioID) = (Samples.id(number), Samples.id(1))
        let time = Samples.time(minutes)
        func record(_ stream: NomeDeFluxo, _ event: EventoDeNotificacoes) throws { try log.record(stream, .notificacoes(event)) }
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1, 2: try record(.notificacao(id), .notificacaoSolicitada(request(id, user, minutes)))
        case 3: try record(.notificacao(id), .notificacaoEnviada(NotificacaoEnviada(notificacao: id, tentativa: minutes, em: time)))
        case 4:
            let failed = NotificacaoFalhou(notificacao: id, motivo: .recusada, tentativa: minutes, em: time)
            try record(.notificacao(id), .notificacaoFalhou(failed))
        case 5: try record(.notificacao(id), .notificacaoLida(NotificacaoLida(notificacao: id, em: time)))
        case 6:
            let chosen = PreferenciasDefinidas(
                usuario: user, idioma: .ingles, escolhas: [EscolhaDeCanais(tipo: .reservaExpirada, canais: [.sms])],
                telefone: minutes.isMultiple(of: 2) ? PlainOpener.seal("+55\(minutes)", field: "telefone") : nil,
                dispositivo: minutes.isMultiple(of: 3) ? PlainOpener.seal("d\(minutes)", field: "dispositivo") : nil, em: time
            )
            try record(.preferencias(user), .preferenciasDefinidas(chosen))
        case 7:
            guard let key = ChaveDeAgenda(String(repeating: "0\(number)", count: 32)) else { throw Samples.Impossible() }
            try record(.preferencias(user), .agendaCompartilhada(AgendaCompartilhada(usuario: user, chave: key, em: time)))
        case 8 where minutes.isMultiple(of: 4):
            try record(.preferencias(user), .agendaRecolhida(AgendaRecolhida(usuario: user, em: time)))
        case 9: try record(.webhook(hook), .webhookCadastrado(try webhook(hook, minutes)))
        case 10:
            let off = WebhookDesativado(webhook: hook, motivo: .falhas, em: time)
            let on = WebhookReativado(webhook: hook, por: admin, em: time)
            try record(.webhook(hook), minutes.isMultiple(of: 2) ? .webhookDesativado(off) : .webhookReativado(on))
        case 11 where minutes.isMultiple(of: 4):
            try record(.webhook(hook), .webhookRemovido(WebhookRemovido(webhook: hook, por: admin, em: time)))
        default:
            guard let filter = FiltroDeEventos("usuarios.*") else { throw Samples.Impossible() }
            let changed = WebhookAlterado(webhook: hook, endereco: "https://b/\(minutes)", tipos: [filter], por: admin, em: time)
            try record(.webhook(hook), .webhookAlterado(changed))
        }
    }

    static func request(_ id: NotificacaoID, _ user: UsuarioID, _ minutes: Int) -> NotificacaoSolicitada {
        let channel: Canal = minutes.isMultiple(of: 3) ? .email : .app
        return NotificacaoSolicitada(
            notificacao: id, aviso: .reservaConfirmada, canal: channel, destinatario: user, idioma: .portugues,
            titulo: PlainOpener.seal("titulo \(minutes)", field: "titulo"), texto: PlainOpener.seal("texto \(minutes)", field: "texto"),
            reserva: minutes.isMultiple(of: 2) ? Samples.id(minutes) : nil, enviarEm: Samples.time(minutes), em: Samples.time(minutes)
        )
    }

    private static func webhook(_ id: WebhookID, _ minutes: Int) throws -> WebhookCadastrado {
        guard let filter = FiltroDeEventos("reservas.*") else { throw Samples.Impossible() }
        return WebhookCadastrado(
            webhook: id, endereco: "https://a/\(minutes)", tipos: [filter], segredo: Selado("s"), por: Samples.id(1),
            em: Samples.time(minutes)
        )
    }
}

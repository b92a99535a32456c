import Domain

/// What the audit trail says of an event beyond its type and stream. Never a person's data: that stays sealed in the log.
enum AuditDetail {
    static func of(_ event: EventoDoDominio) -> [String: String] {
        switch event {
        case .usuarios(let event): of(event)
        case .espacos(let event): of(event)
        case .precos(let event): of(event)
        case .reservas(let event): of(event)
        }
    }

    private static func of(_ event: EventoDeUsuarios) -> [String: String] {
        switch event {
        case .usuarioCadastrado(let event): ["role": event.papel.rawValue, "origin": event.origem.rawValue]
        case .perfilAtualizado(let event): ["name": changed(event.nome), "email": changed(event.email)].compactMapValues(\.self)
        case .papelAlterado(let event): ["from": event.de.rawValue, "to": event.para.rawValue]
        case .loginRealizado(let event): ["user": event.usuario.texto]
        case .sessaoRevogada(let event): ["user": event.usuario.texto, "reason": event.motivo.rawValue]
        case .emailReservado, .emailLiberado, .senhaAlterada, .usuarioBloqueado, .usuarioApagado: [:]
        }
    }

    private static func changed(_ sealed: Selado?) -> String? {
        sealed == nil ? nil : "changed"
    }

    private static func of(_ event: EventoDeEspacos) -> [String: String] {
        switch event {
        case .unidadeCriada(let event): ["name": event.nome, "time_zone": event.fuso]
        case .unidadeAtualizada(let event): ["name": event.nome, "time_zone": event.fuso]
        case .espacoCriado(let event): ["unit": event.unidade.texto, "name": event.ficha.nome, "type": event.ficha.tipo.rawValue]
        case .espacoAtualizado(let event): ["name": event.ficha.nome, "type": event.ficha.tipo.rawValue]
        case .fechamentoDefinido(let event):
            [
                "closure": event.fechamento.id.texto, "from": event.fechamento.periodo.inicio.texto,
                "to": event.fechamento.periodo.fim.texto,
            ]
        case .fechamentoRemovido(let event): ["closure": event.fechamento.texto]
        case .regrasDeReservaDefinidas(let event): ["version": String(event.versao.numero)]
        case .horarioDefinido, .espacoDesativado, .espacoReativado: [:]
        }
    }

    private static func of(_ event: EventoDePrecos) -> [String: String] {
        switch event {
        case .tarifarioPublicado(let event): ["version": String(event.versao.numero), "effective_from": event.vigenteDesde.texto]
        case .planoPublicado(let event): ["version": String(event.versao.numero), "discount": String(event.desconto.valor)]
        }
    }

    private static func of(_ event: EventoDeReservas) -> [String: String] {
        switch event {
        case .reservaSolicitada(let event):
            [
                "user": event.usuario.texto, "space": event.espaco.texto, "start": event.horario.intervalo.inicio.texto,
                "end": event.horario.intervalo.fim.texto, "total_cents": String(event.cotacao.total.centavos),
            ]
        case .reservaConfirmada(let event): ["reason": event.motivo.rawValue]
        case .reservaExpirada(let event): ["expired_at": event.expiraEm.texto]
        case .reservaRemarcada(let event):
            [
                "start": event.para.intervalo.inicio.texto, "end": event.para.intervalo.fim.texto,
                "difference_cents": String(event.diferenca.centavos),
            ]
        case .reservaCancelada(let event):
            ["reason": event.motivo.rawValue, "refund_cents": String(event.reembolso.valor.centavos)]
        case .reservaConcluida, .horarioOcupado, .horarioLiberado: [:]
        }
    }
}

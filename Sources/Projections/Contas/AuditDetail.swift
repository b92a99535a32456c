import Domain

/// What the audit trail says of an event beyond its type and stream. Never a person's data: that stays sealed in the log.
enum AuditDetail {
    static func of(_ event: EventoDoDominio) -> [String: String] {
        switch event {
        case .usuarios(let event): of(event)
        case .espacos(let event): of(event)
        case .precos(let event): of(event)
        case .reservas(let event): of(event)
        case .notificacoes(let event): of(event)
        case .pagamentos(let event): of(event)
        case .checkin(let event): of(event)
        case .analytics(.ocupacaoDiariaApurada(let event)): ["day": event.dia.texto, "revision": String(event.revisao)]
        case .financeiro(let event): of(event)
        }
    }

    private static func of(_ event: EventoDeUsuarios) -> [String: String] {
        switch event {
        case .usuarioCadastrado(let event): ["role": event.papel.rawValue, "origin": event.origem.rawValue]
        case .perfilAtualizado(let event): ["name": changed(event.nome), "email": changed(event.email)].compactMapValues(\.self)
        case .papelAlterado(let event):
            (["from": event.de.rawValue, "to": event.para.rawValue, "units": written(event.unidades)] as [String: String?])
                .compactMapValues(\.self)
        case .loginRealizado(let event): ["user": event.usuario.texto]
        case .sessaoRevogada(let event): ["user": event.usuario.texto, "reason": event.motivo.rawValue]
        case .emailReservado, .emailLiberado, .senhaAlterada, .usuarioBloqueado, .usuarioDesbloqueado, .usuarioApagado: [:]
        }
    }

    private static func written(_ units: [UnidadeID]?) -> String? {
        units?.map(\.texto).joined(separator: ",")
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
        case .cupomCriado(let event): ["max_uses": String(event.termos.limiteDeUsos)]
        case .cupomUsado(let event):
            [
                "reservation": event.reserva.texto, "user": event.usuario.texto,
                "discount_cents": String(event.desconto.centavos),
            ]
        case .cupomDevolvido(let event): ["reservation": event.reserva.texto, "user": event.usuario.texto]
        case .cupomDesativado: [:]
        case .assinaturaIniciada(let event): subscription(event.plano, event.planoVersao, event.mensalidade, event.periodo)
        case .assinaturaRenovada(let event): subscription(event.plano, event.planoVersao, event.mensalidade, event.periodo)
        case .planoTrocado(let event):
            [
                "from": event.de.texto, "plan": event.para.texto, "version": String(event.paraVersao.numero),
                "difference_cents": String(event.diferenca.centavos), "days": "\(event.diasRestantes)/\(event.dias)",
            ]
        case .trocaDePlanoMarcada(let event):
            ["from": event.de.texto, "plan": event.para.texto, "effective_at": event.valeDesde.texto]
        case .trocaDePlanoDesfeita(let event): ["plan": event.para.texto]
        case .assinaturaCancelada(let event):
            ["plan": event.plano.texto, "reason": event.motivo.rawValue, "ends_at": event.terminaEm.texto]
        case .creditosConcedidos(let event): ["minutes": String(event.minutos.valor), "origin": event.origem.rawValue]
        case .creditosConsumidos(let event): ["reservation": event.reserva.texto, "minutes": String(event.lotes.total.valor)]
        case .creditosDevolvidos(let event): ["reservation": event.reserva.texto, "minutes": String(event.lotes.total.valor)]
        }
    }

    private static func subscription(
        _ plan: PlanoID,
        _ version: VersaoDeRegra,
        _ fee: Dinheiro,
        _ period: PeriodoDaAssinatura
    ) -> [String: String] {
        [
            "plan": plan.texto, "version": String(version.numero), "fee_cents": String(fee.centavos), "period": String(period.numero),
            "until": period.fim.texto,
        ]
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
        case .reservaAprovada(let event): ["by": event.por.texto]
        case .convidadosDefinidos(let event): ["guests": String(event.convidados.count)]
        case .serieCriada(let event):
            [
                "user": event.usuario.texto, "space": event.espaco.texto, "rule": event.regra.texto,
                "bookings": String(event.ocorrencias.count), "skipped": String(event.puladas.count),
            ]
        case .serieAlterada(let event): ["scope": event.alcance.rawValue, "moved": String(event.movidas.count)]
        case .serieEncerrada(let event): ["scope": event.alcance.rawValue, "cancelled": String(event.canceladas.count)]
        case .esperaInscrita(let event):
            [
                "user": event.usuario.texto, "space": event.espaco.texto, "start": event.intervalo.inicio.texto,
                "end": event.intervalo.fim.texto,
            ]
        case .esperaOferecida(let event): ["user": event.usuario.texto, "booking": event.reserva.texto]
        case .esperaAtendida(let event): ["user": event.usuario.texto, "booking": event.reserva.texto]
        case .esperaVencida(let event): ["user": event.usuario.texto, "reason": event.motivo.rawValue]
        case .esperaRetirada(let event): ["user": event.usuario.texto]
        case .reservaRetomada(let event): ["payment": event.pagamento.texto]
        case .reservaNaoComparecida(let event):
            ["expected_by": event.limite.texto, "refund_cents": String(event.reembolso.valor.centavos)]
        case .reservaConcluida, .horarioOcupado, .horarioLiberado: [:]
        }
    }

    private static func of(_ event: EventoDeNotificacoes) -> [String: String] {
        switch event {
        case .notificacaoSolicitada(let event):
            ["kind": event.aviso.rawValue, "channel": event.canal.rawValue, "user": event.destinatario?.texto].compactMapValues(\.self)
        case .notificacaoEnviada(let event): ["attempt": String(event.tentativa)]
        case .notificacaoFalhou(let event): ["attempt": String(event.tentativa), "reason": event.motivo.rawValue]
        case .preferenciasDefinidas(let event): ["language": event.idioma.rawValue]
        case .webhookCadastrado(let event): ["types": event.tipos.map(\.texto).joined(separator: " ")]
        case .webhookAlterado(let event): ["types": event.tipos.map(\.texto).joined(separator: " ")]
        case .webhookDesativado(let event): ["reason": event.motivo.rawValue]
        case .notificacaoLida, .agendaCompartilhada, .agendaRecolhida, .webhookReativado, .webhookRemovido: [:]
        }
    }

    private static func of(_ event: EventoDePagamentos) -> [String: String] {
        switch event {
        case .cobrancaCriada(let event):
            ["user": event.usuario.texto, "for": event.causa.tipo, "amount_cents": String(event.valor.centavos)]
        case .cobrancaAlterada(let event): ["from_cents": String(event.de.centavos), "to_cents": String(event.para.centavos)]
        case .pixGerado(let event): ["transaction": event.transacao.texto, "amount_cents": String(event.valor.centavos)]
        case .pagamentoAprovado(let event):
            [
                "transaction": event.transacao.texto, "method": event.metodo.rawValue, "amount_cents": String(event.valor.centavos),
                "settles": String(event.quita), "late": String(event.tardio),
            ]
        case .pagamentoRecusado(let event): ["transaction": event.transacao.texto, "reason": event.motivo.rawValue]
        case .tentativaRespondida(let event):
            ["transaction": event.transacao.texto, "reason": event.recusa?.rawValue].compactMapValues(\.self)
        case .cobrancaExpirada(let event): ["reason": event.motivo.rawValue]
        case .estornoSolicitado(let event):
            ["refund": event.estorno.texto, "amount_cents": String(event.valor.centavos), "reason": event.motivo.rawValue]
        case .pagamentoEstornado(let event): ["refund": event.estorno.texto, "amount_cents": String(event.valor.centavos)]
        case .estornoRecusado(let event): ["refund": event.estorno.texto, "reason": event.motivo.rawValue]
        }
    }

    private static func of(_ event: EventoDeCheckin) -> [String: String] {
        switch event {
        case .checkinRealizado(let event): ["user": event.usuario.texto, "by": event.meio.rawValue]
        case .checkoutRealizado(let event):
            ["user": event.usuario.texto, "by": event.meio.rawValue, "freed_from": event.liberadoDesde?.texto].compactMapValues(\.self)
        case .naoComparecimentoRegistrado(let event): ["user": event.usuario.texto, "expected_by": event.limite.texto]
        case .excedenteApurado(let event):
            ["user": event.usuario.texto, "steps": String(event.passos), "amount_cents": String(event.valor.centavos)]
        case .painelAutorizado(let event): ["space": event.espaco.texto, "until": event.venceEm.texto]
        case .painelRevogado(let event): ["space": event.espaco.texto]
        }
    }

    private static func of(_ event: EventoDeFinanceiro) -> [String: String] {
        switch event {
        case .lancamentoRegistrado(let event):
            ["kind": event.historico.codigo, "date": event.data.texto, "amount_cents": String(event.partidas.total.centavos)]
        case .periodoFechado(let event): ["month": event.mes.texto]
        case .despesaRegistrada(let event):
            ["category": event.categoria.codigo, "date": event.data.texto, "amount_cents": String(event.valor.centavos)]
        case .despesaEstornada(let event): ["entry": event.lancamento.texto]
        case .prazoDosLivrosProrrogado(let event): ["year": String(event.ano.ano), "until": event.ate.texto]
        case .prazoDosLivrosEncerrado(let event): ["year": String(event.ano.ano)]
        }
    }
}

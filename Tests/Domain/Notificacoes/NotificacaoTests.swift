import Domain
import Testing

/// One message to one person: asked for once, settled once.
@Suite struct NotificacaoTests {
    private func pedido(_ canal: Canal = .email, em: Instante, enviarEm: Instante? = nil) -> NotificacaoSolicitada {
        NotificacaoSolicitada(
            notificacao: id(1), aviso: .reservaConfirmada, canal: canal, destinatario: id(2), idioma: .portugues, titulo: Selado("t"),
            texto: Selado("x"), reserva: id(3), versaoDaReserva: 2, causa: id(4), enviarEm: enviarEm ?? em, em: em
        )
    }

    private func estado(_ decididos: [EventosDoFluxo]...) throws -> Notificacao {
        .dobrar(try decididos.flatMap { try gravados($0) })
    }

    @Test("What is asked for again is there already, whatever became of it")
    func umaVez() throws {
        let agora = try instante("2026-03-02T12:00:00Z")
        let comando = SolicitarNotificacao(pedido(em: agora))
        let solicitada = comando.decidir(notificacao: .inexistente)
        #expect(solicitada.map(\.fluxo) == [.notificacao(id(1))])
        #expect(solicitada.flatMap(\.eventos).count == 1)
        let pendente = try estado(solicitada)
        #expect(comando.decidir(notificacao: pendente).isEmpty)
        let entregue = tentar(.entregue, agora, pendente)
        #expect(comando.decidir(notificacao: try estado(solicitada, entregue)).isEmpty)
        #expect(comando.decidir(notificacao: try estado(solicitada, tentar(.recusada(.recusada), agora, pendente))).isEmpty)
    }

    @Test("What lies in the app has arrived, and is read once by whom it is for")
    func noApp() throws {
        let agora = try instante("2026-03-02T12:00:00Z")
        let solicitada = SolicitarNotificacao(pedido(.app, em: agora)).decidir(notificacao: .inexistente)
        #expect(solicitada.flatMap(\.eventos).count == 2)
        let enviada = try estado(solicitada)
        let lida = try MarcarComoLida(notificacao: id(1), usuario: id(2), agora: agora).decidir(notificacao: enviada)
        #expect(lida.flatMap(\.eventos).count == 1)
        #expect(try MarcarComoLida(notificacao: id(1), usuario: id(2), agora: agora).decidir(notificacao: estado(solicitada, lida)).isEmpty)
        #expect(throws: RecusaDeNotificacoes.notificacaoNaoEncontrada) {
            try MarcarComoLida(notificacao: id(1), usuario: id(9), agora: agora).decidir(notificacao: enviada)
        }
        #expect(throws: RecusaDeNotificacoes.notificacaoNaoEncontrada) {
            try MarcarComoLida(notificacao: id(1), usuario: id(2), agora: agora)
                .decidir(notificacao: estado(SolicitarNotificacao(pedido(.sms, em: agora)).decidir(notificacao: .inexistente)))
        }
    }

    private func tentar(_ resultado: RegistrarTentativa.Resultado, _ agora: Instante, _ estado: Notificacao) -> [EventosDoFluxo] {
        RegistrarTentativa(notificacao: id(1), resultado: resultado, tentativa: 3, agora: agora).decidir(notificacao: estado)
    }

    @Test("A message is tried for a day from when it might first have been sent, then it has failed; what is settled stays so")
    func prazo() throws {
        let pedida = try instante("2026-03-02T02:00:00Z")
        let primeira = try instante("2026-03-02T10:00:00Z")
        let solicitada = SolicitarNotificacao(pedido(em: pedida, enviarEm: primeira)).decidir(notificacao: .inexistente)
        let pendente = try estado(solicitada)
        #expect(tentar(.adiada, primeira + .horas(23), pendente).isEmpty)
        let falhou = tentar(.adiada, primeira + .horas(24), pendente)
        #expect(
            try evento(0, falhou)
                == .notificacoes(
                    .notificacaoFalhou(
                        NotificacaoFalhou(notificacao: id(1), motivo: .prazoEsgotado, tentativa: 3, em: primeira + .horas(24))))
        )
        let depois = try estado(solicitada, falhou)
        for resultado in [RegistrarTentativa.Resultado.entregue, .adiada, .recusada(.recusada)] {
            #expect(tentar(resultado, primeira, depois).isEmpty)
            #expect(tentar(resultado, primeira, .inexistente).isEmpty)
        }
        #expect(tentar(.recusada(.semEndereco), primeira, pendente).flatMap(\.eventos).count == 1)
    }

    @Test("What happened a day ago is not told any more")
    func velho() throws {
        let agora = try instante("2026-03-02T12:00:00Z")
        #expect(SolicitarNotificacao.aindaInteressa(agora - .horas(23), agora: agora))
        #expect(!SolicitarNotificacao.aindaInteressa(agora - .horas(24), agora: agora))
    }
}

import Domain
import Testing

/// Addresses that are told of events.
@Suite struct WebhookTests {
    private let admin = Ator(usuario: id(5), papel: .admin)

    private func cadastrar(tipos: [FiltroDeEventos]? = nil, ator: Ator? = nil) throws -> [EventosDoFluxo] {
        try CadastrarWebhook(
            webhook: id(1), endereco: "https://example.com/", tipos: try tipos ?? [filtro("reservas.*")], segredo: Selado("s"),
            ator: ator ?? admin, agora: try instante("2026-03-02T12:00:00Z")
        ).decidir(webhook: .inexistente)
    }

    private func filtro(_ texto: String) throws -> FiltroDeEventos { try #require(FiltroDeEventos(texto)) }

    private func mudar(_ mudanca: MudarWebhook.Mudanca, _ estado: Webhook, ator: Ator? = nil) throws -> [EventosDoFluxo] {
        try MudarWebhook(webhook: id(1), mudanca: mudanca, ator: ator ?? admin, agora: instante("2026-03-02T13:00:00Z"))
            .decidir(webhook: estado)
    }

    @Test("A webhook is switched off and on, changed and removed; what is so already changes nothing")
    func vida() throws {
        var eventos = try gravados(cadastrar())
        func estado() -> Webhook { .dobrar(eventos) }
        #expect(try mudar(.reativar, estado()).isEmpty)
        #expect(try mudar(.alterar(endereco: "https://example.com/", tipos: [filtro("reservas.*")]), estado()).isEmpty)
        eventos += try gravados(mudar(.alterar(endereco: "https://example.com/b", tipos: [filtro("usuarios.*")]), estado()))
        #expect(estado().dados?.endereco == "https://example.com/b")
        eventos += try gravados(DesativarPorFalhas(webhook: id(1), agora: instante("2026-03-02T14:00:00Z")).decidir(webhook: estado()))
        guard case .desativado(_, .falhas) = estado() else { Issue.record("\(estado())"); return }
        #expect(try DesativarPorFalhas(webhook: id(1), agora: instante("2026-03-02T14:00:00Z")).decidir(webhook: estado()).isEmpty)
        #expect(try mudar(.desativar, estado()).isEmpty)
        eventos += try gravados(mudar(.reativar, estado()))
        guard case .ativo = estado() else { Issue.record("\(estado())"); return }
        eventos += try gravados(mudar(.remover, estado()))
        #expect(try mudar(.remover, estado()).isEmpty)
        #expect(throws: RecusaDeNotificacoes.webhookNaoEncontrado) { try mudar(.reativar, estado()) }
        #expect(throws: RecusaDeNotificacoes.webhookNaoEncontrado) { try mudar(.remover, .inexistente) }
    }

    @Test("Only an administrator may, and for some events")
    func recusas() throws {
        let gestor = Ator(usuario: id(6), papel: .gestor)
        #expect(throws: RecusaDeNotificacoes.proibido) { try cadastrar(ator: gestor) }
        #expect(throws: RecusaDeNotificacoes.proibido) { try mudar(.remover, .dobrar(gravados(cadastrar())), ator: gestor) }
        #expect(throws: RecusaDeNotificacoes.tiposDemais(maximo: 50)) { try cadastrar(tipos: []) }
        #expect(throws: RecusaDeNotificacoes.tiposDemais(maximo: 50)) {
            try cadastrar(tipos: Array(repeating: filtro("reservas.*"), count: 51))
        }
    }

    @Test(
        "A filter names a type of event or all of a context",
        arguments: [
            ("reservas.*", "reservas.ReservaConfirmada", true), ("reservas.*", "reservasx.A", false),
            ("reservas.ReservaConfirmada", "reservas.ReservaConfirmada", true),
            ("reservas.ReservaConfirmada", "reservas.ReservaCancelada", false),
        ]
    )
    func filtros(texto: String, tipo: String, aceito: Bool) throws {
        #expect(try filtro(texto).aceita(tipo) == aceito)
    }

    @Test("What is no name is no filter", arguments: ["", "*", "reservas", "reservas.", ".A", "a.b.c", "reservas.*x", "réservas.*"])
    func semFiltro(texto: String) {
        #expect(FiltroDeEventos(texto) == nil)
    }

    @Test("Every refusal has a code and says why in both languages")
    func frases() {
        let recusas: [RecusaDeNotificacoes] = [
            .notificacaoNaoEncontrada, .webhookNaoEncontrado, .proibido, .canalDesligado(.sms), .semEndereco(.push),
            .destinatarioNaoEncontrado, .tiposDemais(maximo: 1), .webhooksDemais(maximo: 1),
        ]
        #expect(Set(recusas.map(\.codigo)).count == recusas.count)
        for recusa in recusas { #expect(recusa.frase(em: .portugues) != recusa.frase(em: .ingles)) }
    }
}

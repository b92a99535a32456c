import Testing

@testable import Domain

/// Another plan within a period: a dearer one at once, any other with the renewal.
@Suite struct TrocaDePlanoTests {
    private let ana = Ator(usuario: id(1), papel: .membro)
    private let zona: ZonaHoraria
    /// Plans as published: 10, 20 and 40 hours for 310, 620 and 299 reais.
    private let planos: [PlanoID: Plano]
    private let terceiro: PlanoID

    init() throws {
        zona = try zonaDoSistema("America/Sao_Paulo")
        terceiro = try #require(PlanoID("equipes"))
        planos = [
            .premium: try Self.publicado(.premium, 31_000, horas: 10), .enterprise: try Self.publicado(.enterprise, 62_000, horas: 20),
            terceiro: try Self.publicado(terceiro, 29_900, horas: 40),
        ]
    }

    private static func publicado(_ plano: PlanoID, _ centavos: Int64, horas: Int) throws -> Plano {
        let comando = PublicarPlano(
            plano: plano, nome: plano.texto, desconto: try percentual(10), mensalidade: reais(centavos),
            creditosMensais: try minutos(60 * horas), mesesDeValidade: 1, por: .linhaDeComando, agora: Instante(segundos: 0)
        )
        return .dobrar(try gravados(comando.decidir(plano: .inicial)))
    }

    /// The stream of Ana's subscription.
    private struct Fluxo {
        var eventos: [EventoDoDominio] = []
        var assinatura: Assinatura { .dobrar(eventos) }
        var mensalidades: Mensalidades { .dobrar(eventos) }

        mutating func gravar(_ decididos: [EventosDoFluxo]) throws { eventos += try gravados(decididos) }
    }

    /// A subscription that began then; in March its first period has 31 days.
    private func assinada(_ plano: PlanoID = .premium, em inicio: String = "2026-03-01T12:00:00-03:00") throws -> Fluxo {
        var fluxo = Fluxo()
        let comando = AssinarPlano(
            usuario: ana.usuario, plano: plano, ator: ana, lote: id(500), zona: zona, agora: try instante(inicio)
        )
        try fluxo.gravar(comando.decidir(assinatura: .inicial, plano: planos[plano] ?? .inicial))
        return fluxo
    }

    private func trocar(_ fluxo: Fluxo, _ plano: PlanoID, em agora: String, ator: Ator? = nil) throws -> [EventosDoFluxo] {
        try TrocarPlano(usuario: ana.usuario, plano: plano, ator: ator ?? ana, lote: id(501), zona: zona, agora: try instante(agora))
            .decidir(
                assinatura: fluxo.assinatura,
                atual: planos[fluxo.assinatura.dados?.plano ?? .basic] ?? .inicial,
                novo: planos[plano] ?? .inicial
            )
    }

    @Test(
        "A dearer plan holds at once and costs the difference of the days that are left, today included",
        arguments: [
            ("2026-03-01T12:00:00-03:00", 31, 31_000, 600), ("2026-03-16T09:00:00-03:00", 16, 16_000, 309),
            ("2026-03-31T23:59:00-03:00", 1, 1_000, 19),
        ] as [(String, Int, Int64, Int)]
    )
    func dearer(quando: String, restantes: Int, diferenca: Int64, minutosAMais: Int) throws {
        var fluxo = try assinada()
        let agora = try instante(quando)
        try fluxo.gravar(trocar(fluxo, .enterprise, em: quando))

        guard case .precos(.planoTrocado(let troca)) = fluxo.eventos[2] else { throw Inesperado() }
        #expect(troca.dias == 31 && troca.diasRestantes == restantes && troca.diferenca == reais(diferenca))
        #expect(troca.de == .premium && troca.deMensalidade == reais(31_000) && troca.paraMensalidade == reais(62_000))
        #expect(troca.venceEm == agora + .horas(120))
        let assinatura = fluxo.assinatura
        #expect(assinatura.plano(em: agora) == .enterprise)
        // What it included before and what it includes more, both to the end of the period
        #expect(assinatura.carteira.saldo(em: agora) == 600 + minutosAMais)
        let fim = try #require(assinatura.dados).periodo.fim
        #expect(assinatura.carteira.saldo(em: fim) == 0)
        #expect(try fim == instante("2026-04-01T00:00:00-03:00"))
        // A repeat does nothing
        #expect(try trocar(fluxo, .enterprise, em: quando).isEmpty)
        // The difference is a fee of its own, charged once
        #expect(fluxo.mensalidades.todas.map(\.valor) == [reais(31_000), reais(diferenca)])
        #expect(Set(fluxo.mensalidades.todas.map(\.causa.pagamento)).count == 2)
    }

    @Test("Half a centavo goes to the even one", arguments: [(1, 0), (3, 2), (5, 2)] as [(Int64, Int64)])
    func rounding(centavosAMais: Int64, diferenca: Int64) throws {
        // April has thirty days, and fifteen of them are left
        var fluxo = try assinada(em: "2026-04-01T12:00:00-03:00")
        let comando = TrocarPlano(
            usuario: ana.usuario, plano: .enterprise, ator: ana, lote: id(501), zona: zona, agora: try instante("2026-04-16T12:00:00-03:00")
        )
        let outro = try Self.publicado(.enterprise, 31_000 + centavosAMais, horas: 10)
        try fluxo.gravar(comando.decidir(assinatura: fluxo.assinatura, atual: planos[.premium] ?? .inicial, novo: outro))
        guard case .precos(.planoTrocado(let troca)) = fluxo.eventos.last else { throw Inesperado() }
        #expect(troca.dias == 30 && troca.diasRestantes == 15 && troca.diferenca == reais(diferenca))
        // What rounds to nothing is not charged; and no minutes come where the plan includes no more
        #expect(fluxo.mensalidades.todas.count == (diferenca == 0 ? 1 : 2) && fluxo.assinatura.carteira.lotes.count == 1)
    }

    @Test func aCheaperPlanHoldsFromTheRenewalOnAndCanBeTakenBackBefore() throws {
        var fluxo = try assinada(.enterprise)
        let quando = "2026-03-16T09:00:00-03:00"
        let antes = fluxo.assinatura
        try fluxo.gravar(trocar(fluxo, .premium, em: quando))
        #expect(try trocar(fluxo, .premium, em: quando).isEmpty)
        #expect(fluxo.assinatura.plano(em: try instante(quando)) == .enterprise)
        #expect(fluxo.assinatura.dados?.seguinte == .premium && fluxo.assinatura.carteira == antes.carteira)
        #expect(fluxo.mensalidades.todas.count == 1)

        // Taken back, by itself or by asking for the plan that there is
        var desfeita = fluxo
        let desfazer = DesfazerTroca(usuario: ana.usuario, ator: ana, agora: try instante(quando))
        try desfeita.gravar(desfazer.decidir(assinatura: desfeita.assinatura))
        #expect(desfeita.assinatura == antes)
        #expect(try desfazer.decidir(assinatura: desfeita.assinatura).isEmpty)
        var pedida = fluxo
        try pedida.gravar(trocar(pedida, .enterprise, em: quando))
        #expect(pedida.assinatura == antes)

        // When it renews
        let fim = try #require(fluxo.assinatura.dados).periodo.fim
        let renovar = RenovarAssinatura(usuario: ana.usuario, lote: id(502), zona: zona, agora: fim)
        let novo = planos[fluxo.assinatura.dados?.seguinte ?? .basic] ?? .inicial
        try fluxo.gravar(renovar.decidir(assinatura: fluxo.assinatura, plano: novo, conta: try conta()))
        let dados = try #require(fluxo.assinatura.dados)
        #expect(dados.plano == .premium && dados.mensalidade == reais(31_000) && dados.seguinte == nil)
        #expect(fluxo.assinatura.carteira.saldo(em: fim) == 600)
    }

    private func conta() throws -> Conta {
        let chave = try #require(ChaveDeEmail(String(repeating: "a", count: 64)))
        let cadastro = UsuarioCadastrado(
            usuario: ana.usuario, nome: Selado("n"), email: Selado("e"), chaveDoEmail: chave, senha: Selado("s"), papel: .membro,
            origem: .proprio, em: Instante(segundos: 0)
        )
        return .dobrar([.usuarios(.usuarioCadastrado(cadastro))])
    }

    @Test func fewerReaisAreNoUpgradeHoweverManyHours() throws {
        var fluxo = try assinada()
        try fluxo.gravar(trocar(fluxo, terceiro, em: "2026-03-16T09:00:00-03:00"))
        #expect(fluxo.assinatura.dados?.seguinte == terceiro)
        // And a dearer one at once forgets it
        try fluxo.gravar(trocar(fluxo, .enterprise, em: "2026-03-17T09:00:00-03:00"))
        #expect(fluxo.assinatura.dados?.plano == .enterprise && fluxo.assinatura.dados?.seguinte == nil)
    }

    @Test func whoMayChangeAndWhatTo() throws {
        let fluxo = try assinada()
        let (quando, bia) = ("2026-03-16T09:00:00-03:00", Ator(usuario: id(2), papel: .membro))
        #expect(throws: RecusaDePrecos.soEquipe) { try trocar(fluxo, .enterprise, em: quando, ator: bia) }
        #expect(try !trocar(fluxo, .enterprise, em: quando, ator: Ator(usuario: id(3), papel: .recepcao)).isEmpty)
        let nenhum = try #require(PlanoID("nenhum"))
        #expect(throws: RecusaDePrecos.planoInexistente(nenhum)) { try trocar(fluxo, nenhum, em: quando) }
        #expect(throws: RecusaDePrecos.semAssinatura) { try trocar(Fluxo(), .enterprise, em: quando) }
        // When the period is over, the renewal comes first
        #expect(throws: RecusaDePrecos.renovando) { try trocar(fluxo, .enterprise, em: "2026-04-01T00:00:00-03:00") }
        #expect(try trocar(fluxo, .premium, em: quando).isEmpty)

        var cancelada = fluxo
        try cancelada.gravar(
            CancelarAssinatura(usuario: ana.usuario, ator: ana, agora: try instante(quando)).decidir(assinatura: cancelada.assinatura))
        #expect(throws: RecusaDePrecos.jaAssina(plano: .premium, ate: try data("2026-04-01"))) {
            try trocar(cancelada, .enterprise, em: quando)
        }
        #expect(throws: RecusaDePrecos.semAssinatura) {
            try DesfazerTroca(usuario: ana.usuario, ator: ana, agora: try instante(quando)).decidir(assinatura: cancelada.assinatura)
        }
    }

    @Test func theLedgerEarnsTheDifferenceOverTheDaysThatAreLeft() throws {
        var fluxo = try assinada()
        try fluxo.gravar(trocar(fluxo, .enterprise, em: "2026-03-16T09:00:00-03:00"))
        func razao(_ fatos: [EventoDoDominio], em agora: String) throws -> [ContaContabil: Int64] {
            let fatos = fatos.enumerated().map {
                Fato(id: Domain.Identificador(alto: 0, baixo: UInt64($0.offset + 1)), fluxo: .assinatura(id(1)), evento: $0.element)
            }
            var saldos: [ContaContabil: Int64] = [:]
            for linha in try RazaoDaAssinatura.lancamentos(de: fatos, zona: zona, agora: try instante(agora)).flatMap(\.partidas.linhas) {
                let centavos = linha.lado == .debito ? linha.valor.centavos : -linha.valor.centavos
                saldos[linha.conta, default: 0] += linha.conta.grupo.devedor ? centavos : -centavos
            }
            return saldos.filter { $0.value != 0 }
        }
        // Ten reais a day for fifteen days, twenty for the first of those that are left
        #expect(
            try razao(fluxo.eventos, em: "2026-03-17T00:00:00-03:00") == [
                .aReceber: 47_000, .receitaDePlanos: 17_000, .receitaAntecipada: 30_000,
            ])
        #expect(try razao(fluxo.eventos, em: "2026-04-01T00:00:00-03:00") == [.aReceber: 47_000, .receitaDePlanos: 47_000])
        // Where the difference is not paid, the subscription ends, and nothing of what was not paid stays
        let fim = AssinaturaCancelada(
            usuario: id(1), plano: .enterprise, motivo: .faltaDePagamento, terminaEm: try instante("2026-03-26T12:00:00-03:00"),
            em: try instante("2026-03-26T12:00:00-03:00")
        )
        #expect(try razao(fluxo.eventos + [.precos(.assinaturaCancelada(fim))], em: "2026-04-02T00:00:00-03:00") == [:])
    }
}

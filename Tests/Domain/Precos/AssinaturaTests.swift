import Domain
import Testing

@Suite struct AssinaturaTests {
    let ana = Ator(usuario: id(1), papel: .membro)
    let bia = Ator(usuario: id(2), papel: .membro)
    let recepcao = Ator(usuario: id(3), papel: .recepcao)

    private let conta: Conta

    init() throws {
        let chave = try #require(ChaveDeEmail(String(repeating: "a", count: 64)))
        conta = Conta.dobrar([
            .usuarios(
                .usuarioCadastrado(
                    UsuarioCadastrado(
                        usuario: ana.usuario,
                        nome: Selado("nome"),
                        email: Selado("email"),
                        chaveDoEmail: chave,
                        senha: Selado("senha"),
                        papel: .membro,
                        origem: .proprio,
                        em: Instante(segundos: 0)
                    )
                )
            )
        ])
    }

    private func plano(minutos valor: Int = 600, meses: Int = 1, mensalidade: Int64 = 29_900, sobre anterior: Plano = .inicial) throws
        -> Plano
    {
        let comando = PublicarPlano(
            plano: .premium,
            nome: "Premium",
            desconto: try percentual(10),
            mensalidade: reais(mensalidade),
            creditosMensais: try minutos(valor),
            mesesDeValidade: meses,
            por: .linhaDeComando,
            agora: Instante(segundos: 0)
        )
        return try gravados(comando.decidir(plano: anterior)).reduce(anterior) { $0.evoluindo(com: $1) }
    }

    private func assinar(_ plano: Plano, em agora: String, sobre anterior: Assinatura = .inicial, ator: Ator? = nil) throws -> Assinatura {
        let comando = AssinarPlano(
            usuario: ana.usuario,
            plano: .premium,
            ator: ator ?? ana,
            lote: id(500),
            zona: try zona("America/Sao_Paulo"),
            agora: try instante(agora)
        )
        return try gravados(comando.decidir(assinatura: anterior, plano: plano)).reduce(anterior) { $0.evoluindo(com: $1) }
    }

    private func renovar(_ assinatura: Assinatura, _ plano: Plano, em agora: Instante, conta: Conta? = nil) throws -> [EventoDoDominio] {
        let numero = UInt64(assinatura.dados?.periodo.numero ?? 0)
        let comando = RenovarAssinatura(
            usuario: ana.usuario,
            lote: id(500 + numero),
            zona: try zona("America/Sao_Paulo"),
            agora: agora
        )
        return try gravados(comando.decidir(assinatura: assinatura, plano: plano, conta: conta ?? self.conta))
    }

    @Test func aSubscriptionBeginsAtOnceWithItsPlanAndItsHours() throws {
        let assinatura = try assinar(try plano(), em: "2026-03-02T12:00:00Z")

        let agora = try instante("2026-03-02T12:00:00Z")
        #expect(assinatura.plano(em: agora) == .premium)
        #expect(assinatura.carteira.saldo(em: agora) == 600)
        let dados = try #require(assinatura.dados)
        #expect(dados.mensalidade == reais(29_900) && dados.planoVersao.numero == 1)
        #expect(dados.periodo.inicio == agora)
        #expect(try dados.periodo.fim == instante("2026-04-02T00:00:00-03:00"))
        #expect(assinatura.carteira.saldo(em: dados.periodo.fim) == 0)
    }

    @Test func subscribingTwiceIsOneSubscription() throws {
        let plano = try plano()
        let assinatura = try assinar(plano, em: "2026-03-02T12:00:00Z")
        #expect(try assinar(plano, em: "2026-03-03T12:00:00Z", sobre: assinatura) == assinatura)
        let outro = AssinarPlano(
            usuario: ana.usuario,
            plano: .enterprise,
            ator: ana,
            lote: id(501),
            zona: try zona("America/Sao_Paulo"),
            agora: try instante("2026-03-03T12:00:00Z")
        )
        let maior = Plano.dobrar(
            try gravados(
                PublicarPlano(
                    plano: .enterprise,
                    nome: "E",
                    desconto: .metade,
                    mensalidade: .zero,
                    por: .linhaDeComando,
                    agora: Instante(segundos: 0)
                ).decidir(plano: .inicial)
            )
        )
        #expect(throws: RecusaDePrecos.jaAssina(plano: .premium, ate: nil)) {
            try outro.decidir(assinatura: assinatura, plano: maior)
        }
    }

    @Test func whoMaySubscribeWhom() throws {
        let plano = try plano()
        #expect(throws: RecusaDePrecos.soEquipe) { try assinar(plano, em: "2026-03-02T12:00:00Z", ator: bia) }
        #expect(try assinar(plano, em: "2026-03-02T12:00:00Z", ator: recepcao).dados != nil)
        #expect(throws: RecusaDePrecos.planoInexistente(.premium)) { try assinar(.inicial, em: "2026-03-02T12:00:00Z") }
        #expect(throws: RecusaDePrecos.soEquipe) {
            try CancelarAssinatura(usuario: ana.usuario, ator: bia, agora: Instante(segundos: 0)).decidir(assinatura: .inicial)
        }
        #expect(throws: RecusaDePrecos.semAssinatura) {
            try CancelarAssinatura(usuario: ana.usuario, ator: ana, agora: Instante(segundos: 0)).decidir(assinatura: .inicial)
        }
    }

    /// The 31st becomes the last day of shorter months, and comes back.
    @Test(
        arguments: [
            ("2026-01-31T15:00:00-03:00", ["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"]),
            ("2028-01-30T23:59:00-03:00", ["2028-02-29", "2028-03-30", "2028-04-30"]),
            ("2026-12-15T00:00:00-03:00", ["2027-01-15", "2027-02-15"]),
            // Midnight of 2018-11-04 does not exist: the day begins at one.
            ("2018-10-04T12:00:00-03:00", ["2018-11-04", "2018-12-04"]),
        ])
    func monthsEndOnTheSameDayOrOnTheLast(inicio: String, datas: [String]) throws {
        let zona = try zona("America/Sao_Paulo")
        var periodo = PeriodoDaAssinatura.primeiro(em: try instante(inicio), zona: zona)
        for esperada in datas {
            #expect(zona.data(de: periodo.fim).texto == esperada)
            #expect(periodo.fim == zona.inicioDoDia(try data(esperada)))
            let proximo = periodo.seguinte(zona: zona)
            #expect(proximo.inicio == periodo.fim && proximo.numero == periodo.numero + 1)
            periodo = proximo
        }
    }

    @Test func aSubscriptionIsRenewedByThePlanAsItIsThen() throws {
        let antigo = try plano()
        let assinatura = try assinar(antigo, em: "2026-01-31T12:00:00Z")
        let novo = try plano(minutos: 900, mensalidade: 31_900, sobre: antigo)
        let fim = try #require(assinatura.dados).periodo.fim

        #expect(try renovar(assinatura, novo, em: Instante(microssegundos: fim.microssegundos - 1)).isEmpty)
        let eventos = try renovar(assinatura, novo, em: fim)

        guard case .precos(.assinaturaRenovada(let renovacao)) = eventos.first else { throw Inesperado() }
        #expect(renovacao.mensalidade == reais(31_900) && renovacao.planoVersao.numero == 2)
        #expect(renovacao.periodo.numero == 2 && renovacao.periodo.inicio == fim)
        #expect(try renovacao.venceEm == instante("2026-03-05T00:00:00-03:00"))
        let renovada = eventos.reduce(assinatura) { $0.evoluindo(com: $1) }
        #expect(renovada.carteira.saldo(em: fim) == 900)
        #expect(try renovar(renovada, novo, em: fim).isEmpty)
    }

    @Test func hoursRollOverForAsManyMonthsAsThePlanSays() throws {
        let plano = try plano(minutos: 100, meses: 3)
        var assinatura = try assinar(plano, em: "2026-01-31T12:00:00Z")
        var saldos: [Int] = []
        for _ in 0..<4 {
            let fim = try #require(assinatura.dados).periodo.fim
            assinatura = try renovar(assinatura, plano, em: fim).reduce(assinatura) { $0.evoluindo(com: $1) }
            saldos.append(assinatura.carteira.saldo(em: fim))
        }
        #expect(saldos == [200, 300, 300, 300])
    }

    @Test func aCancelledSubscriptionLastsToTheEndOfItsPeriod() throws {
        let plano = try plano()
        let assinatura = try assinar(plano, em: "2026-03-02T12:00:00Z")
        let cancelar = CancelarAssinatura(usuario: ana.usuario, ator: ana, agora: try instante("2026-03-10T12:00:00Z"))
        let cancelada = try gravados(cancelar.decidir(assinatura: assinatura)).reduce(assinatura) { $0.evoluindo(com: $1) }

        let fim = try instante("2026-04-02T00:00:00-03:00")
        #expect(cancelada.plano(em: Instante(microssegundos: fim.microssegundos - 1)) == .premium)
        #expect(cancelada.plano(em: fim) == .basic)
        #expect(try cancelar.decidir(assinatura: cancelada) == [])
        #expect(try renovar(cancelada, plano, em: fim).isEmpty)
        #expect(throws: RecusaDePrecos.jaAssina(plano: .premium, ate: try data("2026-04-02"))) {
            try assinar(plano, em: "2026-03-20T12:00:00Z", sobre: cancelada)
        }
        #expect(try assinar(plano, em: "2026-04-02T12:00:00Z", sobre: cancelada).plano(em: fim) == .premium)
    }

    @Test func nobodyBlockedOrErasedIsRenewed() throws {
        let plano = try plano()
        let assinatura = try assinar(plano, em: "2026-03-02T12:00:00Z")
        let fim = try #require(assinatura.dados).periodo.fim
        let bloqueada = conta.evoluindo(
            com: .usuarioBloqueado(UsuarioBloqueado(usuario: ana.usuario, por: recepcao.usuario, em: Instante(segundos: 1)))
        )
        for (conta, motivo) in [(bloqueada, MotivoDoFimDaAssinatura.contaBloqueada), (.apagada, .contaApagada)] {
            guard case .precos(.assinaturaCancelada(let cancelada))? = try renovar(assinatura, plano, em: fim, conta: conta).first else {
                throw Inesperado()
            }
            #expect(cancelada.motivo == motivo && cancelada.terminaEm == fim)
        }
    }

    @Test func aRuleEndsASubscriptionAtOnce() throws {
        let assinatura = try assinar(try plano(), em: "2026-03-02T12:00:00Z")
        let agora = try instante("2026-03-10T12:00:00Z")
        let comando = EncerrarAssinatura(usuario: ana.usuario, motivo: .contaApagada, agora: agora)
        let encerrada = try gravados(comando.decidir(assinatura: assinatura)).reduce(assinatura) { $0.evoluindo(com: $1) }
        #expect(encerrada.plano(em: agora) == .basic)
        #expect(comando.decidir(assinatura: encerrada) == [])
        #expect(comando.decidir(assinatura: .inicial) == [])
    }

    @Test func creditsAreGrantedByStaff() throws {
        let agora = try instante("2026-03-10T12:00:00Z")
        func conceder(_ valor: Int, por ator: Ator, ate: Instante? = nil) throws -> [EventosDoFluxo] {
            try ConcederCreditos(
                usuario: ana.usuario,
                lote: id(600),
                minutos: try minutos(valor),
                expiraEm: ate,
                ator: ator,
                agora: agora
            ).decidir(assinatura: .inicial)
        }
        #expect(Assinatura.dobrar(try gravados(conceder(90, por: recepcao))).carteira.saldo(em: agora) == 90)
        #expect(throws: RecusaDePrecos.soEquipe) { try conceder(90, por: ana) }
        #expect(throws: RecusaDePrecos.campoInvalido(.minutos)) { try conceder(0, por: recepcao) }
        #expect(throws: RecusaDePrecos.campoInvalido(.expiraEm)) { try conceder(1, por: recepcao, ate: agora) }
    }

    @Test func nobodySubscribesToWhatEverybodyHas() throws {
        let basico = Plano.dobrar(
            try gravados(
                PublicarPlano(
                    plano: .basic,
                    nome: "B",
                    desconto: .zero,
                    mensalidade: .zero,
                    por: .linhaDeComando,
                    agora: Instante(segundos: 0)
                ).decidir(plano: .inicial)
            )
        )
        let comando = AssinarPlano(
            usuario: ana.usuario,
            plano: .basic,
            ator: ana,
            lote: id(1),
            zona: .utc,
            agora: Instante(segundos: 0)
        )
        #expect(throws: RecusaDePrecos.planoSemAssinatura) { try comando.decidir(assinatura: .inicial, plano: basico) }
    }
}

import Testing

@testable import Domain

/// Staff who work for some units only.
@Suite struct UnidadesTests {
    /// The unit of `Cenario`.
    private static let aqui: UnidadeID = id(101)
    private static let ali: UnidadeID = id(202)

    private static func gestor(_ unidades: Set<UnidadeID>?) -> Ator { Ator(usuario: id(30), papel: .gestor, unidades: unidades) }

    // MARK: The role

    private let ana: UsuarioID = id(1)
    private let chefe = Autoridade.ator(Ator(usuario: id(2), papel: .admin))

    private func conta(_ depois: [EventosDoFluxo] = []) throws -> Conta {
        let cadastro = CadastrarUsuario(
            usuario: ana,
            chaveDoEmail: try #require(ChaveDeEmail(String(repeating: "a", count: 64))),
            nome: Selado("nome"),
            email: Selado("email"),
            senha: Selado("senha"),
            via: .autocadastro,
            agora: Self.agora
        )
        return Conta.dobrar(try gravados(cadastro.decidir(conta: .inicial, email: .inicial) + depois))
    }

    private func alterar(_ papel: Papel, _ unidades: Set<UnidadeID>?) -> AlterarPapel {
        AlterarPapel(usuario: ana, para: papel, unidades: unidades, por: chefe, agora: Self.agora)
    }

    @Test func aRoleIsGivenForUnitsAndTheirChangeIsRecordedToo() throws {
        let primeira = try alterar(.recepcao, [Self.ali, Self.aqui]).decidir(conta: conta())
        let alterado = PapelAlterado(
            usuario: ana, de: .membro, para: .recepcao, por: id(2), unidades: [Self.aqui, Self.ali], em: Self.agora
        )
        #expect(primeira == [EventosDoFluxo(.usuario(ana), [.usuarios(.papelAlterado(alterado))])])
        let depois = try conta(primeira)
        #expect(try depois.exigirAtiva().unidades == [Self.aqui, Self.ali])
        #expect(try alterar(.recepcao, [Self.aqui, Self.ali]).decidir(conta: depois) == [])

        let segunda = try alterar(.recepcao, [Self.ali]).decidir(conta: depois)
        #expect(try conta(primeira + segunda).exigirAtiva().unidades == [Self.ali])
        let terceira = try alterar(.recepcao, nil).decidir(conta: depois)
        #expect(terceira.count == 1)
        #expect(try conta(primeira + terceira).exigirAtiva().unidades == nil)
    }

    @Test(arguments: [Papel.membro, .admin])
    func rolesWithoutUnitsTakeNone(_ papel: Papel) throws {
        let membro = try conta()
        #expect(throws: RecusaDeUsuarios.papelSemUnidades) { try alterar(papel, [Self.aqui]).decidir(conta: membro) }
        #expect(throws: RecusaDeUsuarios.papelSemUnidades) { try alterar(papel, []).decidir(conta: membro) }
    }

    @Test(arguments: [0, AlterarPapel.maximo + 1])
    func noneOrTooManyUnitsAreRefused(_ quantas: Int) throws {
        let unidades = Set((0..<quantas).map { numero -> UnidadeID in id(UInt64(300 + numero)) })
        let membro = try conta()
        #expect(throws: RecusaDeUsuarios.unidadesInvalidas(maximo: AlterarPapel.maximo)) {
            try alterar(.gestor, unidades).decidir(conta: membro)
        }
    }

    @Test func whatWasRecordedBeforeUnitsWereNamedMeansAllOfThem() throws {
        let carga = #"{"de":"membro","em":"2026-03-01T12:00:00Z","para":"gestor","usuario":"\#(ana.texto)"}"#
        let lido = try CodecDeEventos.padrao.decodificar(tipo: PapelAlterado.tipo, versao: 1, carga: Array(carga.utf8))
        guard case .usuarios(.papelAlterado(let alterado)) = lido else { throw Inesperado() }
        #expect(alterado.unidades == nil)
        #expect(try conta().evoluindo(com: .papelAlterado(alterado)).exigirAtiva().ator.operaEmTodas)
    }

    /// What an account has, what a token claims, and whether that holds.
    private static let alegados: [(conta: Set<UnidadeID>?, alegado: Set<UnidadeID>?, vale: Bool)] = [
        (nil, nil, true), (nil, [aqui], true), ([aqui], [aqui], true), ([aqui, ali], [ali], true), ([aqui], nil, false),
        ([aqui], [ali], false), ([aqui], [aqui, ali], false), ([aqui], [], true),
    ]

    @Test(arguments: alegados)
    func nobodyActsInUnitsThatTheyNoLongerHave(_ unidades: Set<UnidadeID>?, _ alegado: Set<UnidadeID>?, _ vale: Bool) throws {
        let dela = try conta(alterar(.recepcao, unidades).decidir(conta: conta()))
        let recepcao = Ator(usuario: ana, papel: .recepcao, unidades: alegado)
        if vale {
            #expect(throws: Never.self) { try dela.exigir(recepcao) }
        } else {
            #expect(throws: RecusaDeUsuarios.papelPerdido) { try dela.exigir(recepcao) }
        }
        // As a member they act everywhere.
        #expect(throws: Never.self) { try dela.exigir(Ator(usuario: ana, papel: .membro)) }
        #expect(throws: RecusaDeUsuarios.papelPerdido) {
            try dela.exigir(Ator(usuario: ana, papel: .gestor, unidades: alegado))
        }
    }

    @Test func whereTheyDoNotWorkStaffAreMembers() {
        for papel in Papel.allCases {
            let todas = Ator(usuario: ana, papel: papel)
            #expect(todas.papel(em: Self.aqui) == papel && todas.operaEmTodas == todas.opera)
            #expect(todas.atende(nil) == todas.opera && todas.responde(por: nil) == todas.opera)
        }
        let so = Self.gestor([Self.aqui])
        #expect(so.papel(em: Self.aqui) == .gestor && so.papel(em: Self.ali) == .membro)
        #expect(so.opera && so.opera(em: Self.aqui) && !so.opera(em: Self.ali) && !so.operaEmTodas)
        // A plan's fee is a member's, and no unit's; rent of an office is the business's.
        #expect(so.atende(nil) && !so.responde(por: nil) && so.responde(por: Self.aqui) && !so.responde(por: Self.ali))
        #expect(so.alcanca(so.usuario, em: Self.ali) && so.alcanca(ana, em: Self.aqui) && !so.alcanca(ana, em: Self.ali))
    }

    // MARK: What is of a unit

    /// Something staff do to what belongs to a unit, and the rule that says no to those of another.
    struct Comando: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let recusa: String
        let decidir: @Sendable (Cenario, Ator) throws -> Void

        init(_ nome: String, _ recusa: String, _ decidir: @escaping @Sendable (Cenario, Ator) throws -> Void) {
            testDescription = nome
            self.recusa = recusa
            self.decidir = decidir
        }
    }

    private static let pedida: ReservaID = id(500)
    private static let paga: ReservaID = id(501)
    private static let agora = Instante(segundos: 1_772_463_600)
    private static let durante = Instante(segundos: 1_773_061_200)

    /// A booking that waits for payment and, an hour later, one that was paid at the desk. At `durante` the first begins.
    private static func cenario() throws -> Cenario {
        var cenario = try Cenario()
        try cenario.reservar(pedida, Intervalo.hora(durante), agora: agora)
        try cenario.reservar(paga, Intervalo.hora(durante + .horas(1)), agora: agora)
        try cenario.receberNoBalcao(paga, agora: agora)
        return cenario
    }

    static let comandos: [Comando] = [
        Comando("books for a member", "forbidden") { cenario, ator in
            let fim = durante + .horas(5)
            _ = try SolicitarReserva(
                reserva: id(502), usuario: cenario.ana.usuario, ator: ator, inicio: durante + .horas(4), fim: fim, lugares: 1, agora: agora
            ).preparar(cenario.contexto())
        },
        Comando("joins a line for a member", "forbidden") { cenario, ator in
            _ = try EntrarNaEspera(
                inscricao: id(600), usuario: cenario.ana.usuario, ator: ator, inicio: durante, fim: durante + .horas(1), lugares: 1,
                agora: agora
            ).preparar(cenario.contexto())
        },
        Comando("books a series for a member", "forbidden") { cenario, ator in
            let inicio = try local("2026-03-09T18:00:00")
            _ = try CriarSerie(
                serie: id(700), usuario: cenario.ana.usuario, ator: ator, regra: try RegraDeRecorrencia("FREQ=WEEKLY;COUNT=1"),
                duracao: try minutos(60), lugares: 1, aoConflitar: .recusar,
                ocorrencias: [OcorrenciaDaSerie(reserva: id(701), original: inicio, inicio: inicio)], agora: agora
            ).preparar(cenario.contexto())
        },
        Comando("moves", "reservation_not_found") { cenario, ator in
            _ = try RemarcarReserva(
                reserva: pedida, ator: ator, inicio: durante + .horas(4), fim: durante + .horas(5), agora: agora
            ).preparar(cenario.contexto(), reserva: cenario.estado(.reserva(pedida)), presenca: .aguardada)
        },
        Comando("cancels", "reservation_not_found") { cenario, ator in
            _ = try CancelarReserva(reserva: paga, ator: ator, pago: .zero, agora: agora).decidir(reserva: cenario.estado(.reserva(paga)))
        },
        Comando("confirms", "reservation_not_found") { cenario, ator in
            _ = try ConfirmarReserva(reserva: pedida, ator: ator, agora: agora).decidir(reserva: cenario.estado(.reserva(pedida)))
        },
        Comando("names guests", "reservation_not_found") { cenario, ator in
            _ = try DefinirConvidados(reserva: paga, ator: ator, convidados: [], agora: agora)
                .decidir(reserva: cenario.estado(.reserva(paga)), ficha: cenario.espaco.ficha)
        },
        Comando("checks in", "reservation_not_found") { cenario, ator in
            _ = try FazerCheckin(reserva: paga, ator: ator, agora: durante + .horas(1))
                .decidir(reserva: cenario.estado(.reserva(paga)), presenca: .aguardada)
        },
        Comando("takes money for a booking", "staff_only") { cenario, ator in
            _ = try ReceberNoBalcao(ator: ator, metodo: .dinheiro, agora: agora)
                .decidir(reserva: cenario.estado(.reserva(pedida)), pagamentos: cenario.pagamentos(pedida))
        },
        Comando("gives money back", "payment_not_found") { cenario, ator in
            _ = try EstornarPagamento(estorno: id(800), ator: ator, valor: nil, justificativa: nil, agora: agora)
                .decidir(pagamento: cenario.pagamento(paga))
        },
        Comando("hands money back", "payment_not_found") { cenario, ator in
            var cancelada = cenario
            try cancelada.cancelar(paga, ator: cenario.recepcao, pago: 6_000, agora: agora)
            try cancelada.acompanhar(paga, agora: agora)
            let estorno = try #require(cancelada.estornos(paga).first).estorno
            _ = try DevolverNoBalcao(estorno: estorno, ator: ator, agora: agora).decidir(pagamento: cancelada.pagamento(paga))
        },
        Comando("sees a payment", "payment_not_found") { cenario, ator in
            _ = try cenario.pagamento(paga).exigirVisivel(para: ator)
        },
        Comando("sets hours", "space_not_found") { cenario, ator in
            _ = try DefinirHorario(espaco: cenario.sala, semana: .fechado, fechaEmFeriados: true, por: .ator(ator), agora: agora)
                .decidir(espaco: cenario.estado(.espaco(cenario.sala)))
        },
        Comando("sets rules", "space_not_found") { cenario, ator in
            _ = try DefinirRegras(espaco: cenario.sala, regras: .padrao, por: .ator(ator), agora: agora)
                .decidir(espaco: cenario.estado(.espaco(cenario.sala)))
        },
        Comando("takes a closure back", "space_not_found") { cenario, ator in
            _ = try RemoverFechamento(espaco: cenario.sala, fechamento: id(900), por: .ator(ator), agora: agora)
                .decidir(espaco: cenario.estado(.espaco(cenario.sala)))
        },
        Comando("publishes a tariff", "manager_only") { cenario, ator in
            _ = try PublicarTarifario(
                unidade: cenario.unidade, vigenteDesde: DataCivil(diasDesde1970: 21_000),
                tarifas: [Tarifa(alvo: .espaco(cenario.sala), valorHora: reais(1))], multiplicadores: [], por: .ator(ator), agora: agora
            ).decidir(tarifario: cenario.estado(.tarifario(cenario.unidade)))
        },
        Comando("sets a display up", "staff_only") { cenario, ator in
            _ = try AutorizarPainel(painel: id(910), espaco: cenario.sala, unidade: cenario.unidade, ator: ator, agora: agora)
                .decidir(painel: .inexistente)
        },
        Comando("records an expense", "other_unit") { cenario, ator in
            _ = try despesa(de: cenario.unidade, ator)
        },
        Comando("reverses an expense", "expense_not_found") { cenario, ator in
            let feitos = try despesa(de: cenario.unidade, cenario.recepcao)
            _ = try EstornarDespesa(despesa: id(920), lancamento: id(921), motivo: nil, ator: ator, agora: agora).decidir(
                despesa: .dobrar(feitos[0].eventos), original: .dobrar(feitos[1].eventos), periodos: periodos()
            )
        },
    ]

    private static func periodos() throws -> Periodos {
        Periodos([MesCivil(de: try data("2026-03-01")): .aberto])
    }

    private static func despesa(de unidade: UnidadeID?, _ ator: Ator) throws -> [EventosDoFluxo] {
        let dia = try data("2026-03-01")
        return try RegistrarDespesa(
            despesa: id(920), categoria: .aluguel, data: dia, valor: reais(100), unidade: unidade, memo: nil, ator: ator, hoje: dia,
            agora: agora
        ).decidir(despesa: .inicial, periodos: periodos())
    }

    private func codigo(_ decidir: () throws -> Void) -> String? {
        do {
            try decidir()
            return nil
        } catch {
            return (error as? any Recusa)?.codigo ?? "\(error)"
        }
    }

    @Test(arguments: comandos)
    func staffActInTheirUnitsOnly(_ comando: Comando) throws {
        let cenario = try Self.cenario()
        for unidades: Set<UnidadeID>? in [nil, [Self.aqui], [Self.aqui, Self.ali]] {
            #expect(codigo { try comando.decidir(cenario, Self.gestor(unidades)) } == nil)
        }
        for unidades: Set<UnidadeID> in [[Self.ali], []] {
            #expect(codigo { try comando.decidir(cenario, Self.gestor(unidades)) } == comando.recusa)
        }
    }

    @Test func placesInLinesAndSeriesOfOtherUnitsAreNotThere() throws {
        let inscrita = EsperaInscrita(
            inscricao: id(600), usuario: ana, espaco: id(100), unidade: Self.aqui, dia: try data("2026-03-09"), fuso: "America/Sao_Paulo",
            intervalo: .hora(Self.durante), lugares: 1, em: Self.agora
        )
        let fila = Espera.inicial.evoluindo(com: .esperaInscrita(inscrita))
        #expect(throws: Never.self) { try fila.exigirVisivel(id(600), para: Self.gestor([Self.aqui])) }
        #expect(throws: RecusaDeReservas.espera(.naoEncontrada)) { try fila.exigirVisivel(id(600), para: Self.gestor([Self.ali])) }

        let criada = SerieCriada(
            serie: id(700), usuario: ana, espaco: id(100), unidade: Self.aqui, fuso: "America/Sao_Paulo",
            regra: try RegraDeRecorrencia("FREQ=WEEKLY;COUNT=1"), duracao: try minutos(60), lugares: 1, ocorrencias: [], puladas: [],
            criadaPor: ana, em: Self.agora
        )
        let serie = Serie.inicial.evoluindo(com: .serieCriada(criada))
        #expect(throws: Never.self) { try serie.exigirVisivel(para: Self.gestor([Self.aqui])) }
        #expect(throws: RecusaDeReservas.serie(.naoEncontrada)) { try serie.exigirVisivel(para: Self.gestor([Self.ali])) }
    }

    @Test func anApprovalTakesAManagerOfTheUnit() throws {
        let aprovacao = DecidirAprovacao(reserva: Self.paga, ator: Self.gestor([Self.ali]), aprova: true, agora: Self.agora)
        let cenario = try Self.cenario()
        #expect(throws: RecusaDeReservas.reservaNaoEncontrada) {
            try aprovacao.decidir(reserva: cenario.estado(.reserva(Self.paga)), regras: .padrao, beneficios: .nenhum)
        }
    }

    @Test func theirOwnBookingsElsewhereStaffHaveAsMembersDo() throws {
        var cenario = try Self.cenario()
        let deLonge = Ator(usuario: id(30), papel: .gestor, unidades: [Self.ali])
        let minha: ReservaID = id(503)
        try cenario.reservar(minha, .hora(Self.durante + .horas(4)), ator: deLonge, agora: Self.agora)
        try cenario.receberNoBalcao(minha, agora: Self.agora)
        let excepcional = CancelarReserva(
            reserva: minha, ator: deLonge, pago: reais(6_000), justificativa: Selado("x"), percentualExcepcional: .todo, agora: Self.durante
        )
        let (estado, pagamentos) = (cenario.reserva(minha), cenario.pagamentos(minha))
        #expect(throws: RecusaDeReservas.proibido) { try excepcional.decidir(reserva: estado) }
        #expect(throws: RecusaDeReservas.proibido) {
            try ConfirmarReserva(reserva: minha, ator: deLonge, agora: Self.agora).decidir(reserva: estado)
        }
        #expect(throws: RecusaDePagamentos.soEquipe) {
            try ReceberNoBalcao(ator: deLonge, metodo: .dinheiro, agora: Self.agora).decidir(reserva: estado, pagamentos: pagamentos)
        }
        // Two hours before it, a member gets nothing back of what a shorter time costs less.
        for (ator, volta) in [(deLonge, nil), (cenario.recepcao, reais(3_000))] as [(Ator, Dinheiro?)] {
            var outro = cenario
            let inicio = Self.durante + .horas(6)
            let curta = try #require(Intervalo(inicio: inicio, fim: inicio + .minutos(30)))
            let decididos = try outro.remarcar(minha, curta, ator: ator, agora: Self.durante + .horas(2))
            guard case .reservas(.reservaRemarcada(let remarcada)) = try evento(0, decididos) else { throw Inesperado() }
            #expect(remarcada.aDevolver == volta)
        }
    }

    // MARK: What is of the whole business

    static let deTudo: [Comando] = [
        Comando("makes a coupon", "other_unit") { _, ator in
            let codigo = try #require(CodigoDoCupom("VERAO10"))
            _ = try CriarCupom(
                codigo: codigo, termos: TermosDoCupom(desconto: .percentual(.metade), limiteDeUsos: 1), por: .ator(ator), agora: agora
            ).decidir(cupom: .inicial)
        },
        Comando("ends a coupon", "other_unit") { _, ator in
            let codigo = try #require(CodigoDoCupom("VERAO10"))
            let criar = CriarCupom(
                codigo: codigo, termos: TermosDoCupom(desconto: .percentual(.metade), limiteDeUsos: 1), por: .linhaDeComando, agora: agora
            )
            let cupom = Cupom.dobrar(try criar.decidir(cupom: .inicial).flatMap(\.eventos))
            _ = try DesativarCupom(codigo: codigo, por: .ator(ator), agora: agora).decidir(cupom: cupom)
        },
        Comando("publishes a plan", "other_unit") { cenario, ator in
            _ = try PublicarPlano(plano: .basic, nome: "b", desconto: .zero, mensalidade: .zero, por: .ator(ator), agora: agora)
                .decidir(plano: cenario.estado(.plano(.basic)))
        },
        Comando("closes a month", "other_unit") { _, ator in
            let mes = try #require(MesCivil("2026-01"))
            _ = try FecharPeriodo(mes: mes, por: .ator(ator), agora: agora).decidir(periodo: .aberto, pendencias: .zero)
        },
        Comando("records an expense of no unit", "other_unit") { _, ator in _ = try despesa(de: nil, ator) },
    ]

    @Test(arguments: deTudo)
    func theWholeBusinessTakesStaffOfAllUnits(_ comando: Comando) throws {
        let cenario = try Self.cenario()
        #expect(codigo { try comando.decidir(cenario, Self.gestor(nil)) } == nil)
        #expect(codigo { try comando.decidir(cenario, Self.gestor([Self.aqui])) } == comando.recusa)
    }
}

extension Intervalo {
    fileprivate static func hora(_ inicio: Instante) -> Intervalo {
        guard let hora = Intervalo(inicio: inicio, fim: inicio + .horas(1)) else { preconditionFailure("an hour is an interval") }
        return hora
    }
}

import Domain
import TestSupport
import Testing

@Suite("Serie")
struct SerieTests {
    private let serie: SerieID = id(900)

    private func agora() throws -> Instante { try instante("2026-03-02T12:00:00Z") }

    /// Mondays from 10 to 11, four of them, the first on 2026-03-09.
    private func comando(
        _ cenario: Cenario,
        regra: String = "FREQ=WEEKLY;COUNT=4",
        inicio: String = "2026-03-09T10:00:00",
        duracao: Int = 60,
        ator: Ator? = nil,
        para usuario: UsuarioID? = nil,
        aoConflitar: ConflitoNaSerie = .recusar
    ) throws -> CriarSerie {
        let regra = try RegraDeRecorrencia(regra)
        let locais = try regra.ocorrencias(de: local(inicio), zona: cenario.zona)
        let ator = ator ?? cenario.ana
        return CriarSerie(
            serie: serie,
            usuario: usuario ?? ator.usuario,
            ator: ator,
            regra: regra,
            duracao: try minutos(duracao),
            lugares: 1,
            aoConflitar: aoConflitar,
            ocorrencias: locais.enumerated().map { numero, local in
                OcorrenciaDaSerie(reserva: id(UInt64(1_000 + numero)), original: local, inicio: local)
            },
            agora: try agora()
        )
    }

    private func hora(_ dia: String, _ inicio: String, _ fim: String) throws -> Intervalo {
        try intervalo("2026-\(dia)T\(inicio):00-03:00", "2026-\(dia)T\(fim):00-03:00")
    }

    @discardableResult
    private func criar(_ cenario: inout Cenario, _ comando: CriarSerie) throws -> SerieCriada {
        let preparadas = try comando.preparar(cenario.contexto())
        let decididos = try comando.decidir(
            serie: cenario.estado(.serie(serie)),
            contexto: cenario.contexto(),
            preparadas,
            agenda: cenario.agendaDaSerie(CriarSerie.diasDaAgenda(preparadas))
        )
        try cenario.gravar(decididos)
        guard case .reservas(.serieCriada(let criada)) = try evento(0, decididos) else { throw Inesperado() }
        return criada
    }

    private func alterar(
        _ cenario: inout Cenario,
        _ alcance: AlcanceDaSerie,
        _ referencia: ReservaID,
        _ inicio: String,
        duracao: Int = 60,
        ator: Ator? = nil,
        aoConflitar: ConflitoNaSerie = .recusar,
        agora: Instante? = nil
    ) throws -> SerieAlterada? {
        let comando = AlterarSerie(
            serie: serie,
            ator: ator ?? cenario.ana,
            alcance: alcance,
            referencia: referencia,
            inicio: try local(inicio),
            duracao: try minutos(duracao),
            aoConflitar: aoConflitar,
            agora: try agora ?? self.agora()
        )
        let dados = try (cenario.estado(.serie(serie)) as Serie).exigirVisivel(para: comando.ator)
        let reservas = cenario.reservas(try dados.escolhidas(alcance, desde: referencia).map(\.reserva))
        let alvos = try comando.alvos(
            dados,
            reservas: reservas,
            pagamentos: reservas.mapValues { reserva in (reserva.dados?.pagamentos ?? []).map { cenario.estado(.pagamento($0)) } }
        )
        let preparadas = try comando.preparar(alvos, cenario.contexto())
        let agenda = cenario.agendaDaSerie(AlterarSerie.diasDaAgenda(alvos, preparadas))
        let decididos = try comando.decidir(alvos, preparadas, contexto: cenario.contexto(), agenda: agenda)
        try cenario.gravar(decididos)
        guard case .reservas(.serieAlterada(let alterada))? = decididos.first?.eventos.first else { return nil }
        return alterada
    }

    private func inicios(_ cenario: Cenario) -> [String] {
        (0..<10).compactMap { numero -> String? in
            switch cenario.estado(.reserva(id(UInt64(1_000 + numero)))) as Reserva {
            case .pendente(let dados, _), .confirmada(let dados): dados.horario.inicioLocal.texto
            case .inexistente, .expirada, .cancelada, .concluida, .ausente: nil
            }
        }
    }

    @Test("an unpaid occurrence that is moved to an earlier day holds its slot no longer than one booked for that day would")
    func retencaoMenor() throws {
        var cenario = try Cenario()
        try criar(&cenario, comando(cenario))
        guard case .pendente(_, let antes) = cenario.estado(.reserva(id(1_003))) as Reserva else { throw Inesperado() }
        let novo = try hora("03-04", "10:00", "11:00")
        try cenario.remarcar(id(1_003), novo, ator: cenario.ana, agora: agora())
        guard case .pendente(_, let depois) = cenario.estado(.reserva(id(1_003))) as Reserva else { throw Inesperado() }
        #expect(depois < antes && depois == novo.inicio - .horas(24))
        // To a later one, as long as before
        try cenario.remarcar(id(1_003), hora("03-31", "10:00", "11:00"), ator: cenario.ana, agora: agora())
        guard case .pendente(_, let fim) = cenario.estado(.reserva(id(1_003))) as Reserva else { throw Inesperado() }
        #expect(fim == depois)
    }

    @Test("books every occurrence in one append, each held until giving it up would cost something")
    func cria() throws {
        var cenario = try Cenario()
        let criada = try criar(&cenario, comando(cenario))

        #expect(criada.ocorrencias.count == 4 && criada.puladas.isEmpty)
        #expect(inicios(cenario) == ["09", "16", "23", "30"].map { "2026-03-\($0)T10:00:00" })
        guard case .pendente(let dados, let expiraEm) = cenario.estado(.reserva(id(1_003))) as Reserva else { throw Inesperado() }
        #expect(dados.origem?.serie == serie)
        // The shipped policy gives all back a day ahead
        #expect(try expiraEm == hora("03-29", "10:00", "11:00").inicio)
        // Decided once more it does nothing
        #expect(
            try comando(cenario).decidir(
                serie: cenario.estado(.serie(serie)), contexto: cenario.contexto(), [], agenda: AgendaDaSerie([:])
            ).isEmpty)
    }

    @Test("what was paid of an occurrence before it moves counts, though nobody had come to it")
    func pagaAntesDeMover() throws {
        var cenario = try Cenario()
        try criar(&cenario, comando(cenario))
        let paga: ReservaID = id(1_001)
        try cenario.acompanhar(paga, agora: agora())
        try cenario.aprovar(paga, valor: 6_000, agora: agora())

        _ = try #require(try alterar(&cenario, .todas, id(1_000), "2026-03-09T14:00:00", duracao: 120))

        guard case .pendente(let dados, _) = cenario.reserva(paga) else { throw Inesperado() }
        #expect(dados.devido == reais(6_000) && dados.confirmadaPor == [CausaDaCobranca.reserva(paga).pagamento])
        #expect(try cenario.confirmarPaga(paga, agora: agora()).isEmpty)
        guard case .pendente(let outra, _) = cenario.reserva(id(1_002)) else { throw Inesperado() }
        #expect(outra.devido == nil && outra.aCobrar.valor == reais(12_000))
    }

    @Test("skips what cannot be had, or refuses all of it")
    func conflitos() throws {
        var cenario = try Cenario(
            fechamentos: [
                Fechamento(id: id(5), periodo: #require(PeriodoLocal(de: data("2026-03-23"), ate: data("2026-03-23"))), motivo: "Obra")
            ]
        )
        try cenario.reservar(id(1), hora("03-16", "10:30", "11:30"), ator: cenario.bia, agora: agora())

        let previstas = try comando(cenario).preparar(cenario.contexto())
        let agenda = cenario.agendaDaSerie(CriarSerie.diasDaAgenda(previstas))
        let vistas = try comando(cenario).prever(previstas, agenda: agenda)
        #expect(vistas.map { $0.recusa?.codigo } == [nil, "slot_taken", "closed", nil])

        let quando = try local("2026-03-16T10:00:00")
        let recusa = RecusaDeReservas.serie(.comConflitos(quantas: 2, primeira: quando, codigo: "slot_taken"))
        #expect(throws: recusa) { try criar(&cenario, comando(cenario)) }
        #expect(inicios(cenario).isEmpty)

        let criada = try criar(&cenario, comando(cenario, aoConflitar: .pular))
        #expect(criada.puladas.map(\.codigo) == ["slot_taken", "closed"])
        #expect(inicios(cenario) == ["2026-03-09T10:00:00", "2026-03-30T10:00:00"])
    }

    @Test("is in its own way, too")
    func sobrepostas() throws {
        var cenario = try Cenario()
        let criada = try criar(&cenario, comando(cenario, regra: "FREQ=DAILY;COUNT=4", duracao: 1_440, aoConflitar: .pular))
        #expect(criada.puladas.isEmpty)
        var outro = try Cenario(regras: .com(bufferDepois: 30))
        let meia = try criar(&outro, comando(outro, regra: "FREQ=DAILY;COUNT=4", duracao: 1_440, aoConflitar: .pular))
        #expect(meia.puladas.map(\.codigo) == ["slot_taken", "slot_taken"])
    }

    @Test("moves this one, those that follow, or all; never what has begun nor what was moved by itself")
    func altera() throws {
        var cenario = try Cenario()
        try criar(&cenario, comando(cenario))

        // This one
        _ = try alterar(&cenario, .esta, id(1_001), "2026-03-17T14:00:00")
        #expect(inicios(cenario)[1] == "2026-03-17T14:00:00")

        // Those that follow, a day and an hour later and longer; the second was moved by itself and stays
        let segundo = try alterar(&cenario, .todas, id(1_002), "2026-03-24T11:00:00", duracao: 90)
        #expect(segundo?.movidas.map(\.reserva) == [id(1_000), id(1_002), id(1_003)])
        #expect(inicios(cenario) == ["10T11", "17T14", "24T11", "31T11"].map { "2026-03-\($0):00:00" })

        // From the third on, when two are over
        let depois = try instante("2026-03-19T12:00:00Z")
        let terceiro = try alterar(&cenario, .seguintes, id(1_002), "2026-03-24T12:00:00", duracao: 90, agora: depois)
        #expect(terceiro?.movidas.count == 2)
        let todas = try alterar(&cenario, .todas, id(1_002), "2026-03-24T13:00:00", duracao: 90, agora: depois)
        #expect(todas?.movidas.count == 2)
        #expect(inicios(cenario) == ["10T11", "17T14", "24T13", "31T13"].map { "2026-03-\($0):00:00" })
        let (bia, tarde) = (cenario.bia, try instante("2026-03-19T12:00:00Z"))
        #expect(throws: RecusaDeReservas.serie(.ocorrenciaNaoEncontrada)) {
            try alterar(&cenario, .todas, id(1_000), "2026-03-24T13:00:00", agora: tarde)
        }
        #expect(throws: RecusaDeReservas.serie(.naoEncontrada)) {
            try alterar(&cenario, .todas, id(1_002), "2026-03-24T13:00:00", ator: bia)
        }
    }

    @Test("moves into its own old times, and what cannot move stays and may hold up another")
    func deslocada() throws {
        var cenario = try Cenario()
        try criar(&cenario, comando(cenario, regra: "FREQ=DAILY;COUNT=4"))
        try alterarUmDia(&cenario)
        #expect(inicios(cenario) == ["10", "11", "12", "13"].map { "2026-03-\($0)T10:00:00" })

        // The next day after the last is taken: the last stays, and with it all before it
        try cenario.reservar(id(1), hora("03-14", "10:00", "11:00"), ator: cenario.bia, agora: agora())
        #expect(throws: RecusaDeReservas.serie(.nenhuma(codigo: "slot_taken"))) {
            try alterar(&cenario, .todas, id(1_000), "2026-03-11T10:00:00", aoConflitar: .pular)
        }
        // Another hour frees all but that one's day
        try cenario.reservar(id(2), hora("03-12", "15:00", "16:00"), ator: cenario.bia, agora: agora())
        let parte = try alterar(&cenario, .todas, id(1_000), "2026-03-10T15:00:00", aoConflitar: .pular)
        #expect(parte?.mantidas.map(\.codigo) == ["slot_taken"])
        #expect(inicios(cenario) == ["10T15", "11T15", "12T10", "13T15"].map { "2026-03-\($0):00:00" })
    }

    private func alterarUmDia(_ cenario: inout Cenario) throws {
        let alterada = try alterar(&cenario, .todas, id(1_000), "2026-03-10T10:00:00")
        #expect(alterada?.movidas.count == 4)
    }

    @Test("is given up from one on, or wholly, but never what has begun")
    func encerra() throws {
        var cenario = try Cenario()
        try criar(&cenario, comando(cenario))
        try encerrar(&cenario, .seguintes, id(1_002), agora: agora())
        #expect(inicios(cenario) == ["2026-03-09T10:00:00", "2026-03-16T10:00:00"])
        try encerrar(&cenario, .todas, nil, agora: hora("03-09", "10:00", "11:00").inicio)
        #expect(inicios(cenario) == ["2026-03-09T10:00:00"])
        try cenario.reservar(id(1), hora("03-16", "10:00", "11:00"), ator: cenario.bia, agora: agora())
    }

    private func encerrar(_ cenario: inout Cenario, _ alcance: AlcanceDaSerie, _ referencia: ReservaID?, agora: Instante) throws {
        let dados = try (cenario.estado(.serie(serie)) as Serie).exigirVisivel(para: cenario.ana)
        let comando = EncerrarSerie(serie: serie, ator: cenario.ana, alcance: alcance, referencia: referencia, agora: agora)
        let reservas = cenario.reservas(dados.ocorrencias.map(\.reserva))
        try cenario.gravar(try comando.decidir(dados, reservas: reservas, pago: [:]))
        #expect(try comando.decidir(dados, reservas: cenario.reservas(dados.ocorrencias.map(\.reserva)), pago: [:]).isEmpty)
    }

    @Test("random series and moves never take more seats than there are, at any event", arguments: 0..<12 as Range<UInt64>)
    func lugares(semente: UInt64) throws {
        var sorteio = SeededGenerator(seed: semente)
        var cenario = try Cenario(regras: .com(bufferDepois: 30))
        let regras = ["FREQ=DAILY;COUNT=6", "FREQ=WEEKLY;COUNT=4;BYDAY=MO,TU,WE", "FREQ=DAILY;INTERVAL=2;COUNT=5"]
        for numero in 1...6 {
            let hora = Int.random(in: 8..<18, using: &sorteio)
            let dia = try data("2026-03-09").somandoDias(.random(in: 0..<8, using: &sorteio))
            let inicio = try instante("\(dia)T\(hora < 10 ? "0" : "")\(hora):00:00-03:00")
            let fim = inicio + .minutos(30 * Int.random(in: 1...4, using: &sorteio))
            let pedido = try #require(Intervalo(inicio: inicio, fim: fim))
            _ = try? cenario.reservar(id(UInt64(numero)), pedido, ator: cenario.bia, agora: agora())
        }
        let inicio = "2026-03-09T\(Int.random(in: 10..<17, using: &sorteio)):00:00"
        let regra = regras[Int.random(in: 0..<3, using: &sorteio)]
        _ = try? criar(&cenario, comando(cenario, regra: regra, inicio: inicio, duracao: 90, aoConflitar: .pular))
        for _ in 0..<6 {
            let dia = try data("2026-03-09").somandoDias(.random(in: 0..<8, using: &sorteio))
            let novo = "\(dia)T\(Int.random(in: 10..<18, using: &sorteio)):30:00"
            let alcance = AlcanceDaSerie.allCases[Int.random(in: 0..<3, using: &sorteio)]
            let qual: ReservaID = id(1_000 + UInt64.random(in: 0..<5, using: &sorteio))
            _ = try? alterar(&cenario, alcance, qual, novo, duracao: 60, ator: cenario.recepcao, aoConflitar: .pular)
        }
        for (fluxo, eventos) in cenario.log where fluxo.texto.hasPrefix("agenda-") {
            var agenda = Agenda.inicial
            for evento in eventos {
                agenda = agenda.evoluindo(com: evento)
                let ocupados = agenda.ocupacoes.values.map(\.intervalo).sorted { $0.inicio < $1.inicio }
                for (antes, depois) in zip(ocupados, ocupados.dropFirst()) { #expect(antes.fim <= depois.inicio, "\(fluxo)") }
            }
        }
    }
}

extension RegrasDeReserva {
    /// As shipped, but for what is named.
    static func com(bufferDepois: Int = 0, prazoDeAprovacao: Int? = nil, retencaoDaEspera: Int? = nil) throws -> RegrasDeReserva {
        RegrasDeReserva(
            duracaoMinima: .trinta,
            duracaoMaxima: .umDia,
            passo: .trinta,
            bufferAntes: .zero,
            bufferDepois: try minutos(bufferDepois),
            antecedenciaMinima: .zero,
            horizonte: .noventaDias,
            cancelamento: .padrao,
            retencao: .quinze,
            toleranciaNaoComparecimento: .quinze,
            prazoDeAprovacao: try prazoDeAprovacao.map(minutos),
            retencaoDaEspera: try retencaoDaEspera.map(minutos)
        )
    }
}

extension Cenario {
    func agendaDaSerie(_ dias: [DataCivil]) -> AgendaDaSerie {
        AgendaDaSerie(Dictionary(uniqueKeysWithValues: dias.map { ($0, estado(.agenda(sala, $0))) }))
    }

    func reservas(_ ids: [ReservaID]) -> [ReservaID: Reserva] {
        Dictionary(uniqueKeysWithValues: ids.map { ($0, estado(.reserva($0))) })
    }
}

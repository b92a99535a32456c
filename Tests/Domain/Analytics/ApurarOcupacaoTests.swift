import Domain
import Testing

/// What is recorded of a unit's local day when it closes.
@Suite struct ApurarOcupacaoTests {
    let pedida = Instante(segundos: 1_772_463_600)

    /// A unit that changes its zone, and its space.
    private func unidade(_ cenario: Cenario, depois: (em: String, fuso: String)? = nil) throws -> HistoricoDeEspacos {
        let criada = UnidadeCriada(
            unidade: cenario.unidade, nome: "U", fuso: "America/Sao_Paulo", endereco: "", em: try instante("2026-01-01T12:00:00Z"))
        var eventos: [EventoDeEspacos] = [.unidadeCriada(criada)]
        if let depois {
            let mudada = UnidadeAtualizada(
                unidade: cenario.unidade, nome: "U", fuso: depois.fuso, endereco: "", em: try instante(depois.em))
            eventos.append(.unidadeAtualizada(mudada))
        }
        return HistoricoDeEspacos(eventos)
    }

    private func espacos(_ cenario: Cenario) -> [EspacoID: HistoricoDeEspacos] {
        let eventos = (cenario.log[.espaco(cenario.sala)] ?? []).compactMap(EventoDeEspacos.init)
        return [cenario.sala: HistoricoDeEspacos(eventos)]
    }

    private func apurar(
        _ cenario: Cenario,
        _ dia: String,
        em agora: String,
        unidade historico: HistoricoDeEspacos? = nil,
        reservas: [ReservaID]
    ) throws -> [EventosDoFluxo] {
        let dia = try data(dia)
        let historico = try historico ?? unidade(cenario)
        let fechamento = try #require(try historico.fechamento(de: dia, zona: zonaDoSistema))
        return try ApurarOcupacao(unidade: cenario.unidade, dia: dia, fechamento: fechamento, agora: instante(agora)).decidir(
            dia: cenario.estado(.ocupacao(cenario.unidade, dia)),
            espacos: espacos(cenario),
            reservas: reservas.map { cenario.estado(.reserva($0)) }
        )
    }

    private func apuracao(_ decididos: [EventosDoFluxo]) throws -> OcupacaoDiariaApurada {
        guard case .analytics(.ocupacaoDiariaApurada(let apuracao)) = try evento(0, decididos) else { throw Inesperado() }
        return apuracao
    }

    /// Confirmed at the desk.
    private func reservar(_ cenario: inout Cenario, _ numero: UInt64, _ inicio: String, _ fim: String) throws {
        try cenario.reservar(id(numero), intervalo(inicio, fim), agora: pedida)
        let comando = ConfirmarReserva(reserva: id(numero), ator: cenario.recepcao, agora: pedida)
        try cenario.gravar(comando.decidir(reserva: cenario.estado(.reserva(id(numero)))))
    }

    @Test func aDayClosesOnceAndAgainWhereSomethingChanged() throws {
        var cenario = try Cenario(lugares: 2)
        try reservar(&cenario, 1, "2026-03-09T10:00:00-03:00", "2026-03-09T12:00:00-03:00")
        try reservar(&cenario, 2, "2026-03-09T23:00:00-03:00", "2026-03-10T01:00:00-03:00")
        try reservar(&cenario, 3, "2026-03-09T14:00:00-03:00", "2026-03-09T15:00:00-03:00")
        let falta = RegistrarAusencia(reserva: id(3), pago: .zero, agora: try instante("2026-03-09T14:15:00-03:00"))
        try cenario.gravar(falta.decidir(reserva: cenario.estado(.reserva(id(3))), presenca: .aguardada))

        #expect(try apurar(cenario, "2026-03-09", em: "2026-03-09T23:59:59-03:00", reservas: [id(1), id(2), id(3)]) == [])
        let primeira = try apurar(cenario, "2026-03-09", em: "2026-03-10T00:00:00-03:00", reservas: [id(1), id(2), id(3)])
        try cenario.gravar(primeira)

        let fechado = try apuracao(primeira)
        #expect(fechado.revisao == 1 && fechado.fuso == "America/Sao_Paulo")
        #expect(try fechado.proximoFechamento == instante("2026-03-11T00:00:00-03:00"))
        let espaco = try #require(fechado.espacos.first)
        // Two hours, and the one before midnight; both seats are open all day
        #expect(espaco.ocupado == 3 * 3600 && espaco.aberto == 2 * 24 * 3600)
        #expect(espaco.reservas == 2 && espaco.faltas == 1 && espaco.canceladas == 0)
        #expect(espaco.valor == reais(12_000 + 12_000 + 6_000))
        #expect(try apurar(cenario, "2026-03-09", em: "2026-03-10T00:00:01-03:00", reservas: [id(3), id(2), id(1)]) == [])

        // Given up by the desk when the day is over
        let justificativa = Selado("x")
        try cenario.cancelar(
            id(2), ator: cenario.recepcao, justificativa: justificativa, agora: instante("2026-03-10T00:30:00-03:00"))
        let segunda = try apuracao(apurar(cenario, "2026-03-09", em: "2026-03-10T00:30:00-03:00", reservas: [id(1), id(2), id(3)]))
        #expect(segunda.revisao == 2 && segunda.proximoFechamento == nil)
        let corrigido = try #require(segunda.espacos.first)
        #expect(corrigido.ocupado == 2 * 3600 && corrigido.canceladas == 1)
    }

    @Test func aDayEndsByTheClockThatTheUnitHasThen() throws {
        var cenario = try Cenario()
        try reservar(&cenario, 1, "2026-03-09T10:00:00-03:00", "2026-03-09T12:00:00-03:00")
        // From the ninth at noon on the unit is in Manaus, an hour behind
        let historico = try unidade(cenario, depois: ("2026-03-09T15:00:00Z", "America/Manaus"))
        #expect(try apurar(cenario, "2026-03-09", em: "2026-03-10T03:59:59Z", unidade: historico, reservas: [id(1)]) == [])
        let fechado = try apuracao(apurar(cenario, "2026-03-09", em: "2026-03-10T04:00:00Z", unidade: historico, reservas: [id(1)]))
        #expect(fechado.fuso == "America/Manaus")
        #expect(try fechado.proximoFechamento == instante("2026-03-11T04:00:00Z"))
        // The booking is where it was by the clock that it was made by
        #expect(try #require(fechado.espacos.first).ocupado == 2 * 3600)
        // The day before ended in São Paulo
        let vespera = try #require(try historico.fechamento(de: data("2026-03-08"), zona: zonaDoSistema))
        #expect(try vespera.zona.nome == "America/Sao_Paulo" && vespera.fim == instante("2026-03-09T03:00:00Z"))
        #expect(try historico.fechamento(de: data("2025-12-31"), zona: zonaDoSistema) == nil)
    }

    @Test func aDayThatClockChangesMakeShorterIsOpenForLess() throws {
        // In São Paulo the midnight of 2018-11-04 does not exist
        let cenario = try Cenario()
        let criada = UnidadeCriada(
            unidade: cenario.unidade, nome: "U", fuso: "America/Sao_Paulo", endereco: "", em: try instante("2018-01-01T12:00:00Z"))
        let historico = HistoricoDeEspacos([.unidadeCriada(criada)])
        let fechado = try apuracao(
            apurar(cenario, "2018-11-04", em: "2018-11-05T02:00:00Z", unidade: historico, reservas: []))
        #expect(try #require(fechado.espacos.first).aberto == 23 * 3600)
        let vespera = try #require(try historico.fechamento(de: data("2018-11-03"), zona: zonaDoSistema))
        #expect(try vespera.fim == instante("2018-11-04T03:00:00Z"))
    }
}

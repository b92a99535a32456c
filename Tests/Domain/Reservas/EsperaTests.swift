import Domain
import Testing

@Suite("Espera")
struct EsperaTests {
    private let agora = Instante(segundos: 1_772_452_800)

    private func hora(_ inicio: String, _ fim: String) throws -> Intervalo {
        try intervalo("2026-03-09T\(inicio):00-03:00", "2026-03-09T\(fim):00-03:00")
    }

    private func entrar(_ cenario: inout Cenario, _ numero: UInt64, _ quando: Intervalo, inscricao: UInt64? = nil) throws {
        let ator = Ator(usuario: id(numero), papel: .membro)
        let comando = EntrarNaEspera(
            inscricao: id(inscricao ?? 500 + numero),
            usuario: ator.usuario,
            ator: ator,
            inicio: quando.inicio,
            fim: quando.fim,
            lugares: 1,
            agora: agora
        )
        let preparo = try comando.preparar(cenario.contexto())
        let espera: Espera = cenario.estado(.espera(cenario.sala, comando.dia))
        try cenario.gravar(comando.decidir(espera: espera, preparo: preparo, agendas: cenario.agendas(preparo.diasDaAgenda)))
    }

    /// As the policy does.
    private func chamar(_ cenario: inout Cenario, agora: Instante) throws {
        let dias = try Espera.dias(aoLiberar: data("2026-03-09"))
        let filas = Dictionary(uniqueKeysWithValues: dias.map { ($0, cenario.estado(.espera(cenario.sala, $0)) as Espera) })
        let chamada = ChamarDaEspera(espaco: cenario.sala, filas: filas, agora: agora)
        var partes = chamada.encerrar(cenario.reservas(chamada.ofertas))
        var agenda = AgendaDaSerie([:])
        for vez in chamada.aVez {
            let pedido = chamada.pedido(vez, reserva: id(vez.inscricao.id.baixo & 0xFFFF + 1_000))
            let preparo = try pedido.preparar(cenario.contexto())
            agenda.incluir(
                Dictionary(
                    uniqueKeysWithValues: agenda.faltam(preparo.diasDaAgenda).map { ($0, cenario.estado(.agenda(cenario.sala, $0))) })
            )
            guard !preparo.semLugar(agenda.agendas(preparo.diasDaAgenda)) else { continue }
            partes += try chamada.oferecer(vez, pedido, preparo: preparo, agendas: agenda.agendas(preparo.diasDaAgenda))
            agenda.ocupar(preparo, por: pedido.reserva, em: agora)
        }
        try cenario.gravar(EventosDoFluxo.unir(partes))
    }

    private func situacoes(_ cenario: Cenario) throws -> [Espera.Situacao] {
        (cenario.estado(.espera(cenario.sala, try data("2026-03-09"))) as Espera).inscricoes.map(\.situacao)
    }

    @Test("is for what is taken, and once for each")
    func entrada() throws {
        var cenario = try Cenario()
        let (manha, tarde) = (try hora("10:00", "12:00"), try hora("14:00", "15:00"))
        #expect(throws: RecusaDeReservas.espera(.livre)) { try entrar(&cenario, 11, manha) }
        try cenario.reservar(id(1), manha, agora: agora)
        try entrar(&cenario, 11, manha)
        let parte = try hora("11:00", "13:00")
        #expect(throws: RecusaDeReservas.espera(.jaEspera)) {
            var outro = cenario
            try entrar(&outro, 11, parte, inscricao: 599)
        }
        #expect(throws: RecusaDeReservas.espera(.livre)) { try entrar(&cenario, 12, tarde) }
        let doisDias = try #require(Intervalo(inicio: manha.inicio, fim: manha.inicio + .horas(25)))
        #expect(throws: RecusaDeReservas.espera(.longa)) { try entrar(&cenario, 12, doisDias) }
    }

    @Test("offers what is freed to the first whom it fits, and on to the next when that runs out")
    func ordem() throws {
        var cenario = try Cenario(regras: .com(retencaoDaEspera: 60))
        try cenario.reservar(id(1), hora("10:00", "12:00"), agora: agora)
        try cenario.reservar(id(2), hora("12:00", "13:00"), agora: agora)
        try entrar(&cenario, 11, hora("10:00", "13:00"))
        try entrar(&cenario, 12, hora("10:00", "12:00"))
        try entrar(&cenario, 13, hora("11:00", "12:00"))

        // The first does not fit yet, and keeps its place
        try cenario.cancelar(id(1), ator: cenario.ana, agora: agora)
        try chamar(&cenario, agora: agora)
        #expect(try situacoes(cenario) == [.aguardando, .oferecida(id(1_512)), .aguardando])
        guard case .pendente(let dados, let expiraEm) = cenario.estado(.reserva(id(1_512))) as Reserva else { throw Inesperado() }
        #expect(dados.usuario == id(12) && dados.origem?.espera == id(512) && expiraEm == agora + .minutos(60))
        // Called again, nothing more is offered
        try chamar(&cenario, agora: agora)
        #expect(try situacoes(cenario) == [.aguardando, .oferecida(id(1_512)), .aguardando])

        // When the offer runs out and all is free, the first has it
        try cenario.cancelar(id(2), ator: cenario.ana, agora: agora)
        try chamar(&cenario, agora: agora)
        #expect(try situacoes(cenario)[0] == .aguardando)
        let depois = agora + .minutos(60)
        try cenario.gravar(ExpirarReserva(reserva: id(1_512), agora: depois).decidir(reserva: cenario.estado(.reserva(id(1_512)))))
        try chamar(&cenario, agora: depois)
        #expect(try situacoes(cenario) == [.oferecida(id(1_511)), .vencida, .aguardando])

        // Confirmed, the wait is over; and when the span begins, so is that of the others
        let confirmar = ConfirmarReserva(reserva: id(1_511), ator: cenario.recepcao, agora: depois)
        try cenario.gravar(confirmar.decidir(reserva: cenario.estado(.reserva(id(1_511)))))
        try chamar(&cenario, agora: hora("11:00", "12:00").inicio)
        #expect(try situacoes(cenario) == [.atendida, .vencida, .vencida])
    }

    @Test("what costs nothing is theirs at once")
    func gratis() throws {
        var cenario = try Cenario(valorHora: 0)
        try cenario.reservar(id(1), hora("10:00", "12:00"), agora: agora)
        try entrar(&cenario, 11, hora("10:00", "12:00"))
        try cenario.cancelar(id(1), ator: cenario.ana, agora: agora)
        try chamar(&cenario, agora: agora)
        #expect(try situacoes(cenario) == [.atendida])
        guard case .confirmada = cenario.estado(.reserva(id(1_511))) as Reserva else { throw Inesperado() }
    }

    @Test("a place that was offered is given up with its hold")
    func saida() throws {
        var cenario = try Cenario()
        try cenario.reservar(id(1), hora("10:00", "12:00"), agora: agora)
        try entrar(&cenario, 11, hora("10:00", "12:00"))
        try cenario.cancelar(id(1), ator: cenario.ana, agora: agora)
        try chamar(&cenario, agora: agora)
        let dia = try data("2026-03-09")
        func sair(_ numero: UInt64) -> SairDaEspera {
            SairDaEspera(
                espaco: cenario.sala, dia: dia, inscricao: id(511), ator: Ator(usuario: id(numero), papel: .membro), agora: agora
            )
        }
        let (espera, oferta): (Espera, Reserva) = (cenario.estado(.espera(cenario.sala, dia)), cenario.estado(.reserva(id(1_511))))
        #expect(throws: RecusaDeReservas.espera(.naoEncontrada)) { try sair(12).decidir(espera: espera, oferta: oferta) }
        try cenario.gravar(sair(11).decidir(espera: espera, oferta: oferta))
        #expect(try situacoes(cenario) == [.retirada])
        guard case .cancelada = cenario.estado(.reserva(id(1_511))) as Reserva else { throw Inesperado() }
        try cenario.reservar(id(2), hora("10:00", "12:00"), ator: cenario.bia, agora: agora)
    }
}

@Suite("Atendimento")
struct AtendimentoTests {
    private let agora = Instante(segundos: 1_772_452_800)
    private let gestor = Ator(usuario: id(9), papel: .gestor)

    private func pedido() throws -> Intervalo { try intervalo("2026-03-09T10:00:00-03:00", "2026-03-09T11:00:00-03:00") }

    @Test("a booking that needs approval waits for it, then for payment")
    func aprovacao() throws {
        let regras = try RegrasDeReserva.com(prazoDeAprovacao: 600)
        var cenario = try Cenario(regras: regras)
        try cenario.reservar(id(1), pedido(), agora: agora)
        guard case .pendente(let dados, let ate) = cenario.estado(.reserva(id(1))) as Reserva else { throw Inesperado() }
        #expect(ate == agora + .minutos(600) && dados.aprovacaoAte == ate)

        let atual: Reserva = cenario.estado(.reserva(id(1)))
        #expect(throws: RecusaDeReservas.atendimento(.soGestor)) {
            try DecidirAprovacao(reserva: id(1), ator: cenario.recepcao, aprova: true, agora: agora).decidir(
                reserva: atual, regras: regras, beneficios: .nenhum)
        }
        #expect(throws: RecusaDeReservas.atendimento(.semJustificativa)) {
            try DecidirAprovacao(reserva: id(1), ator: gestor, aprova: false, agora: agora).decidir(
                reserva: atual, regras: regras, beneficios: .nenhum)
        }
        #expect(throws: RecusaDeReservas.retencaoVencida) {
            try DecidirAprovacao(reserva: id(1), ator: gestor, aprova: true, agora: ate).decidir(
                reserva: atual, regras: regras, beneficios: .nenhum)
        }
        #expect(throws: RecusaDeReservas.atendimento(.aguardaAprovacao)) {
            try ConfirmarReserva(reserva: id(1), ator: cenario.recepcao, agora: agora).decidir(reserva: atual)
        }
        try cenario.gravar(
            DecidirAprovacao(reserva: id(1), ator: gestor, aprova: true, agora: agora).decidir(
                reserva: atual, regras: regras, beneficios: .nenhum)
        )
        guard case .pendente(let aprovada, let expiraEm) = cenario.estado(.reserva(id(1))) as Reserva else { throw Inesperado() }
        #expect(expiraEm == agora + .minutos(15) && aprovada.aprovacaoAte == nil)
    }

    @Test("who may approve needs no approval; what is free stands once it is approved; a refusal frees the slot")
    func outras() throws {
        let regras = try RegrasDeReserva.com(prazoDeAprovacao: 600)
        var cenario = try Cenario(regras: regras, valorHora: 0)
        try cenario.reservar(id(1), pedido(), ator: gestor, agora: agora)
        guard case .confirmada = cenario.estado(.reserva(id(1))) as Reserva else { throw Inesperado() }
        try cenario.cancelar(id(1), ator: gestor, agora: agora)

        try cenario.reservar(id(2), pedido(), agora: agora)
        let recusar = DecidirAprovacao(reserva: id(2), ator: gestor, aprova: false, justificativa: Selado("x"), agora: agora)
        try cenario.gravar(recusar.decidir(reserva: cenario.estado(.reserva(id(2))), regras: regras, beneficios: .nenhum))

        try cenario.reservar(id(3), pedido(), agora: agora)
        let aprovar = DecidirAprovacao(reserva: id(3), ator: gestor, aprova: true, agora: agora)
        try cenario.gravar(aprovar.decidir(reserva: cenario.estado(.reserva(id(3))), regras: regras, beneficios: .nenhum))
        guard case .confirmada = cenario.estado(.reserva(id(3))) as Reserva else { throw Inesperado() }
    }

    @Test("guests are as many as there is room for, while the booking lasts")
    func convidados() throws {
        var cenario = try Cenario()
        try cenario.reservar(id(1), pedido(), agora: agora)
        let (um, muitos) = (Convidado(nome: Selado("x")), Array(repeating: Convidado(nome: Selado("x")), count: 51))
        func definir(_ quem: [Convidado], _ ator: Ator, _ quando: Instante) throws -> [EventosDoFluxo] {
            try DefinirConvidados(reserva: id(1), ator: ator, convidados: quem, agora: quando)
                .decidir(reserva: cenario.estado(.reserva(id(1))), ficha: cenario.espaco.ficha)
        }
        let (ana, bia, fim) = (cenario.ana, cenario.bia, try pedido().fim)
        #expect(throws: RecusaDeReservas.atendimento(.convidadosDemais(maximo: 50))) { try definir(muitos, ana, agora) }
        #expect(throws: RecusaDeReservas.reservaNaoEncontrada) { try definir([um], bia, agora) }
        #expect(throws: RecusaDeReservas.encerrada) { try definir([um], ana, fim) }
        #expect(try gravados(definir([um], ana, agora)).count == 1)
    }
}

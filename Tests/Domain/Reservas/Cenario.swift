import Domain
import Testing

/// A space ready to be booked, with a log in memory: what decisions append is what the next one loads.
struct Cenario {
    let sala: EspacoID = id(100)
    let unidade: UnidadeID = id(101)
    let ana = Ator(usuario: id(1), papel: .membro)
    let bia = Ator(usuario: id(2), papel: .membro)
    let recepcao = Ator(usuario: id(3), papel: .recepcao)
    let zona: ZonaHoraria
    private(set) var log: [NomeDeFluxo: [EventoDoDominio]] = [:]
    /// What was appended, in order.
    private(set) var ordem: [(fluxo: NomeDeFluxo, evento: EventoDoDominio)] = []

    init(
        lugares: Int = 1,
        regras: RegrasDeReserva = .padrao,
        semana: HorarioSemanal = .vinteQuatroHoras,
        feriados: Bool = false,
        fechamentos: [Fechamento] = [],
        valorHora: Int64 = 6_000,
        fuso: String = "America/Sao_Paulo"
    ) throws {
        zona = try zonaDoSistema(fuso)
        let inicio = Instante(segundos: 0)
        let ficha = FichaDoEspaco(
            nome: "Sala",
            tipo: .mesaCompartilhada,
            capacidade: 50,
            lugares: lugares,
            comodidades: [],
            descricao: ""
        )
        let espacos: [EventoDeEspacos] =
            [
                .espacoCriado(EspacoCriado(espaco: sala, unidade: unidade, ficha: ficha, em: inicio)),
                .horarioDefinido(HorarioDefinido(espaco: sala, semana: semana, fechaEmFeriados: feriados, em: inicio)),
                .regrasDeReservaDefinidas(
                    RegrasDeReservaDefinidas(espaco: sala, versao: VersaoDeRegra(7), regras: regras, em: inicio)
                ),
            ] + fechamentos.map { .fechamentoDefinido(FechamentoDefinido(espaco: sala, fechamento: $0, em: inicio)) }
        log[.espaco(sala)] = espacos.map(EventoDoDominio.espacos)
        let tarifas = [Tarifa(alvo: .espaco(sala), valorHora: reais(valorHora))]
        let tarifario = TarifarioPublicado(
            unidade: unidade,
            versao: VersaoDeRegra(3),
            vigenteDesde: DataCivil(diasDesde1970: 0),
            tarifas: tarifas,
            multiplicadores: [],
            em: inicio
        )
        log[.tarifario(unidade)] = [.precos(.tarifarioPublicado(tarifario))]
        let plano = PlanoPublicado(
            plano: .basic,
            versao: VersaoDeRegra(1),
            nome: "Basic",
            desconto: .zero,
            mensalidade: .zero,
            em: inicio
        )
        log[.plano(.basic)] = [.precos(.planoPublicado(plano))]
    }

    func estado<Estado: EstadoDeFluxo>(_ fluxo: NomeDeFluxo) -> Estado {
        Estado.dobrar(log[fluxo] ?? [])
    }

    /// With what somebody's booking may draw on.
    func contexto(de usuario: UsuarioID? = nil, cupom codigo: CodigoDoCupom? = nil) -> ContextoDaReserva {
        ContextoDaReserva(
            espaco: estado(.espaco(sala)),
            zona: zona,
            tarifario: estado(.tarifario(unidade)),
            planoID: .basic,
            plano: estado(.plano(.basic)),
            beneficios: beneficios(de: usuario, cupom: codigo)
        )
    }

    func beneficios(de usuario: UsuarioID?, cupom codigo: CodigoDoCupom? = nil) -> BeneficiosDoMembro {
        BeneficiosDoMembro(
            usuario: usuario,
            assinatura: usuario.map { estado(.assinatura($0)) } ?? .inicial,
            codigo: codigo,
            cupom: codigo.map { estado(.cupom($0)) } ?? .inicial
        )
    }

    private func beneficios(de reserva: Reserva) -> BeneficiosDoMembro {
        beneficios(de: reserva.dados?.usuario, cupom: reserva.dados?.cotacao.cupom)
    }

    var espaco: DadosDoEspaco {
        get throws { try #require((estado(.espaco(sala)) as Espaco).dados) }
    }

    func agendas(_ dias: [DataCivil]) -> Agendas {
        Agendas(Dictionary(uniqueKeysWithValues: dias.map { ($0, estado(.agenda(sala, $0))) }))
    }

    mutating func gravar(_ decididos: [EventosDoFluxo]) throws {
        _ = try gravados(decididos)
        // An append names each stream once.
        #expect(Set(decididos.map(\.fluxo)).count == decididos.count)
        for parte in decididos {
            log[parte.fluxo, default: []] += parte.eventos
            ordem += parte.eventos.map { (parte.fluxo, $0) }
        }
    }

    mutating func registrar(_ fluxo: NomeDeFluxo, _ evento: EventoDoDominio) {
        log[fluxo, default: []].append(evento)
        ordem.append((fluxo, evento))
    }

    /// Decides as a service does, and appends.
    @discardableResult
    mutating func reservar(
        _ reserva: ReservaID,
        _ intervalo: Intervalo,
        lugares: Int = 1,
        ator: Ator? = nil,
        para usuario: UsuarioID? = nil,
        cupom: CodigoDoCupom? = nil,
        agora: Instante
    ) throws -> [EventosDoFluxo] {
        let ator = ator ?? ana
        let comando = SolicitarReserva(
            reserva: reserva,
            usuario: usuario ?? ator.usuario,
            ator: ator,
            inicio: intervalo.inicio,
            fim: intervalo.fim,
            lugares: lugares,
            agora: agora
        )
        let preparo = try comando.preparar(contexto(de: comando.usuario, cupom: cupom))
        let decididos = try comando.decidir(
            reserva: estado(.reserva(reserva)),
            preparo: preparo,
            agendas: agendas(preparo.diasDaAgenda)
        )
        try gravar(decididos)
        return decididos
    }

    @discardableResult
    mutating func remarcar(_ reserva: ReservaID, _ novo: Intervalo, ator: Ator, agora: Instante) throws -> [EventosDoFluxo] {
        let comando = RemarcarReserva(reserva: reserva, ator: ator, inicio: novo.inicio, fim: novo.fim, agora: agora)
        let atual: Reserva = estado(.reserva(reserva))
        let contexto = contexto(de: atual.dados?.usuario, cupom: atual.dados?.cotacao.cupom)
        guard let preparo = try comando.preparar(contexto, reserva: atual, presenca: estado(.presenca(reserva)))
        else { return [] }
        let decididos = try comando.decidir(
            reserva: atual,
            preparo: preparo,
            agendas: agendas(preparo.diasDaAgenda),
            pagamentos: (atual.dados?.pagamentos ?? []).map { estado(.pagamento($0)) }
        )
        try gravar(decididos)
        return decididos
    }

    @discardableResult
    mutating func cancelar(
        _ reserva: ReservaID,
        ator: Ator,
        pago: Int64 = 0,
        justificativa: Selado? = nil,
        excepcional: Percentual? = nil,
        agora: Instante
    ) throws -> [EventosDoFluxo] {
        let comando = CancelarReserva(
            reserva: reserva,
            ator: ator,
            pago: reais(pago),
            justificativa: justificativa,
            percentualExcepcional: excepcional,
            agora: agora
        )
        let atual: Reserva = estado(.reserva(reserva))
        let decididos = try comando.decidir(reserva: atual, beneficios: beneficios(de: atual))
        try gravar(decididos)
        return decididos
    }

    @discardableResult
    mutating func expirar(_ reserva: ReservaID, agora: Instante) throws -> [EventosDoFluxo] {
        let atual: Reserva = estado(.reserva(reserva))
        let decididos = ExpirarReserva(reserva: reserva, agora: agora).decidir(reserva: atual, beneficios: beneficios(de: atual))
        try gravar(decididos)
        return decididos
    }

    mutating func confirmar(_ reserva: ReservaID, agora: Instante) throws {
        try gravar(ConfirmarReserva(reserva: reserva, ator: recepcao, agora: agora).decidir(reserva: estado(.reserva(reserva))))
    }
}

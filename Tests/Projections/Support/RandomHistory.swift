import Domain
import TestSupport

/// Histories that touch every table of every read model: same things over and over, so that batches hold several changes
/// of one row in any order. They need not be ones that the deciders would allow.
enum RandomHistory {
    static func make(events count: Int, seed: UInt64) throws -> TestLog {
        var random = SeededGenerator(seed: seed)
        var log = TestLog()
        for number in 1...4 {
            try log.createUnit(number)
            try log.createSpace(number, in: number, Samples.description("Sala \(number)"))
            try log.signUp(number, name: "Pessoa \(number)", email: "p\(number)@exemplo.com")
            try charge(number, at: number, in: &log)
        }
        // Of somebody whom nothing else happens to, so that there is a calendar at the end of every history.
        let sharer: UsuarioID = Samples.id(7)
        guard let key = ChaveDeAgenda(String(repeating: "07", count: 32)) else { throw Samples.Impossible() }
        let shared = AgendaCompartilhada(usuario: sharer, chave: key, em: Samples.time(0))
        try log.record(.preferencias(sharer), .notificacoes(.agendaCompartilhada(shared)))
        while log.events.count < count {
            let number = Int.random(in: 1...6, using: &random)
            let minutes = Int.random(in: 0...4000, using: &random)
            switch Int.random(in: 0..<11, using: &random) {
            case 0: try account(number, minutes, &log, &random)
            case 1, 2: try catalogue(number, minutes, &log, &random)
            case 6: try notice(number, minutes, &log, &random)
            case 3: try benefits(number, minutes, &log, &random)
            case 5: try close(number, minutes, &log)
            case 4: try payment(Int.random(in: 1...4, using: &random), minutes, &log, &random)
            case 7: try ledger(number, minutes, &log, &random)
            default: try booking(number, minutes, &log, &random)
            }
        }
        return log
    }

    private static func close(_ unit: Int, _ minutes: Int, _ log: inout TestLog) throws {
        let day = Samples.time(minutes).diaUTC
        let space = OcupacaoDoEspaco(
            espaco: Samples.id(unit), aberto: 3600, ocupado: Int64(minutes), reservas: 1, faltas: 0, canceladas: 0, valor: .zero)
        let event = OcupacaoDiariaApurada(
            unidade: Samples.id(unit), dia: day, revisao: minutes % 3 + 1, fuso: "America/Manaus", espacos: [space],
            em: Samples.time(minutes))
        try log.record(.ocupacao(Samples.id(unit), day), .analytics(.ocupacaoDiariaApurada(event)))
    }

    private static func account(_ user: Int, _ minutes: Int, _ log: inout TestLog, _ random: inout SeededGenerator) throws {
        let id: UsuarioID = Samples.id(user)
        let session: SessaoID = Samples.id(user)
        let time = Samples.time(minutes)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: try log.signUp(user, name: "Nome \(minutes)", email: "e\(minutes)@exemplo.com", at: minutes)
        case 1:
            let name = PlainOpener.seal("Outro \(minutes)", field: "nome")
            try log.record(.usuario(id), .usuarios(.perfilAtualizado(PerfilAtualizado(usuario: id, nome: name, em: time))))
        case 2:
            let email = PlainOpener.seal("o\(minutes)@exemplo.com", field: "email")
            try log.record(.usuario(id), .usuarios(.perfilAtualizado(PerfilAtualizado(usuario: id, email: email, em: time))))
        case 3:
            try log.record(.usuario(id), .usuarios(.papelAlterado(PapelAlterado(usuario: id, de: .membro, para: .gestor, em: time))))
        case 4: try log.record(.usuario(id), .usuarios(.usuarioBloqueado(UsuarioBloqueado(usuario: id, em: time))))
        case 8: try log.record(.usuario(id), .usuarios(.usuarioDesbloqueado(UsuarioDesbloqueado(usuario: id, em: time))))
        case 9:
            let password = SenhaAlterada(usuario: id, senha: PlainOpener.seal("senha", field: "senha"), sessao: session, em: time)
            try log.record(.usuario(id), .usuarios(.senhaAlterada(password)))
        case 5: try log.record(.usuario(id), .usuarios(.usuarioApagado(UsuarioApagado(usuario: id, em: time))))
        case 6: try log.record(.sessao(session), .usuarios(.loginRealizado(LoginRealizado(sessao: session, usuario: id, em: time))))
        default:
            let revoked = SessaoRevogada(sessao: session, usuario: id, motivo: .saida, em: time)
            try log.record(.sessao(session), .usuarios(.sessaoRevogada(revoked)))
        }
    }

    private static func catalogue(_ space: Int, _ minutes: Int, _ log: inout TestLog, _ random: inout SeededGenerator) throws {
        let id: EspacoID = Samples.id(space)
        let time = Samples.time(minutes)
        let event: EventoDeEspacos
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return try log.createSpace(space, in: 1, Samples.description("Nova \(minutes)", amenities: ["wifi"]))
        case 1: event = .espacoAtualizado(EspacoAtualizado(espaco: id, ficha: Samples.description("Sala \(minutes)"), em: time))
        case 2: event = .horarioDefinido(HorarioDefinido(espaco: id, semana: .vinteQuatroHoras, fechaEmFeriados: true, em: time))
        case 3:
            let version = VersaoDeRegra(minutes)
            event = .regrasDeReservaDefinidas(
                RegrasDeReservaDefinidas(espaco: id, versao: version, regras: try Samples.rules(after: minutes % 60), em: time)
            )
        case 4:
            guard let period = PeriodoLocal(de: time.diaUTC, ate: time.diaUTC) else { throw Samples.Impossible() }
            let closure = Fechamento(id: Samples.id(minutes % 3), periodo: period, motivo: "Obra")
            event = .fechamentoDefinido(FechamentoDefinido(espaco: id, fechamento: closure, em: time))
        case 5: event = .fechamentoRemovido(FechamentoRemovido(espaco: id, fechamento: Samples.id(minutes % 3), em: time))
        case 6: event = .espacoDesativado(EspacoDesativado(espaco: id, em: time))
        case 7: event = .espacoReativado(EspacoReativado(espaco: id, em: time))
        case 8:
            let tariff = TarifarioPublicado(
                unidade: Samples.id(space), versao: VersaoDeRegra(minutes % 5), vigenteDesde: time.diaUTC,
                tarifas: [Tarifa(alvo: .tipo(.cabine), valorHora: Dinheiro(centavos: Int64(minutes)))], multiplicadores: [], em: time
            )
            try log.record(.tarifario(Samples.id(space)), .precos(.tarifarioPublicado(tariff)))
            return
        default:
            let plan = PlanoPublicado(
                plano: .premium, versao: VersaoDeRegra(minutes), nome: "Premium", desconto: .metade,
                mensalidade: Dinheiro(centavos: Int64(minutes)), em: time
            )
            try log.record(.plano(.premium), .precos(.planoPublicado(plan)))
            return
        }
        try log.record(.espaco(id), .espacos(event))
    }

    private static func booking(_ booking: Int, _ minutes: Int, _ log: inout TestLog, _ random: inout SeededGenerator) throws {
        let id: ReservaID = Samples.id(booking)
        let time = Samples.time(minutes)
        // Some go on for more than a day
        let interval = try Samples.interval(minutes, minutes + (minutes.isMultiple(of: 5) ? 1500 : 60))
        switch Int.random(in: 0..<15, using: &random) {
        case 13, 14: try presence(booking, interval, at: time, &log, &random)
        case 8: try line(booking, minutes, interval, &log, &random)
        case 9: try series(booking, minutes, &log)
        case 10: try log.record(booking, .reservaAprovada(ReservaAprovada(reserva: id, por: Samples.id(1), expiraEm: time, em: time)))
        case 11:
            let guests = (0..<(minutes % 4)).map { number in
                Convidado(
                    nome: PlainOpener.seal("Convidado \(number)", field: "convidado"),
                    email: number == 0 ? nil : PlainOpener.seal("c\(number)@exemplo.com", field: "convidado")
                )
            }
            let named = ConvidadosDefinidos(reserva: id, usuario: Samples.id(1), convidados: guests, por: Samples.id(1), em: time)
            try log.record(booking, .convidadosDefinidos(named))
        case 0, 1: try log.book(booking, interval, notes: "nota \(minutes)", expires: minutes.isMultiple(of: 2) ? minutes : nil)
        case 2: try log.record(booking, .reservaConfirmada(ReservaConfirmada(reserva: id, motivo: .operador, em: time)))
        case 3:
            try log.record(booking, .reservaExpirada(ReservaExpirada(reserva: id, expiraEm: time, em: time)))
            try log.free(1, of: booking, interval)
        case 4:
            let cancelled = ReservaCancelada(
                reserva: id, motivo: .operador, por: Samples.id(1), justificativa: PlainOpener.seal("chuva", field: "justificativa"),
                reembolso: Samples.refund(Int64(minutes)), em: time
            )
            try log.record(booking, .reservaCancelada(cancelled))
            try log.free(1, of: booking, interval)
        case 5:
            let moved = ReservaRemarcada(
                reserva: id, de: Samples.schedule(interval), para: Samples.schedule(try Samples.interval(minutes + 30, minutes + 90)),
                regras: Samples.appliedRules, cotacao: Samples.quote(7, over: interval), diferenca: .zero, por: Samples.id(1), em: time
            )
            try log.record(booking, .reservaRemarcada(moved))
            try log.free(1, of: booking, interval)
            try log.occupy(1, by: booking, try Samples.interval(minutes + 30, minutes + 90))
        case 6: try log.record(booking, .reservaConcluida(ReservaConcluida(reserva: id, em: time)))
        case 7:
            let again = ReservaRetomada(
                reserva: id, espaco: Samples.id(1), unidade: Samples.id(1), horario: Samples.schedule(interval),
                pagamento: Samples.id(booking),
                em: time
            )
            try log.record(booking, .reservaRetomada(again))
            try log.occupy(1, by: booking, interval)
        default: try log.occupy(booking, by: booking, interval)
        }
    }

    private static func series(_ number: Int, _ minutes: Int, _ log: inout TestLog) throws {
        let (id, time): (SerieID, Instante) = (Samples.id(number), Samples.time(minutes))
        let start = DataHoraLocal(microssegundos: time.microssegundos)
        let occurrence = OcorrenciaDaSerie(reserva: Samples.id(number), original: start, inicio: start)
        let skipped = OcorrenciaPulada(original: start, codigo: "slot_taken")
        let event: EventoDeReservas =
            switch minutes % 3 {
            case 0:
                .serieCriada(
                    SerieCriada(
                        serie: id, usuario: Samples.id(1), espaco: Samples.id(1), unidade: Samples.id(1), fuso: "America/Sao_Paulo",
                        regra: try RegraDeRecorrencia("FREQ=DAILY;COUNT=\(minutes % 7 + 1)"), duracao: .umaHora, lugares: 1,
                        ocorrencias: [occurrence], puladas: [skipped], criadaPor: Samples.id(1), em: time
                    )
                )
            case 1:
                .serieAlterada(
                    SerieAlterada(
                        serie: id, alcance: .todas, aPartirDe: start, duracao: .trinta, movidas: [occurrence], mantidas: [],
                        por: Samples.id(1), em: time
                    )
                )
            default:
                .serieEncerrada(
                    SerieEncerrada(
                        serie: id, alcance: .seguintes, aPartirDe: start, canceladas: [Samples.id(number)], por: Samples.id(1), em: time
                    )
                )
            }
        try log.record(.serie(id), .reservas(event))
    }

    private static func line(
        _ number: Int,
        _ minutes: Int,
        _ interval: Intervalo,
        _ log: inout TestLog,
        _ random: inout SeededGenerator
    ) throws {
        let (entry, user, space): (EsperaID, UsuarioID, EspacoID) = (Samples.id(number), Samples.id(1), Samples.id(1))
        let (day, time) = (interval.inicio.diaUTC, Samples.time(minutes))
        let event: EventoDeReservas =
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                .esperaInscrita(
                    EsperaInscrita(
                        inscricao: entry, usuario: user, espaco: space, unidade: Samples.id(1), dia: day, fuso: "America/Sao_Paulo",
                        intervalo: interval, lugares: 1, em: time
                    )
                )
            case 1:
                .esperaOferecida(
                    EsperaOferecida(
                        inscricao: entry, usuario: user, espaco: space, dia: day, reserva: Samples.id(number), expiraEm: time, em: time
                    )
                )
            case 2:
                .esperaAtendida(
                    EsperaAtendida(inscricao: entry, usuario: user, espaco: space, dia: day, reserva: Samples.id(number), em: time)
                )
            case 3:
                .esperaVencida(
                    EsperaVencida(inscricao: entry, usuario: user, espaco: space, dia: day, motivo: .inicioPassou, em: time)
                )
            default:
                .esperaRetirada(EsperaRetirada(inscricao: entry, usuario: user, espaco: space, dia: day, por: user, em: time))
            }
        try log.record(.espera(space, day), .reservas(event))
    }

    private static func presence(
        _ booking: Int,
        _ interval: Intervalo,
        at time: Instante,
        _ log: inout TestLog,
        _ random: inout SeededGenerator
    ) throws {
        let id: ReservaID = Samples.id(booking)
        let (user, space, unit): (UsuarioID, EspacoID, UnidadeID) = (Samples.id(1), Samples.id(1), Samples.id(1))
        let display: CodigoID = Samples.id(booking)
        let made = PainelAutorizado(painel: display, espaco: space, venceEm: interval.fim, por: user, em: time)
        try log.record(.painel(display), .checkin(.painelAutorizado(made)))
        if Bool.random(using: &random) {
            let revoked = PainelRevogado(painel: display, espaco: space, por: user, em: time)
            try log.record(.painel(display), .checkin(.painelRevogado(revoked)))
        }
        let event: EventoDeCheckin
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            event = .checkinRealizado(
                CheckinRealizado(
                    reserva: id, usuario: user, espaco: space, unidade: unit, intervalo: interval, por: user, meio: .membro,
                    encerraEm: interval.fim, em: time
                ))
        case 1:
            event = .checkoutRealizado(
                CheckoutRealizado(
                    reserva: id, usuario: user, espaco: space, unidade: unit, intervalo: interval, entrada: time, meio: .prazo,
                    liberadoDesde: time, em: time
                ))
        case 2:
            let price = PrecoDoExcedente(
                tarifarioVersao: VersaoDeRegra(1), valorHora: Dinheiro(centavos: 6_000), milesimos: 1000, lugares: 1, desconto: .zero)
            event = .excedenteApurado(
                ExcedenteApurado(
                    reserva: id, usuario: user, espaco: space, unidade: unit, intervalo: interval, tolerancia: .quinze, passo: .trinta,
                    passos: 1, preco: price, valor: Dinheiro(centavos: 3_000), em: time
                ))
        default:
            event = .naoComparecimentoRegistrado(
                NaoComparecimentoRegistrado(
                    reserva: id, usuario: user, espaco: space, unidade: unit, intervalo: interval, tolerancia: .quinze, limite: time,
                    em: time
                ))
            let missed = ReservaNaoComparecida(reserva: id, limite: time, reembolso: Samples.refund(0), em: time)
            try log.record(booking, .reservaNaoComparecida(missed))
        }
        try log.record(.presenca(id), .checkin(event))
    }
}

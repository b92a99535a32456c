/// What is known of a booking: the stream `reserva-{id}`.
package enum Reserva: EstadoDeFluxo {
    case inexistente
    /// Holds its slot until `expiraEm`.
    case pendente(DadosDaReserva, expiraEm: Instante)
    case confirmada(DadosDaReserva)
    case expirada(DadosDaReserva)
    case cancelada(DadosDaReserva)
    case concluida(DadosDaReserva)
    /// Nobody came; so much came back.
    case ausente(DadosDaReserva)

    package static let inicial = Reserva.inexistente

    package func evoluindo(com evento: EventoDeReservas) -> Reserva {
        switch evento {
        case .reservaSolicitada(let solicitacao):
            let dados = DadosDaReserva(
                reserva: solicitacao.reserva,
                usuario: solicitacao.usuario,
                espaco: solicitacao.espaco,
                unidade: solicitacao.unidade,
                horario: solicitacao.horario,
                regras: solicitacao.regras,
                cotacao: solicitacao.cotacao,
                origem: solicitacao.origem,
                aprovacaoAte: solicitacao.aprovacaoAte
            )
            return solicitacao.expiraEm.map { .pendente(dados, expiraEm: $0) } ?? .confirmada(dados.confirmada(em: solicitacao.em))
        case .reservaConfirmada(let confirmacao): return confirmada(confirmacao)
        case .reservaExpirada(let expiracao): return dados.map { .expirada($0.expirada(expiracao)) } ?? self
        case .reservaCancelada(let cancelamento): return dados.map { .cancelada($0.devolvendo(cancelamento.reembolso)) } ?? self
        case .reservaConcluida: return dados.map(Reserva.concluida) ?? self
        case .reservaRetomada(let retomada): return dados.map { .pendente($0.retomada, expiraEm: retomada.em) } ?? self
        case .reservaNaoComparecida(let ausencia): return dados.map { .ausente($0.devolvendo(ausencia.reembolso)) } ?? self
        case .reservaRemarcada(let remarcacao): return remarcada(remarcacao)
        case .reservaAprovada(let aprovacao): return aprovada(aprovacao)
        case .horarioOcupado, .horarioLiberado, .convidadosDefinidos, .serieCriada, .serieAlterada, .serieEncerrada,
            .esperaInscrita, .esperaOferecida, .esperaAtendida, .esperaVencida, .esperaRetirada:
            return self
        }
    }

    /// What the booking is, in whatever state; `nil` when there is none.
    package var dados: DadosDaReserva? {
        switch self {
        case .inexistente: nil
        case .pendente(let dados, _), .confirmada(let dados), .expirada(let dados), .cancelada(let dados), .concluida(let dados),
            .ausente(let dados):
            dados
        }
    }

    private func aprovada(_ aprovacao: ReservaAprovada) -> Reserva {
        guard case .pendente(var dados, let expiraEm) = self else { return self }
        dados.aprovacaoAte = nil
        return .pendente(dados, expiraEm: aprovacao.expiraEm ?? expiraEm)
    }

    private func confirmada(_ confirmacao: ReservaConfirmada) -> Reserva {
        guard var dados else { return self }
        if let pagamento = confirmacao.pagamento { dados.confirmadaPor.insert(pagamento) }
        return .confirmada(dados.quitada.confirmada(em: confirmacao.em))
    }

    private func remarcada(_ remarcacao: ReservaRemarcada) -> Reserva {
        func mudar(_ dados: DadosDaReserva) -> DadosDaReserva {
            var dados = dados
            dados.horario = remarcacao.para
            dados.regras = remarcacao.regras
            dados.cotacao = remarcacao.cotacao
            dados.devido = remarcacao.aPagar
            dados.remarcacoes += 1
            if remarcacao.aPagar != nil || remarcacao.diferenca > .zero { dados.encarecidas.append(dados.remarcacoes) }
            if let retido = remarcacao.retido { dados.retido = (try? dados.retido.somando(retido)) ?? dados.retido }
            if let limite = remarcacao.devolveAte { dados.devolveAte = limite }
            if let prazo = remarcacao.aprovacaoAte { dados.aprovacaoAte = prazo }
            if let valor = remarcacao.aDevolver { dados.aDevolver.append(Devolucao(remarcacao: dados.remarcacoes, valor: valor)) }
            return dados
        }
        switch self {
        case .inexistente: return self
        case .pendente(let dados, let expiraEm):
            return .pendente(mudar(dados), expiraEm: remarcacao.pagarAte ?? remarcacao.expiraEm ?? expiraEm)
        case .confirmada(let dados):
            return remarcacao.pagarAte.map { .pendente(mudar(dados), expiraEm: $0) } ?? .confirmada(mudar(dados))
        case .expirada(let dados): return .expirada(mudar(dados))
        case .cancelada(let dados): return .cancelada(mudar(dados))
        case .concluida(let dados): return .concluida(mudar(dados))
        case .ausente(let dados): return .ausente(mudar(dados))
        }
    }
}

/// What a booking is.
package struct DadosDaReserva: Hashable, Sendable {
    package let reserva: ReservaID
    package let usuario: UsuarioID
    package let espaco: EspacoID
    package let unidade: UnidadeID
    package internal(set) var horario: HorarioDaReserva
    package internal(set) var regras: RegrasAplicadas
    package internal(set) var cotacao: Cotacao
    package var origem: OrigemDaReserva?
    /// Until when a gestor has to approve the booking; nil where nobody has to any more.
    package internal(set) var aprovacaoAte: Instante?
    /// What a move made the booking cost more, while that is not paid. The rest of the price was settled before.
    package internal(set) var devido: Dinheiro?

    /// The same with nothing to be waited for.
    var quitada: DadosDaReserva {
        var dados = self
        dados.devido = nil
        dados.aprovacaoAte = nil
        return dados
    }

    /// How often it was moved.
    package internal(set) var remarcacoes = 0
    /// The moves that made it cost more, by their number.
    package internal(set) var encarecidas: [Int] = []
    /// What its moves to cheaper times give back.
    package internal(set) var aDevolver: [Devolucao] = []
    /// What its moves forwent of what was paid. It is none of the present price.
    package internal(set) var retido = Dinheiro.zero
    /// The largest share that giving it up gives back, after moves at short notice.
    package internal(set) var devolveAte = Percentual.todo
    /// The payments that confirmed it, first and after moves.
    package internal(set) var confirmadaPor: Set<PagamentoID> = []
    /// What its cancellation gives back, or that nobody came, or that a difference was not paid, once it was given up.
    package internal(set) var reembolso: Reembolso?
    /// When it expired; absent while it has not, or was taken up again.
    package internal(set) var expiradaEm: Instante?
    /// When it came to stand; absent while it does not.
    package internal(set) var confirmadaEm: Instante?
    /// How many minutes of credits it took when it last came to stand.
    package internal(set) var creditosConfirmados = 0

    func devolvendo(_ reembolso: Reembolso) -> DadosDaReserva {
        var dados = self
        dados.reembolso = reembolso
        return dados
    }

    func expirada(_ expiracao: ReservaExpirada) -> DadosDaReserva {
        var dados = self
        dados.reembolso = expiracao.reembolso
        dados.expiradaEm = expiracao.em
        return dados
    }

    /// The same, to be had again.
    var retomada: DadosDaReserva {
        var dados = self
        dados.reembolso = nil
        dados.expiradaEm = nil
        return dados
    }

    func confirmada(em instante: Instante) -> DadosDaReserva {
        var dados = self
        dados.confirmadaEm = confirmadaEm ?? instante
        dados.creditosConfirmados = cotacao.creditos?.valor ?? 0
        return dados
    }

    /// The UTC days whose agenda streams hold this booking, in order.
    package var diasDaAgenda: [DataCivil] { horario.ocupacao.diasUTC }

    /// All that it was charged for, or may have been: its price, and the differences of its moves.
    package var cobrancas: [CausaDaCobranca] {
        [.reserva(reserva)] + encarecidas.map { .diferenca(reserva, remarcacao: $0) }
    }

    /// The charges for it, as their streams are named.
    package var pagamentos: [PagamentoID] { cobrancas.map(\.pagamento) }

    /// What it waits for while it is held.
    package var aCobrar: (causa: CausaDaCobranca, valor: Dinheiro) {
        guard let devido else { return (.reserva(reserva), cotacao.total) }
        return (.diferenca(reserva, remarcacao: remarcacoes), devido)
    }

    /// Which share giving the booking up gives back, by the policy that it was made under. A move does not buy a longer notice.
    func percentualDeDevolucao(em agora: Instante) -> Percentual {
        min(regras.cancelamento.faixa(para: horario.intervalo.inicio - agora)?.percentual ?? .zero, devolveAte)
    }

    /// What giving the booking up gives back, by the policy that it was made under.
    /// - Parameters:
    ///   - pago: What was paid for it so far.
    ///   - percentualExcepcional: Set against the policy.
    func reembolso(
        de pago: Dinheiro,
        percentualExcepcional: Percentual? = nil,
        em agora: Instante
    ) throws(RecusaDeReservas) -> Reembolso {
        let antecedencia = horario.intervalo.inicio - agora
        let faixa = regras.cancelamento.faixa(para: antecedencia)
        let percentual = percentualExcepcional ?? percentualDeDevolucao(em: agora)
        do {
            return Reembolso(
                regrasVersao: regras.versao,
                antecedencia: Minutos(completosEm: antecedencia),
                faixa: faixa,
                percentual: percentual,
                pago: pago,
                valor: try pago.vezes(percentual),
                excepcional: percentualExcepcional != nil,
                limite: devolveAte < .todo ? devolveAte : nil
            )
        } catch {
            throw .preco(.valorForaDosLimites)
        }
    }

    /// What comes back when the difference of a move was not paid in time: of what was paid before, as much as if the booking were
    /// given up now. Nil where no difference is due.
    func reembolsoSemDiferenca(em agora: Instante) -> Reembolso? {
        guard let devido, let pago = try? cotacao.total.subtraindo(devido) else { return nil }
        return try? reembolso(de: pago, em: agora)
    }

    /// What the agenda days get when the booking gives up its slot.
    func liberacao(em agora: Instante) -> [EventosDoFluxo] {
        diasDaAgenda.map { dia in
            EventosDoFluxo(.agenda(espaco, dia), reservas: .horarioLiberado(liberado(dia, em: agora)))
        }
    }

    func liberado(_ dia: DataCivil, em agora: Instante) -> HorarioLiberado {
        HorarioLiberado(espaco: espaco, dia: dia, reserva: reserva, em: agora)
    }
}

/// What a move to a cheaper time gives back.
package struct Devolucao: Hashable, Sendable {
    /// Which of the booking's moves, from 1.
    package let remarcacao: Int
    package let valor: Dinheiro
}

extension Reserva {
    /// Whether this person still has something booked here: neither given up nor over.
    func estaAberta(de usuario: UsuarioID, em agora: Instante) -> Bool {
        switch self {
        case .inexistente, .expirada, .cancelada, .concluida, .ausente: false
        case .pendente(let dados, _), .confirmada(let dados): dados.usuario == usuario && agora < dados.horario.intervalo.fim
        }
    }

    /// The booking, when this person may know of it: their own, or any of an operator's unit.
    package func exigirVisivel(para ator: Ator) throws(RecusaDeReservas) -> DadosDaReserva {
        guard let dados, ator.alcanca(dados.usuario, em: dados.unidade) else { throw .reservaNaoEncontrada }
        return dados
    }
}

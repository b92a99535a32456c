/// What is known of a booking: the stream `reserva-{id}`.
package enum Reserva: EstadoDeFluxo {
    case inexistente
    /// Holds its slot until `expiraEm`.
    case pendente(DadosDaReserva, expiraEm: Instante)
    case confirmada(DadosDaReserva)
    case expirada(DadosDaReserva)
    case cancelada(DadosDaReserva)
    case concluida(DadosDaReserva)

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
                cotacao: solicitacao.cotacao
            )
            return solicitacao.expiraEm.map { .pendente(dados, expiraEm: $0) } ?? .confirmada(dados)
        case .reservaConfirmada: return dados.map(Reserva.confirmada) ?? self
        case .reservaExpirada: return dados.map(Reserva.expirada) ?? self
        case .reservaCancelada: return dados.map(Reserva.cancelada) ?? self
        case .reservaConcluida: return dados.map(Reserva.concluida) ?? self
        case .reservaRemarcada(let remarcacao): return remarcada(remarcacao)
        case .horarioOcupado, .horarioLiberado: return self
        }
    }

    /// What the booking is, in whatever state; `nil` when there is none.
    package var dados: DadosDaReserva? {
        switch self {
        case .inexistente: nil
        case .pendente(let dados, _), .confirmada(let dados), .expirada(let dados), .cancelada(let dados), .concluida(let dados): dados
        }
    }

    private func remarcada(_ remarcacao: ReservaRemarcada) -> Reserva {
        func mudar(_ dados: DadosDaReserva) -> DadosDaReserva {
            var dados = dados
            dados.horario = remarcacao.para
            dados.regras = remarcacao.regras
            dados.cotacao = remarcacao.cotacao
            return dados
        }
        switch self {
        case .inexistente: return self
        case .pendente(let dados, let expiraEm): return .pendente(mudar(dados), expiraEm: expiraEm)
        case .confirmada(let dados): return .confirmada(mudar(dados))
        case .expirada(let dados): return .expirada(mudar(dados))
        case .cancelada(let dados): return .cancelada(mudar(dados))
        case .concluida(let dados): return .concluida(mudar(dados))
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

    /// The UTC days whose agenda streams hold this booking, in order.
    package var diasDaAgenda: [DataCivil] { horario.ocupacao.diasUTC }

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
        let percentual = percentualExcepcional ?? faixa?.percentual ?? .zero
        do {
            return Reembolso(
                regrasVersao: regras.versao,
                antecedencia: Minutos(completosEm: antecedencia),
                faixa: faixa,
                percentual: percentual,
                pago: pago,
                valor: try pago.vezes(percentual),
                excepcional: percentualExcepcional != nil
            )
        } catch {
            throw .preco(.valorForaDosLimites)
        }
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

extension Reserva {
    /// Whether this person still has something booked here: neither given up nor over.
    func estaAberta(de usuario: UsuarioID, em agora: Instante) -> Bool {
        switch self {
        case .inexistente, .expirada, .cancelada, .concluida: false
        case .pendente(let dados, _), .confirmada(let dados): dados.usuario == usuario && agora < dados.horario.intervalo.fim
        }
    }

    /// The booking, when this person may know of it: their own, or any for an operator.
    package func exigirVisivel(para ator: Ator) throws(RecusaDeReservas) -> DadosDaReserva {
        guard let dados, ator.opera || dados.usuario == ator.usuario else { throw .reservaNaoEncontrada }
        return dados
    }
}

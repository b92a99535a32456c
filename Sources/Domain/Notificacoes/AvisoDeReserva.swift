/// What somebody is told of a booking of theirs.
package struct AvisoDeReserva: Hashable, Sendable {
    /// What became of it.
    package enum Fato: Hashable, Sendable {
        case confirmada
        case cancelada
        case expirada
        case remarcada
        /// A gestor has to approve it by then.
        case aguardaAprovacao(ate: Instante)
        /// Whoever is told may approve it until then, or not.
        case aDecidir(ate: Instante)
        /// It is to be paid by then; nil where there is nothing to pay.
        case aprovada(pagarAte: Instante?)
        case naoAprovada
        /// It was free at last, and is held until then; nil where there is nothing to pay and it stands.
        case oferecidaDaFila(pagarAte: Instante?)
        /// Nobody came, and so much comes back.
        case naoComparecida(reembolso: Dinheiro)
        /// Somebody stayed so long past the end, and owes so much for it.
        case excedida(Minutos, valor: Dinheiro)

        package var tipo: TipoDeAviso {
            switch self {
            case .confirmada: .reservaConfirmada
            case .cancelada: .reservaCancelada
            case .expirada: .reservaExpirada
            case .remarcada: .reservaRemarcada
            case .aguardaAprovacao: .aprovacaoPedida
            case .aDecidir: .aprovacaoAResponder
            case .aprovada: .reservaAprovada
            case .naoAprovada: .reservaNaoAprovada
            case .oferecidaDaFila: .vagaOferecida
            case .naoComparecida: .naoComparecimento
            case .excedida: .excedenteApurado
            }
        }

        /// What an event means for who may approve the booking; nil where there is nothing to decide.
        package init?(paraDecidir evento: EventoDeReservas) {
            guard case .reservaSolicitada(let pedida) = evento, let prazo = pedida.aprovacaoAte else { return nil }
            self = .aDecidir(ate: prazo)
        }

        /// What an event means for who booked; nil where they are not told of it.
        package init?(_ evento: EventoDeReservas) {
            switch evento {
            case .reservaConfirmada: self = .confirmada
            case .reservaCancelada(let cancelada): self = cancelada.motivo == .naoAprovada ? .naoAprovada : .cancelada
            case .reservaExpirada: self = .expirada
            case .reservaRemarcada: self = .remarcada
            case .reservaSolicitada(let solicitada):
                guard let prazo = solicitada.aprovacaoAte else { return nil }
                self = .aguardaAprovacao(ate: prazo)
            case .reservaAprovada(let aprovada): self = .aprovada(pagarAte: aprovada.expiraEm)
            case .esperaOferecida(let oferecida): self = .oferecidaDaFila(pagarAte: oferecida.expiraEm)
            case .reservaNaoComparecida(let ausencia): self = .naoComparecida(reembolso: ausencia.reembolso.valor)
            case .reservaConcluida, .reservaRetomada, .convidadosDefinidos, .horarioOcupado, .horarioLiberado, .serieCriada, .serieAlterada,
                .serieEncerrada, .esperaInscrita, .esperaAtendida, .esperaVencida, .esperaRetirada:
                return nil
            }
        }

        /// What an event at the door means for who booked; nil where they are not told of it.
        package init?(_ evento: EventoDeCheckin) {
            switch evento {
            case .excedenteApurado(let excedente):
                self = .excedida(Minutos(completosEm: excedente.intervalo.fim - excedente.intervalo.inicio), valor: excedente.valor)
            case .checkinRealizado, .checkoutRealizado, .naoComparecimentoRegistrado, .painelAutorizado, .painelRevogado: return nil
            }
        }
    }

    package let fato: Fato
    package let reserva: ReservaDescrita
    private let zona: ZonaHoraria

    /// - Parameter zona: The zone of the booking's local times.
    package init(_ fato: Fato, de reserva: ReservaDescrita, zona: ZonaHoraria) {
        self.fato = fato
        self.reserva = reserva
        self.zona = zona
    }

    func titulo(em idioma: Idioma) -> String {
        "\(acontecimento(em: idioma)): \(reserva.espaco), \(reserva.quando(em: idioma))"
    }

    private func acontecimento(em idioma: Idioma) -> String {
        switch fato {
        case .confirmada: idioma.escolher("Reserva confirmada", "Booking confirmed")
        case .cancelada: idioma.escolher("Reserva cancelada", "Booking cancelled")
        case .expirada: idioma.escolher("Reserva expirada", "Booking expired")
        case .remarcada: idioma.escolher("Reserva remarcada", "Booking moved")
        case .aguardaAprovacao: idioma.escolher("Reserva aguardando aprovação", "Booking awaiting approval")
        case .aDecidir: idioma.escolher("Reserva a aprovar", "Booking to approve")
        case .aprovada: idioma.escolher("Reserva aprovada", "Booking approved")
        case .naoAprovada: idioma.escolher("Reserva não aprovada", "Booking not approved")
        case .oferecidaDaFila: idioma.escolher("Vaga na fila de espera", "Your turn on the waitlist")
        case .naoComparecida: idioma.escolher("Ausência registrada", "Marked as a no-show")
        case .excedida: idioma.escolher("Tempo excedente", "Time beyond the booking")
        }
    }

    func texto(em idioma: Idioma) -> String {
        let (quando, lugar) = (reserva.quando(em: idioma), reserva.lugar)
        switch fato {
        case .confirmada:
            return idioma.escolher(
                "Sua reserva de \(lugar) para \(quando) está confirmada.", "Your booking of \(lugar) for \(quando) is confirmed."
            )
        case .cancelada:
            return idioma.escolher(
                "Sua reserva de \(lugar) para \(quando) foi cancelada.", "Your booking of \(lugar) for \(quando) was cancelled."
            )
        case .expirada where reserva.dados.aprovacaoAte != nil:
            return idioma.escolher(
                "Ninguém aprovou a reserva de \(lugar) para \(quando) a tempo, e o horário foi liberado. Nada há a pagar.",
                "Nobody approved the booking of \(lugar) for \(quando) in time, and the slot is free again. Nothing is due."
            )
        case .expirada:
            return idioma.escolher(
                "O prazo para confirmar a reserva de \(lugar) para \(quando) acabou, e o horário foi liberado.",
                "The time to confirm the booking of \(lugar) for \(quando) has run out, and the slot is free again."
            )
        case .remarcada:
            return idioma.escolher(
                "Sua reserva de \(lugar) mudou para \(quando).", "Your booking of \(lugar) was moved to \(quando)."
            )
        case .aguardaAprovacao(let prazo):
            let ate = zona.extenso(prazo, em: idioma)
            return idioma.escolher(
                "Sua reserva de \(lugar) para \(quando) aguarda aprovação até \(ate). Até lá o horário é seu, e nada há a pagar.",
                "Your booking of \(lugar) for \(quando) awaits approval until \(ate). Until then the slot is yours and nothing is due."
            )
        case .aDecidir(let prazo):
            let ate = zona.extenso(prazo, em: idioma)
            return idioma.escolher(
                "Uma reserva de \(lugar) para \(quando) espera a sua decisão, ou a de outro gestor, até \(ate). Depois disso ela expira.",
                "A booking of \(lugar) for \(quando) waits for your decision, or another manager's, until \(ate). After that it expires."
            )
        case .aprovada(let prazo):
            return idioma.escolher(
                "Sua reserva de \(lugar) para \(quando) foi aprovada.", "Your booking of \(lugar) for \(quando) was approved."
            ) + pagar(ate: prazo, em: idioma)
        case .naoAprovada:
            return idioma.escolher(
                "Sua reserva de \(lugar) para \(quando) não foi aprovada, e o horário foi liberado.",
                "Your booking of \(lugar) for \(quando) was not approved, and the slot is free again."
            )
        case .oferecidaDaFila(let prazo):
            return idioma.escolher(
                "O horário que você esperava, \(lugar) para \(quando), ficou livre e está reservado para você.",
                "The time you waited for, \(lugar) for \(quando), is free and is booked for you."
            ) + pagar(ate: prazo, em: idioma)
        case .naoComparecida(let reembolso):
            return idioma.escolher(
                "Ninguém compareceu à reserva de \(lugar) para \(quando), e o horário foi liberado. Serão devolvidos \(reembolso).",
                "Nobody came to the booking of \(lugar) for \(quando), and the slot is free again. \(reembolso) will be given back."
            )
        case .excedida(let minutos, let valor):
            return idioma.escolher(
                "A saída de \(lugar), reservado para \(quando), foi \(minutos.valor) minutos depois do fim. O excedente é de \(valor).",
                "You left \(lugar), booked for \(quando), \(minutos.valor) minutes after the end. The extra time costs \(valor)."
            )
        }
    }

    private func pagar(ate prazo: Instante?, em idioma: Idioma) -> String {
        guard let prazo else { return idioma.escolher(" Nada há a pagar.", " Nothing is due.") }
        let (valor, ate) = (reserva.dados.cotacao.total, zona.extenso(prazo, em: idioma))
        return idioma.escolher(" Pague \(valor) até \(ate) para confirmar.", " Pay \(valor) by \(ate) to confirm it.")
    }

    func linhas(em idioma: Idioma) -> [LinhaDoAviso] {
        switch fato {
        case .confirmada, .cancelada, .expirada, .remarcada, .aguardaAprovacao, .aDecidir, .aprovada, .naoAprovada, .oferecidaDaFila:
            reserva.linhas(em: idioma)
        case .naoComparecida(let valor):
            reserva.linhas(em: idioma) + [LinhaDoAviso(idioma.escolher("Valor a devolver", "To be given back"), "\(valor)")]
        case .excedida(_, let valor):
            reserva.linhas(em: idioma) + [LinhaDoAviso(idioma.escolher("Valor do excedente", "Cost of the extra time"), "\(valor)")]
        }
    }
}

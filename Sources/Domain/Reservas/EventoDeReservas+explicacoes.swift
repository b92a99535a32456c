extension ReservaAprovada {
    func explicacao(_ idioma: Idioma, _ zona: ZonaHoraria) -> Explicacao {
        let prazo = expiraEm?.porExtenso(zona)
        return Explicacao(
            idioma.escolher("A reserva foi aprovada.", "The booking was approved."),
            prazo.map { [idioma.escolher("Sem confirmação, expira em \($0).", "Unless confirmed, it expires at \($0).")] } ?? []
        )
    }
}

extension ConvidadosDefinidos {
    func explicacao(_ idioma: Idioma) -> Explicacao {
        Explicacao(idioma.escolher("Convidados da reserva: \(convidados.count).", "Guests of the booking: \(convidados.count)."))
    }
}

extension OrigemDaReserva {
    func razoes(_ idioma: Idioma) -> [String] {
        var razoes: [String] = []
        if serie != nil { razoes.append(idioma.escolher("Faz parte de uma série.", "It is part of a series.")) }
        if espera != nil {
            razoes.append(idioma.escolher("Foi oferecida a quem esperava pelo horário.", "It was offered to who waited for this time."))
        }
        if pagamento == .balcao { razoes.append(idioma.escolher("Paga no balcão.", "Paid at the desk.")) }
        if visitante != nil {
            razoes.append(idioma.escolher("Feita para um visitante sem cadastro.", "Made for a visitor without an account."))
        }
        if dispensa != nil {
            razoes.append(
                idioma.escolher(
                    "A equipe dispensou regras do espaço; a justificativa foi registrada.",
                    "Staff set rules of the space aside; the reason was recorded."
                )
            )
        }
        return razoes
    }
}

extension ReservaRemarcada {
    /// How the difference is settled.
    func acerto(_ idioma: Idioma, _ zona: ZonaHoraria) -> [String] {
        if let aPagar {
            let prazo = pagarAte?.porExtenso(zona) ?? ""
            return [idioma.escolher("Falta pagar \(aPagar) até \(prazo).", "There is \(aPagar) to pay by \(prazo).")]
        }
        var frases: [String] = []
        if let aDevolver { frases.append(idioma.escolher("A devolver: \(aDevolver).", "To be given back: \(aDevolver).")) }
        if let retido {
            frases.append(
                idioma.escolher(
                    "Pela antecedência, a política do horário anterior retém \(retido).",
                    "For the notice given, the policy of the old time keeps \(retido)."
                )
            )
        }
        return frases
    }
}

extension SerieCriada {
    func explicacao(_ idioma: Idioma) -> Explicacao {
        Explicacao(
            idioma.escolher(
                "Série criada: \(ocorrencias.count) reservas pela regra \(regra.texto).",
                "Series made: \(ocorrencias.count) bookings by the rule \(regra.texto)."
            ),
            puladas.map { $0.razao(idioma) }
        )
    }
}

extension SerieAlterada {
    func explicacao(_ idioma: Idioma) -> Explicacao {
        Explicacao(
            idioma.escolher(
                movidas.count == 1
                    ? "Série alterada: 1 reserva mudou de horário." : "Série alterada: \(movidas.count) reservas mudaram de horário.",
                movidas.count == 1 ? "Series changed: 1 booking was moved." : "Series changed: \(movidas.count) bookings were moved."
            ),
            mantidas.map { $0.razao(idioma) }
        )
    }
}

extension SerieEncerrada {
    func explicacao(_ idioma: Idioma) -> Explicacao {
        Explicacao(
            idioma.escolher(
                "Série encerrada: \(canceladas.count) reservas canceladas.",
                "Series ended: \(canceladas.count) bookings cancelled."
            )
        )
    }
}

extension EsperaInscrita {
    func explicacao(_ idioma: Idioma, _ zona: ZonaHoraria) -> Explicacao {
        let (de, ate) = (intervalo.inicio.porExtenso(zona), intervalo.fim.porExtenso(zona))
        return Explicacao(idioma.escolher("Entrou na fila de espera, de \(de) a \(ate).", "Joined the waitlist, from \(de) to \(ate)."))
    }
}

extension EsperaOferecida {
    func explicacao(_ idioma: Idioma, _ zona: ZonaHoraria) -> Explicacao {
        let prazo = expiraEm?.porExtenso(zona)
        return Explicacao(
            idioma.escolher("O horário esperado foi oferecido.", "The time waited for was offered."),
            [idioma.escolher("Era a primeira inscrição que cabia.", "It was the first in line that fits.")]
                + (prazo.map { [idioma.escolher("A oferta vale até \($0).", "The offer holds until \($0).")] } ?? [])
        )
    }
}

extension EsperaAtendida {
    func explicacao(_ idioma: Idioma) -> Explicacao {
        Explicacao(idioma.escolher("A espera terminou com a reserva.", "The wait ended with the booking."))
    }
}

extension EsperaVencida {
    func explicacao(_ idioma: Idioma) -> Explicacao { Explicacao(motivo.frase(idioma)) }
}

extension EsperaRetirada {
    func explicacao(_ idioma: Idioma) -> Explicacao {
        Explicacao(idioma.escolher("Saiu da fila de espera.", "Left the waitlist."))
    }
}

extension OcorrenciaPulada {
    fileprivate func razao(_ idioma: Idioma) -> String {
        idioma.escolher(
            "\(original.data) \(original.hora): recusada (\(codigo)).", "\(original.data) \(original.hora): refused (\(codigo)).")
    }
}

extension MotivoDaEsperaVencida {
    fileprivate func frase(_ idioma: Idioma) -> String {
        switch self {
        case .ofertaExpirou:
            idioma.escolher("A oferta expirou e passou ao próximo da fila.", "The offer ran out and went to the next in line.")
        case .ofertaCancelada:
            idioma.escolher("A oferta foi cancelada e passou ao próximo da fila.", "The offer was given up and went to the next in line.")
        case .inicioPassou:
            idioma.escolher("O horário começou sem ficar livre.", "The time began without having become free.")
        }
    }
}

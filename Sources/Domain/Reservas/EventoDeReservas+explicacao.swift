/// An event in words, for whoever asks why a booking is what it is. Holds no personal data: what is sealed is not read.
package struct Explicacao: Hashable, Sendable {
    /// What happened.
    package let frase: String
    /// Which rules, in which version, and which inputs made it so: a sentence each.
    package let razoes: [String]

    init(_ frase: String, _ razoes: [String] = []) {
        self.frase = frase
        self.razoes = razoes
    }
}

extension EventoDeReservas {
    /// - Parameter zona: of the unit, for moments that have no local time of their own.
    package func explicacao(em idioma: Idioma, zona: ZonaHoraria) -> Explicacao {
        switch self {
        case .reservaSolicitada(let evento): evento.explicacao(idioma, zona)
        case .reservaConfirmada(let evento): evento.explicacao(idioma)
        case .reservaExpirada(let evento): evento.explicacao(idioma, zona)
        case .reservaRemarcada(let evento): evento.explicacao(idioma, zona)
        case .reservaCancelada(let evento): evento.explicacao(idioma)
        case .reservaRetomada:
            Explicacao(
                idioma.escolher(
                    "A reserva, que tinha expirado, foi retomada.", "The booking, which had expired, was taken up again."
                ),
                [
                    idioma.escolher(
                        "O pagamento chegou depois do prazo, e o horário ainda estava livre.",
                        "The payment came after its time, and the slot was still free."
                    )
                ]
            )
        case .reservaConcluida:
            Explicacao(idioma.escolher("O horário reservado terminou.", "The booked time is over."))
        case .reservaAprovada(let evento): evento.explicacao(idioma, zona)
        case .convidadosDefinidos(let evento): evento.explicacao(idioma)
        case .serieCriada(let evento): evento.explicacao(idioma)
        case .serieAlterada(let evento): evento.explicacao(idioma)
        case .serieEncerrada(let evento): evento.explicacao(idioma)
        case .esperaInscrita(let evento): evento.explicacao(idioma, zona)
        case .esperaOferecida(let evento): evento.explicacao(idioma, zona)
        case .esperaAtendida(let evento): evento.explicacao(idioma)
        case .esperaVencida(let evento): evento.explicacao(idioma)
        case .esperaRetirada(let evento): evento.explicacao(idioma)
        case .reservaNaoComparecida(let evento): evento.explicacao(idioma, zona)
        case .horarioOcupado(let evento): evento.explicacao(idioma, zona)
        case .horarioLiberado(let evento):
            Explicacao(
                idioma.escolher(
                    "Agenda do espaço em \(evento.dia) (UTC): o horário foi liberado.",
                    "Agenda of the space on \(evento.dia) (UTC): the time was freed."
                )
            )
        }
    }
}

extension ReservaSolicitada {
    fileprivate func explicacao(_ idioma: Idioma, _ zona: ZonaHoraria) -> Explicacao {
        var razoes = cotacao.razoes(idioma) + [regras.razao(idioma)]
        if criadaPor != usuario {
            razoes.append(idioma.escolher("A equipe reservou para o membro.", "Staff booked for the member."))
        }
        razoes += origem?.razoes(idioma) ?? []
        if let aprovacaoAte {
            let prazo = aprovacaoAte.porExtenso(zona)
            razoes.append(
                idioma.escolher("Precisa de aprovação até \(prazo).", "It needs approval by \(prazo).")
            )
        } else if let expiraEm {
            let prazo = expiraEm.porExtenso(zona)
            razoes.append(
                idioma.escolher("Sem confirmação, expira em \(prazo).", "Unless confirmed, it expires at \(prazo).")
            )
        }
        return Explicacao(
            idioma.escolher("Reserva pedida: \(horario.texto(idioma)).", "Booking requested: \(horario.texto(idioma))."),
            razoes
        )
    }
}

extension ReservaConfirmada {
    fileprivate func explicacao(_ idioma: Idioma) -> Explicacao {
        let razao =
            switch motivo {
            case .precoZero: idioma.escolher("Não há nada a pagar.", "There is nothing to pay.")
            case .operador: idioma.escolher("A equipe confirmou.", "Staff confirmed it.")
            case .semDiferenca:
                idioma.escolher("Não há mais diferença a pagar.", "There is no difference to pay any more.")
            case .pagamento: idioma.escolher("O pagamento foi recebido.", "The payment was received.")
            }
        return Explicacao(idioma.escolher("Reserva confirmada.", "Booking confirmed."), [razao])
    }
}

extension ReservaExpirada {
    fileprivate func explicacao(_ idioma: Idioma, _ zona: ZonaHoraria) -> Explicacao {
        let prazo = expiraEm.porExtenso(zona)
        return Explicacao(
            idioma.escolher("A reserva expirou.", "The booking expired."),
            [idioma.escolher("Não foi confirmada até \(prazo).", "It was not confirmed by \(prazo).")] + (reembolso?.razoes(idioma) ?? [])
        )
    }
}

extension ReservaRemarcada {
    fileprivate func explicacao(_ idioma: Idioma, _ zona: ZonaHoraria) -> Explicacao {
        Explicacao(
            idioma.escolher(
                "Reserva remarcada de \(de.texto(idioma)) para \(para.texto(idioma)).",
                "Booking moved from \(de.texto(idioma)) to \(para.texto(idioma))."
            ),
            cotacao.razoes(idioma)
                + [
                    idioma.escolher(
                        "Diferença em relação ao preço anterior: \(diferenca).",
                        "Difference to the price before: \(diferenca)."
                    ),
                    regras.razao(idioma),
                ] + acerto(idioma, zona)
        )
    }
}

extension ReservaCancelada {
    fileprivate func explicacao(_ idioma: Idioma) -> Explicacao {
        let frase =
            switch motivo {
            case .membro: idioma.escolher("O membro cancelou a reserva.", "The member cancelled the booking.")
            case .operador: idioma.escolher("A equipe cancelou a reserva.", "Staff cancelled the booking.")
            case .naoAprovada: idioma.escolher("A reserva não foi aprovada.", "The booking was not approved.")
            case .contaApagada:
                idioma.escolher(
                    "A reserva foi cancelada porque a conta do membro foi apagada.",
                    "The booking was cancelled because the member's account was erased."
                )
            }
        var razoes = reembolso.razoes(idioma)
        if justificativa != nil {
            razoes.append(idioma.escolher("Uma justificativa foi registrada.", "A reason was recorded."))
        }
        return Explicacao(frase, razoes)
    }
}

extension ReservaNaoComparecida {
    fileprivate func explicacao(_ idioma: Idioma, _ zona: ZonaHoraria) -> Explicacao {
        let prazo = limite.porExtenso(zona)
        return Explicacao(
            idioma.escolher("Ninguém compareceu; o horário foi liberado.", "Nobody came; the time was freed."),
            [
                idioma.escolher("A entrada era esperada até \(prazo).", "Check-in was expected by \(prazo)."),
                idioma.escolher(
                    "Regras versão \(reembolso.regrasVersao.numero): quem não comparece recebe \(reembolso.percentual.valor) % de volta.",
                    "Rules version \(reembolso.regrasVersao.numero): who does not come gets \(reembolso.percentual.valor) % back."
                ),
                idioma.escolher(
                    "Pago \(reembolso.pago), devolvido \(reembolso.valor).", "Paid \(reembolso.pago), given back \(reembolso.valor)."),
            ]
        )
    }
}

extension HorarioOcupado {
    fileprivate func explicacao(_ idioma: Idioma, _ zona: ZonaHoraria) -> Explicacao {
        let de = intervalo.inicio.porExtenso(zona)
        let ate = intervalo.fim.porExtenso(zona)
        return Explicacao(
            idioma.escolher(
                "Agenda do espaço em \(dia) (UTC): \(lugares.lugares(idioma)) de \(de) a \(ate), preparação incluída.",
                "Agenda of the space on \(dia) (UTC): \(lugares.lugares(idioma)) from \(de) to \(ate), buffers included."
            )
        )
    }
}

// MARK: What decides

extension Cotacao {
    fileprivate func razoes(_ idioma: Idioma) -> [String] {
        [
            idioma.escolher(
                "Preço \(total): tarifário versão \(tarifarioVersao.numero), plano \(plano.texto) versão \(planoVersao.numero).",
                "Price \(total): tariff version \(tarifarioVersao.numero), plan \(plano.texto) version \(planoVersao.numero)."
            )
        ] + linhas.map { $0.razao(idioma) }
    }
}

extension LinhaDaCotacao {
    fileprivate func razao(_ idioma: Idioma) -> String {
        switch self {
        case .tempo(let linha):
            let minutos = Minutos(completosEm: linha.intervalo.duracao).texto(idioma)
            let nome = linha.multiplicador.map { " (\($0))" } ?? ""
            let fator = linha.milesimos == 1000 ? "" : " × \(linha.milesimos.milesimos(idioma))\(nome)"
            return "\(linha.dia): \(minutos) × \(linha.lugares.lugares(idioma)) × \(linha.valorHora)/h\(fator) = \(linha.valor)."
        case .desconto(let linha):
            return idioma.escolher(
                "\(linha.dia): desconto do plano, \(linha.percentual.valor) % de \(linha.base) = \(linha.valor).",
                "\(linha.dia): the plan's discount, \(linha.percentual.valor) % of \(linha.base) = \(linha.valor)."
            )
        case .creditos(let linha):
            let minutos = linha.minutos.texto(idioma)
            return idioma.escolher(
                "\(linha.dia): \(minutos) pagos com créditos, de \(linha.base) = \(linha.valor).",
                "\(linha.dia): \(minutos) paid with credits, of \(linha.base) = \(linha.valor)."
            )
        case .cupom(let linha):
            let parte = linha.percentual.map { ", \($0.valor) %" } ?? ""
            return idioma.escolher(
                "\(linha.dia): cupom \(linha.codigo)\(parte) sobre \(linha.base) = \(linha.valor).",
                "\(linha.dia): coupon \(linha.codigo)\(parte) on \(linha.base) = \(linha.valor)."
            )
        case .teto(let linha):
            return idioma.escolher(
                "\(linha.dia): teto diário de \(linha.teto) sobre \(linha.base) = \(linha.valor).",
                "\(linha.dia): daily cap of \(linha.teto) on \(linha.base) = \(linha.valor)."
            )
        }
    }
}

extension RegrasAplicadas {
    fileprivate func razao(_ idioma: Idioma) -> String {
        let faixas = cancelamento.faixas.map { faixa in
            let antecedencia = faixa.antecedencia.texto(idioma)
            return idioma.escolher(
                "\(faixa.percentual.valor) % com \(antecedencia) ou mais de antecedência",
                "\(faixa.percentual.valor) % with \(antecedencia) or more of notice"
            )
        }
        let devolve = faixas.isEmpty ? idioma.escolher("nada", "nothing") : faixas.joined(separator: ", ")
        let (antes, depois) = (bufferAntes.texto(idioma), bufferDepois.texto(idioma))
        return idioma.escolher(
            "Regras de reserva versão \(versao.numero): preparação de \(antes) antes e \(depois) depois; cancelar devolve \(devolve).",
            "Booking rules version \(versao.numero): buffers of \(antes) before and \(depois) after; cancelling gives back \(devolve)."
        )
    }
}

extension Reembolso {
    fileprivate func razoes(_ idioma: Idioma) -> [String] {
        let aviso = antecedencia.texto(idioma)
        let regra =
            if excepcional {
                idioma.escolher(
                    "A equipe definiu \(percentual.valor) %, fora da política das regras versão \(regrasVersao.numero).",
                    "Staff set \(percentual.valor) %, against the policy of rules version \(regrasVersao.numero)."
                )
            } else if let faixa {
                idioma.escolher(
                    "Regras versão \(regrasVersao.numero): \(aviso) de antecedência alcançam a faixa de \(faixa.antecedencia.texto(idioma)), que devolve \(faixa.percentual.valor) %.",
                    "Rules version \(regrasVersao.numero): \(aviso) of notice reach the tier of \(faixa.antecedencia.texto(idioma)), which gives back \(faixa.percentual.valor) %."
                )
            } else {
                idioma.escolher(
                    "Regras versão \(regrasVersao.numero): \(aviso) de antecedência não alcançam nenhuma faixa de reembolso.",
                    "Rules version \(regrasVersao.numero): \(aviso) of notice reach no refund tier."
                )
            }
        let teto = limite.map { teto in
            idioma.escolher(
                "Uma remarcação anterior, com menos antecedência, deixou \(teto.valor) % no máximo.",
                "An earlier move at shorter notice left \(teto.valor) % at most."
            )
        }
        return [regra, teto, idioma.escolher("Pago \(pago), devolvido \(valor).", "Paid \(pago), given back \(valor).")].compactMap(\.self)
    }
}

// MARK: Pieces

extension HorarioDaReserva {
    /// On the wall clock that was recorded with it.
    fileprivate func texto(_ idioma: Idioma) -> String {
        let fim = fimLocal.data == inicioLocal.data ? fimLocal.hora.texto : "\(fimLocal.data) \(fimLocal.hora)"
        return "\(inicioLocal.data) \(inicioLocal.hora)–\(fim) (\(fuso)), \(lugares.lugares(idioma))"
    }
}

extension Instante {
    /// Date and time of day on the wall clock of a zone, to the minute.
    package func porExtenso(_ zona: ZonaHoraria) -> String {
        let local = zona.local(de: self)
        return "\(local.data) \(local.hora)"
    }
}

extension Int {
    fileprivate func lugares(_ idioma: Idioma) -> String {
        idioma.escolher(self == 1 ? "1 lugar" : "\(self) lugares", self == 1 ? "1 seat" : "\(self) seats")
    }

    /// Thousandths as a decimal number: 1250 is 1,25.
    fileprivate func milesimos(_ idioma: Idioma) -> String {
        let fracao = String(1000 + self % 1000).dropFirst()
        let decimais = fracao.reversed().drop { $0 == "0" }.reversed()
        return decimais.isEmpty ? "\(self / 1000)" : "\(self / 1000)\(idioma.escolher(",", "."))\(String(decimais))"
    }
}

extension DadosDaReserva {
    /// The rules of presence that hold for this booking.
    package var regrasDePresenca: RegrasDePresenca { regras.presenca ?? .padrao }

    /// When check-in opens.
    package var aberturaDoCheckin: Instante { horario.intervalo.inicio - regrasDePresenca.antecedencia.duracao }

    /// When somebody who has not checked out is taken to have left.
    package var encerramentoDaPresenca: Instante { horario.intervalo.fim + regrasDePresenca.encerramento.duracao }

    /// Until when somebody is waited for; absent where the booking waits for ever. Whoever was confirmed after the start has as long
    /// from then on, and is not missed where that leads past the end.
    package var limiteDeComparecimento: Instante? {
        guard let tolerancia = regras.toleranciaNaoComparecimento else { return nil }
        let (inicio, fim) = (horario.intervalo.inicio, horario.intervalo.fim)
        if let confirmadaEm, confirmadaEm > inicio {
            let limite = confirmadaEm + tolerancia.duracao
            return limite <= fim ? limite : nil
        }
        return min(inicio + tolerancia.duracao, fim)
    }

    /// A moment on the wall clock of the booking, as it was set at its start.
    func local(_ instante: Instante) -> DataHoraLocal {
        horario.inicioLocal + (instante - horario.intervalo.inicio)
    }

    /// What the agenda days get when somebody leaves before the end: the time used, with its buffer, stays theirs.
    /// - Returns: `nil` where nothing is left to give back.
    func liberacaoDoResto(em agora: Instante) -> (desde: Instante, eventos: [EventosDoFluxo])? {
        let desde = agora + regras.bufferDepois.duracao
        guard desde < horario.ocupacao.fim else { return nil }
        let usado = Intervalo(inicio: horario.ocupacao.inicio, fim: desde)
        let dias = Set(usado?.diasUTC ?? [])
        let eventos = diasDaAgenda.map { dia in
            var doDia: [EventoDeReservas] = [.horarioLiberado(liberado(dia, em: agora))]
            if let usado, dias.contains(dia) {
                doDia.append(
                    .horarioOcupado(
                        HorarioOcupado(
                            espaco: espaco,
                            dia: dia,
                            reserva: reserva,
                            intervalo: usado,
                            lugares: horario.lugares,
                            em: agora
                        )
                    )
                )
            }
            return EventosDoFluxo(.agenda(espaco, dia), doDia.map(EventoDoDominio.reservas))
        }
        return (desde, eventos)
    }

    /// What is owed for staying until `saida`; `nil` where nothing is.
    func excedente(ate saida: Instante) throws(RecusaDeCheckin) -> ExcedenteApurado? {
        let fim = horario.intervalo.fim
        let tolerancia = regrasDePresenca.toleranciaDaSaida
        let passo = regras.passo ?? RegrasDeReserva.padrao.passo
        guard saida > fim + tolerancia.duracao, passo > .zero, let preco = PrecoDoExcedente(cotacao),
            let intervalo = Intervalo(inicio: fim, fim: saida)
        else { return nil }
        let unidadeDeTempo = passo.duracao.microssegundos
        let passos = (intervalo.duracao.microssegundos + unidadeDeTempo - 1) / unidadeDeTempo
        let valor: Dinheiro
        do { valor = try preco.valor(Duracao(microssegundos: passos * unidadeDeTempo)) } catch { throw .valorForaDosLimites }
        guard valor > .zero else { return nil }
        return ExcedenteApurado(
            reserva: reserva,
            usuario: usuario,
            espaco: espaco,
            unidade: unidade,
            intervalo: intervalo,
            tolerancia: tolerancia,
            passo: passo,
            passos: Int(passos),
            preco: preco,
            valor: valor,
            em: saida
        )
    }
}

extension Reserva {
    /// The booking, when this person may check in or out of it: their own, or any of an operator's unit.
    func exigirPresenciavel(para ator: Ator) throws(RecusaDeCheckin) -> DadosDaReserva {
        guard let dados, ator.alcanca(dados.usuario, em: dados.unidade) else { throw .reservaNaoEncontrada }
        return dados
    }

    /// A code may be made for whoever may still come, and for whoever is in and has to leave: they stay past the end, too.
    package func exigirCodigo(presenca: Presenca) throws(RecusaDeCheckin) {
        if case .presente = presenca { return }
        switch self {
        case .confirmada: return
        case .pendente: throw .naoConfirmada
        case .inexistente, .expirada, .cancelada, .concluida, .ausente: throw .encerrada
        }
    }
}

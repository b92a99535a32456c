extension DadosDoEspaco {
    /// The booking rules, in the order in which a member would want to hear of them.
    func conferirRegras(_ intervalo: Intervalo, zona: ZonaHoraria, agora: Instante) throws(RecusaDeReservas) {
        guard intervalo.inicio >= agora else { throw .noPassado }
        guard intervalo.duracao >= regras.duracaoMinima.duracao else { throw .duracaoMinima(regras.duracaoMinima) }
        guard intervalo.duracao <= regras.duracaoMaxima.duracao else { throw .duracaoMaxima(regras.duracaoMaxima) }
        let passo = regras.passo.duracao.microssegundos
        let alinhado = zona.local(de: intervalo.inicio).microssegundosDoDia.isMultiple(of: passo)
        guard alinhado, intervalo.duracao.microssegundos.isMultiple(of: passo) else { throw .passo(regras.passo) }
        guard intervalo.inicio - agora >= regras.antecedenciaMinima.duracao else { throw .antecedencia(regras.antecedenciaMinima) }
        guard intervalo.inicio - agora <= regras.horizonte.duracao else { throw .horizonte(regras.horizonte) }
    }

    /// What no operator sets aside: a booking is not over already, and is no longer than any booking may be.
    func conferirDispensa(_ intervalo: Intervalo, agora: Instante) throws(RecusaDeReservas) {
        guard intervalo.fim > agora else { throw .noPassado }
        guard intervalo.duracao <= RegrasDeReserva.maiorDuracao.duracao else { throw .duracaoMaxima(RegrasDeReserva.maiorDuracao) }
    }

    /// The whole interval lies within opening hours, over midnight where one day's hours join the next's; buffers need not.
    func conferirAbertura(_ intervalo: Intervalo, zona: ZonaHoraria) throws(RecusaDeReservas) {
        let data = zona.data(de: intervalo.inicio)
        let ultima = zona.data(de: intervalo.fim)
        // A day more on each side: where clocks are set back over midnight, a date comes back after the next has begun.
        let abertas = aberturas(de: data.somandoDias(-1), ate: ultima.somandoDias(1), zona: zona)
        if abertas.contains(where: { $0.contem(intervalo) }) { return }
        if let motivo = motivoDeFechamento(em: intervalo, zona: zona) { throw .fechado(motivo: motivo) }
        throw .foraDoHorario(data: data, horario: semana.faixas(de: data.diaDaSemana))
    }
}

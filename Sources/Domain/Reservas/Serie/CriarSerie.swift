/// Books every occurrence of a rule, or says what would become of each. All of them are decided and recorded together: whoever wanted
/// all or nothing gets that, and no failure leaves half a series.
package struct CriarSerie: Hashable, Sendable {
    package let serie: SerieID
    /// For whom; somebody else than `ator` only when `ator` is an operator of the unit.
    package let usuario: UsuarioID
    package let ator: Ator
    package let regra: RegraDeRecorrencia
    /// Of each occurrence: exact, so that each costs what it lasts, whatever the clocks do meanwhile.
    package let duracao: Minutos
    package let lugares: Int
    package let notas: Selado?
    package let aoConflitar: ConflitoNaSerie
    /// As the rule gives them, with the id of the booking of each.
    package let ocorrencias: [OcorrenciaDaSerie]
    package let agora: Instante

    package init(
        serie: SerieID,
        usuario: UsuarioID,
        ator: Ator,
        regra: RegraDeRecorrencia,
        duracao: Minutos,
        lugares: Int,
        notas: Selado? = nil,
        aoConflitar: ConflitoNaSerie,
        ocorrencias: [OcorrenciaDaSerie],
        agora: Instante
    ) {
        self.serie = serie
        self.usuario = usuario
        self.ator = ator
        self.regra = regra
        self.duracao = duracao
        self.lugares = lugares
        self.notas = notas
        self.aoConflitar = aoConflitar
        self.ocorrencias = ocorrencias
        self.agora = agora
    }

    /// First half: every rule but the seats, and the prices. What makes every occurrence impossible is thrown.
    package func preparar(_ contexto: ContextoDaReserva) throws(RecusaDeReservas) -> [OcorrenciaPrevista] {
        try contexto.exigirPedido(de: ator, para: usuario)
        var previstas: [OcorrenciaPrevista] = []
        for ocorrencia in ocorrencias {
            do throws(RecusaDeReservas) {
                let preparo = try pedido(ocorrencia, zona: contexto.zona).preparar(contexto)
                previstas.append(OcorrenciaPrevista(ocorrencia: ocorrencia, resultado: .livre(preparo)))
            } catch {
                guard error.eDaOcorrencia else { throw error }
                previstas.append(OcorrenciaPrevista(ocorrencia: ocorrencia, resultado: .recusada(error)))
            }
        }
        return previstas
    }

    /// The UTC days to load for the second half.
    package static func diasDaAgenda(_ previstas: [OcorrenciaPrevista]) -> [DataCivil] {
        Set(previstas.flatMap { $0.preparo?.diasDaAgenda ?? [] }).sorted()
    }

    /// Second half, as a question: the seats. Occurrences are in each other's way, too.
    package func prever(_ previstas: [OcorrenciaPrevista], agenda: AgendaDaSerie) -> [OcorrenciaPrevista] {
        var agenda = agenda
        return previstas.map { prevista in
            guard let preparo = prevista.preparo else { return prevista }
            do throws(RecusaDeReservas) {
                try preparo.conferirLugares(agenda.agendas(preparo.diasDaAgenda), exceto: nil)
                agenda.ocupar(preparo, por: prevista.ocorrencia.reserva, em: agora)
                return prevista
            } catch {
                return OcorrenciaPrevista(ocorrencia: prevista.ocorrencia, resultado: .recusada(error))
            }
        }
    }

    /// Second half, as a decision.
    /// - Parameters:
    ///   - previstas: What `preparar` gave.
    ///   - agenda: The days that `diasDaAgenda` names.
    package func decidir(
        serie estado: Serie,
        contexto: ContextoDaReserva,
        _ previstas: [OcorrenciaPrevista],
        agenda: AgendaDaSerie
    ) throws(RecusaDeReservas) -> [EventosDoFluxo] {
        if estado != .inexistente { return [] }
        let previstas = prever(previstas, agenda: agenda)
        try exigirPossivel(previstas)
        var partes: [EventosDoFluxo] = []
        var agenda = agenda
        for prevista in previstas {
            guard let preparo = prevista.preparo else { continue }
            partes += try pedido(prevista.ocorrencia, zona: contexto.zona)
                .decidir(reserva: .inexistente, preparo: preparo, agendas: agenda.agendas(preparo.diasDaAgenda))
            agenda.ocupar(preparo, por: prevista.ocorrencia.reserva, em: agora)
        }
        return EventosDoFluxo.unir([EventosDoFluxo(.serie(serie), reservas: .serieCriada(criada(previstas, contexto)))] + partes)
    }

    private func exigirPossivel(_ previstas: [OcorrenciaPrevista]) throws(RecusaDeReservas) {
        let recusadas = previstas.filter { $0.recusa != nil }
        guard let primeira = recusadas.first, let recusa = primeira.recusa else { return }
        if recusadas.count == previstas.count { throw .serie(.nenhuma(codigo: recusa.codigo)) }
        if aoConflitar == .recusar {
            let quando = primeira.ocorrencia.original
            throw .serie(.comConflitos(quantas: recusadas.count, primeira: quando, codigo: recusa.codigo))
        }
    }

    private func criada(_ previstas: [OcorrenciaPrevista], _ contexto: ContextoDaReserva) -> SerieCriada {
        let feitas = previstas.filter { $0.preparo != nil }
        // One at least was made, or there would be no series.
        let preparo = feitas.lazy.compactMap(\.preparo).first
        guard let preparo else { preconditionFailure("a series has an occurrence") }
        return SerieCriada(
            serie: serie,
            usuario: usuario,
            espaco: preparo.espaco,
            unidade: preparo.unidade,
            fuso: contexto.zona.nome,
            regra: regra,
            duracao: duracao,
            lugares: lugares,
            ocorrencias: feitas.map(\.ocorrencia),
            puladas: previstas.compactMap(\.pulada),
            criadaPor: ator.usuario,
            em: agora
        )
    }

    private func pedido(_ ocorrencia: OcorrenciaDaSerie, zona: ZonaHoraria) throws(RecusaDeReservas) -> SolicitarReserva {
        let inicio = try zona.instantePedido(ocorrencia.inicio)
        return SolicitarReserva(
            reserva: ocorrencia.reserva,
            usuario: usuario,
            ator: ator,
            inicio: inicio,
            fim: inicio + duracao.duracao,
            lugares: lugares,
            notas: notas,
            agora: agora,
            origem: OrigemDaReserva(serie: serie)
        )
    }
}

extension RecusaDeReservas {
    /// Whether another occurrence of the same series may well be possible.
    var eDaOcorrencia: Bool {
        switch self {
        case .noPassado, .antecedencia, .horizonte, .foraDoHorario, .fechado, .conflito, .lugaresInsuficientes, .horaInexistente,
            .jaComecou, .encerrada, .retencaoVencida:
            true
        case .reservaNaoEncontrada, .espacoNaoEncontrado, .espacoInativo, .proibido, .fimAntesDoInicio, .passo, .duracaoMinima,
            .duracaoMaxima, .lugaresInvalidos, .preco, .serie, .espera, .atendimento:
            false
        }
    }
}

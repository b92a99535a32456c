/// The free slots of a space, found by the same rules that a booking is held to.
package struct Vagas: Sendable {
    /// How many local dates before and after the wished one alternatives are looked for.
    package static let alcancePadrao = 3

    private let espaco: DadosDoEspaco
    private let zona: ZonaHoraria
    private let agendas: Agendas
    private let agora: Instante

    /// - Parameter agendas: The days that `diasDaAgenda` names for the dates that will be asked about; fewer trap.
    package init(espaco: DadosDoEspaco, zona: ZonaHoraria, agendas: Agendas, agora: Instante) {
        self.espaco = espaco
        self.zona = zona
        self.agendas = agendas
        self.agora = agora
    }

    /// The local dates to look for alternatives on: around a wished start, none of them past.
    package static func datas(perto inicio: Instante, alcance: Int, zona: ZonaHoraria, agora: Instante) -> [DataCivil] {
        let hoje = zona.data(de: agora)
        let centro = max(zona.data(de: inicio), hoje)
        return (-alcance...alcance).map(centro.somandoDias).filter { $0 >= hoje }
    }

    /// The UTC days to load for slots of a duration that begin on these local dates, in order. `datas` must be consecutive.
    package static func diasDaAgenda(
        datas: [DataCivil],
        duracao: Duracao,
        espaco: DadosDoEspaco,
        zona: ZonaHoraria
    ) -> [DataCivil] {
        guard let primeira = datas.first, let ultima = datas.last else { return [] }
        // Where clocks are set back over midnight, a date's last slot begins after the next date did.
        let fim = zona.inicioDoDia(ultima.somandoDias(1)) + .horas(2) + duracao
        let slots = Intervalo(inicio: zona.inicioDoDia(primeira), fim: fim)
        return slots?.estendido(antes: espaco.regras.bufferAntes, depois: espaco.regras.bufferDepois).diasUTC ?? []
    }

    /// Free slots as long as the wished one, the nearest first, none overlapping another.
    /// - Parameters:
    ///   - datas: As `datas(perto:)` gives them.
    ///   - reserva: A booking that is to be moved, and so is not in its own way.
    package func alternativas(
        inicio: Instante,
        duracao: Duracao,
        lugares: Int,
        datas: [DataCivil],
        limite: Int,
        exceto reserva: ReservaID? = nil
    ) -> [Intervalo] {
        let livres = slots(datas: datas, duracao: duracao, lugares: lugares, exceto: reserva)
        let porDistancia = livres.sorted { a, b in
            (abs((a.inicio - inicio).microssegundos), a.inicio) < (abs((b.inicio - inicio).microssegundos), b.inicio)
        }
        var escolhidas: [Intervalo] = []
        for slot in porDistancia where escolhidas.count < limite {
            if !escolhidas.contains(where: { $0.sobrepoe(slot) }) { escolhidas.append(slot) }
        }
        return escolhidas
    }

    /// Slots of the shortest duration that can be booked on a local date, and what is taken on it.
    package func disponibilidade(em data: DataCivil) -> DisponibilidadeDoDia {
        let livres = slots(datas: [data], duracao: espaco.regras.duracaoMinima.duracao, lugares: 1, exceto: nil)
        let vagas = livres.map { slot in
            let ocupados = agendas.maiorOcupacao(em: comBuffers(slot))
            return DisponibilidadeDoDia.Vaga(intervalo: slot, livres: espaco.ficha.lugares - ocupados)
        }
        let dia = zona.dia(data)
        let ocupados = agendas.perfil().compactMap { trecho in
            dia.flatMap(trecho.intervalo.intersecao).map { Agendas.Trecho(intervalo: $0, lugares: trecho.lugares) }
        }
        return DisponibilidadeDoDia(
            data: data,
            aberturas: espaco.aberturas(de: data, ate: data, zona: zona),
            vagas: vagas,
            ocupados: ocupados
        )
    }

    /// Every slot that could be booked now, in order of time.
    private func slots(datas: [DataCivil], duracao: Duracao, lugares: Int, exceto reserva: ReservaID?) -> [Intervalo] {
        guard let primeira = datas.first, let ultima = datas.last, duracao <= espaco.regras.duracaoMaxima.duracao else { return [] }
        let dias = Self.diasDaAgenda(datas: datas, duracao: duracao, espaco: espaco, zona: zona)
        agendas.exigir(dias: dias)
        let diasSeguintes = Int(duracao.microssegundos / Duracao.horas(24).microssegundos) + 2
        let abertas = espaco.aberturas(de: primeira.somandoDias(-1), ate: ultima.somandoDias(diasSeguintes), zona: zona)
        let maximo = espaco.ficha.lugares - lugares
        let cheios = agendas.perfil(exceto: reserva).filter { $0.lugares > maximo }.map(\.intervalo)
        return datas.flatMap(inicios).sorted().compactMap { inicio in
            guard
                let slot = Intervalo(inicio: inicio, fim: inicio + duracao),
                abertas.contains(where: { $0.contem(slot) }),
                maximo >= 0, !cheios.contains(where: comBuffers(slot).sobrepoe),
                (try? espaco.conferirRegras(slot, zona: zona, agora: agora)) != nil
            else { return nil }
            return slot
        }
    }

    private func comBuffers(_ slot: Intervalo) -> Intervalo {
        slot.estendido(antes: espaco.regras.bufferAntes, depois: espaco.regras.bufferDepois)
    }

    /// The moments of a local date at which the wall clock shows a multiple of the step.
    private func inicios(em data: DataCivil) -> [Instante] {
        stride(from: 0, to: 1_440, by: espaco.regras.passo.valor).flatMap { minuto -> [Instante] in
            switch zona.instantes(de: data.meiaNoite + .minutos(minuto)) {
            case .unica(let instante): [instante]
            case .ambigua(let primeira, let segunda): [primeira, segunda]
            case .inexistente: []
            }
        }
    }
}

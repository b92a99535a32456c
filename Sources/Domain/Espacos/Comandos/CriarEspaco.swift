/// Opens a space, with its hours and rules where they are known already.
package struct CriarEspaco: Hashable, Sendable {
    package let espaco: EspacoID
    package let unidade: UnidadeID
    package let ficha: FichaDoEspaco
    package let semana: HorarioSemanal?
    /// Looked at only with `semana`.
    package let fechaEmFeriados: Bool
    package let regras: RegrasDeReserva?
    package let por: Autoridade
    package let agora: Instante

    package init(
        espaco: EspacoID,
        unidade: UnidadeID,
        ficha: FichaDoEspaco,
        semana: HorarioSemanal? = nil,
        fechaEmFeriados: Bool,
        regras: RegrasDeReserva? = nil,
        por: Autoridade,
        agora: Instante
    ) {
        self.espaco = espaco
        self.unidade = unidade
        self.ficha = ficha
        self.semana = semana
        self.fechaEmFeriados = fechaEmFeriados
        self.regras = regras
        self.por = por
        self.agora = agora
    }

    package func decidir(espaco estado: Espaco, unidade lar: Unidade) throws(RecusaDeEspacos) -> [EventosDoFluxo] {
        guard por.administra else { throw .soAdministrador }
        if estado != .inexistente { return [] }
        guard lar != .inexistente else { throw .unidadeNaoEncontrada }
        try ficha.validar()
        try regras?.validar()
        var eventos: [EventoDeEspacos] = [
            .espacoCriado(EspacoCriado(espaco: espaco, unidade: unidade, ficha: ficha, em: agora))
        ]
        if let semana {
            let horario = HorarioDefinido(espaco: espaco, semana: semana, fechaEmFeriados: fechaEmFeriados, em: agora)
            eventos.append(.horarioDefinido(horario))
        }
        if let regras {
            let definicao = RegrasDeReservaDefinidas(espaco: espaco, versao: VersaoDeRegra.nenhuma.seguinte, regras: regras, em: agora)
            eventos.append(.regrasDeReservaDefinidas(definicao))
        }
        return [EventosDoFluxo(.espaco(espaco), eventos.map(EventoDoDominio.espacos))]
    }
}

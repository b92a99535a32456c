/// Sets the opening hours of a space. Bookings already made stand.
package struct DefinirHorario: Hashable, Sendable {
    package let espaco: EspacoID
    package let semana: HorarioSemanal
    package let fechaEmFeriados: Bool
    package let por: Autoridade
    package let agora: Instante

    package init(
        espaco: EspacoID,
        semana: HorarioSemanal,
        fechaEmFeriados: Bool,
        por: Autoridade,
        agora: Instante
    ) {
        self.espaco = espaco
        self.semana = semana
        self.fechaEmFeriados = fechaEmFeriados
        self.por = por
        self.agora = agora
    }

    package func decidir(espaco estado: Espaco) throws(RecusaDeEspacos) -> [EventosDoFluxo] {
        let dados = try estado.exigirOperado(por: por)
        if dados.semana == semana && dados.fechaEmFeriados == fechaEmFeriados { return [] }
        let horario = HorarioDefinido(espaco: espaco, semana: semana, fechaEmFeriados: fechaEmFeriados, em: agora)
        return [EventosDoFluxo(.espaco(espaco), espacos: .horarioDefinido(horario))]
    }
}

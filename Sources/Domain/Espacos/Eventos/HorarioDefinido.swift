/// The opening hours of the space, replacing those before.
package struct HorarioDefinido: Evento {
    package static let tipo = "espacos.HorarioDefinido"

    package let espaco: EspacoID
    package let semana: HorarioSemanal
    /// Whether national holidays are closed.
    package let fechaEmFeriados: Bool
    package let em: Instante

    package init(
        espaco: EspacoID,
        semana: HorarioSemanal,
        fechaEmFeriados: Bool,
        em: Instante
    ) {
        self.espaco = espaco
        self.semana = semana
        self.fechaEmFeriados = fechaEmFeriados
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case espaco
        case semana
        case fechaEmFeriados = "fecha_em_feriados"
        case em
    }
}

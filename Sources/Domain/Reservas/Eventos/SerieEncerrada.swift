/// Occurrences of a series were given up; each is recorded in the booking as well, in the same append.
package struct SerieEncerrada: Evento {
    package static let tipo = "reservas.SerieEncerrada"

    package let serie: SerieID
    package let alcance: AlcanceDaSerie
    /// When the first occurrence that may be given up began by the rule.
    package let aPartirDe: DataHoraLocal
    package let canceladas: [ReservaID]
    package let por: UsuarioID
    package let em: Instante

    package init(
        serie: SerieID,
        alcance: AlcanceDaSerie,
        aPartirDe: DataHoraLocal,
        canceladas: [ReservaID],
        por: UsuarioID,
        em: Instante
    ) {
        self.serie = serie
        self.alcance = alcance
        self.aPartirDe = aPartirDe
        self.canceladas = canceladas
        self.por = por
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case serie
        case alcance
        case aPartirDe = "a_partir_de"
        case canceladas
        case por
        case em
    }
}

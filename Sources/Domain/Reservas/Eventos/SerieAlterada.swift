/// Occurrences of a series were moved; each move is recorded in the booking as well, in the same append.
package struct SerieAlterada: Evento {
    package static let tipo = "reservas.SerieAlterada"

    package let serie: SerieID
    package let alcance: AlcanceDaSerie
    /// When the occurrence that was changed began by the rule.
    package let aPartirDe: DataHoraLocal
    /// Of the occurrences that were moved.
    package let duracao: Minutos
    /// With their new beginnings, in order.
    package let movidas: [OcorrenciaDaSerie]
    /// Those that could not be moved and stay where they were.
    package let mantidas: [OcorrenciaPulada]
    package let por: UsuarioID
    package let em: Instante

    package init(
        serie: SerieID,
        alcance: AlcanceDaSerie,
        aPartirDe: DataHoraLocal,
        duracao: Minutos,
        movidas: [OcorrenciaDaSerie],
        mantidas: [OcorrenciaPulada],
        por: UsuarioID,
        em: Instante
    ) {
        self.serie = serie
        self.alcance = alcance
        self.aPartirDe = aPartirDe
        self.duracao = duracao
        self.movidas = movidas
        self.mantidas = mantidas
        self.por = por
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case serie
        case alcance
        case aPartirDe = "a_partir_de"
        case duracao
        case movidas
        case mantidas
        case por
        case em
    }
}

/// A display at the door of a space may show its day.
package struct PainelAutorizado: Evento {
    package static let tipo = "checkin.PainelAutorizado"

    /// What its token is told apart from every other by.
    package let painel: CodigoID
    package let espaco: EspacoID
    /// When its token no longer holds.
    package let venceEm: Instante
    package let por: UsuarioID
    package let em: Instante

    package init(painel: CodigoID, espaco: EspacoID, venceEm: Instante, por: UsuarioID, em: Instante) {
        self.painel = painel
        self.espaco = espaco
        self.venceEm = venceEm
        self.por = por
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case painel
        case espaco
        case venceEm = "vence_em"
        case por
        case em
    }
}

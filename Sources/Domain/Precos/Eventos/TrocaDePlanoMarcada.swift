/// A subscription is to have another plan when it renews. Until then nothing changes, and it can be taken back.
package struct TrocaDePlanoMarcada: Evento {
    package static let tipo = "precos.TrocaDePlanoMarcada"

    package let usuario: UsuarioID
    package let de: PlanoID
    package let para: PlanoID
    /// The end of the period.
    package let valeDesde: Instante
    /// The member, or the operator who did it for them.
    package let por: UsuarioID
    package let em: Instante

    package init(usuario: UsuarioID, de: PlanoID, para: PlanoID, valeDesde: Instante, por: UsuarioID, em: Instante) {
        self.usuario = usuario
        self.de = de
        self.para = para
        self.valeDesde = valeDesde
        self.por = por
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case usuario
        case de
        case para
        case valeDesde = "vale_desde"
        case por
        case em
    }
}

/// The account has another role.
package struct PapelAlterado: Evento {
    package static let tipo = "usuarios.PapelAlterado"

    package let usuario: UsuarioID
    package let de: Papel
    package let para: Papel
    /// The administrator who did it; absent when done at the command line.
    package let por: UsuarioID?
    package let em: Instante

    package init(
        usuario: UsuarioID,
        de: Papel,
        para: Papel,
        por: UsuarioID? = nil,
        em: Instante
    ) {
        self.usuario = usuario
        self.de = de
        self.para = para
        self.por = por
        self.em = em
    }
}

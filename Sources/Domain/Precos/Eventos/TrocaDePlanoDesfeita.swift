/// A subscription keeps its plan when it renews, after all.
package struct TrocaDePlanoDesfeita: Evento {
    package static let tipo = "precos.TrocaDePlanoDesfeita"

    package let usuario: UsuarioID
    /// The plan that it was to have.
    package let para: PlanoID
    /// The member, or the operator who did it for them.
    package let por: UsuarioID
    package let em: Instante

    package init(usuario: UsuarioID, para: PlanoID, por: UsuarioID, em: Instante) {
        self.usuario = usuario
        self.para = para
        self.por = por
        self.em = em
    }
}

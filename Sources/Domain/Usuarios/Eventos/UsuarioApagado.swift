/// The person is gone: from here on nothing personal of theirs is recorded any more, and what was recorded before becomes
/// unreadable when their key is deleted. Ends every session of the account. Appended with `EmailLiberado`.
package struct UsuarioApagado: Evento {
    package static let tipo = "usuarios.UsuarioApagado"

    package let usuario: UsuarioID
    /// Who asked for it, mostly the person themself; absent when done at the command line.
    package let por: UsuarioID?
    package let em: Instante

    package init(
        usuario: UsuarioID,
        por: UsuarioID? = nil,
        em: Instante
    ) {
        self.usuario = usuario
        self.por = por
        self.em = em
    }
}

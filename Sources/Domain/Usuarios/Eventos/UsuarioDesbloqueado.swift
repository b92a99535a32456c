/// The account may log in again. What sessions it had stay ended.
package struct UsuarioDesbloqueado: Evento {
    package static let tipo = "usuarios.UsuarioDesbloqueado"

    package let usuario: UsuarioID
    /// The administrator who did it; absent when done at the command line.
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

/// The account may not log in any more. Ends every session of it.
package struct UsuarioBloqueado: Evento {
    package static let tipo = "usuarios.UsuarioBloqueado"

    package let usuario: UsuarioID
    /// The administrator who did it; absent when done at the command line.
    package let por: UsuarioID?
    package let motivo: Selado?
    package let em: Instante

    package init(
        usuario: UsuarioID,
        por: UsuarioID? = nil,
        motivo: Selado? = nil,
        em: Instante
    ) {
        self.usuario = usuario
        self.por = por
        self.motivo = motivo
        self.em = em
    }
}

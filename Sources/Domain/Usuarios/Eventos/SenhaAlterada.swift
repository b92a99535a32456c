/// The account has another password.
package struct SenhaAlterada: Evento {
    package static let tipo = "usuarios.SenhaAlterada"

    package let usuario: UsuarioID
    /// The PHC string of the password, sealed.
    package let senha: Selado
    package let em: Instante

    package init(
        usuario: UsuarioID,
        senha: Selado,
        em: Instante
    ) {
        self.usuario = usuario
        self.senha = senha
        self.em = em
    }
}

/// The account has another password. Ends every session of it but the one that it was changed in.
package struct SenhaAlterada: Evento {
    package static let tipo = "usuarios.SenhaAlterada"

    package let usuario: UsuarioID
    /// The PHC string of the password, sealed.
    package let senha: Selado
    /// Where it was changed, which goes on; absent in events from before it was recorded.
    package let sessao: SessaoID?
    package let em: Instante

    package init(
        usuario: UsuarioID,
        senha: Selado,
        sessao: SessaoID? = nil,
        em: Instante
    ) {
        self.usuario = usuario
        self.senha = senha
        self.sessao = sessao
        self.em = em
    }
}

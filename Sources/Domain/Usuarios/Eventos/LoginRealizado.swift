/// A person proved who they are, which opened a session. Lives in the stream of the session.
package struct LoginRealizado: Evento {
    package static let tipo = "usuarios.LoginRealizado"

    package let sessao: SessaoID
    package let usuario: UsuarioID
    package let ip: Selado?
    package let em: Instante

    package init(
        sessao: SessaoID,
        usuario: UsuarioID,
        ip: Selado? = nil,
        em: Instante
    ) {
        self.sessao = sessao
        self.usuario = usuario
        self.ip = ip
        self.em = em
    }
}

/// Opens a session for a person whose password was checked.
package struct RegistrarLogin: Hashable, Sendable {
    package let sessao: SessaoID
    package let usuario: UsuarioID
    package let ip: Selado?
    package let agora: Instante

    package init(
        sessao: SessaoID,
        usuario: UsuarioID,
        ip: Selado? = nil,
        agora: Instante
    ) {
        self.sessao = sessao
        self.usuario = usuario
        self.ip = ip
        self.agora = agora
    }

    /// The account's stream is worth guarding: a block that lands in between must win.
    package func decidir(conta: Conta, sessao estado: Sessao) throws(RecusaDeUsuarios) -> [EventosDoFluxo] {
        _ = try conta.exigirAtiva()
        switch estado {
        case .aberta(usuario):
            return []
        case .aberta, .revogada:
            throw .sessaoInvalida
        case .inexistente:
            let login = LoginRealizado(sessao: sessao, usuario: usuario, ip: ip, em: agora)
            return [EventosDoFluxo(.sessao(sessao), usuarios: .loginRealizado(login))]
        }
    }
}

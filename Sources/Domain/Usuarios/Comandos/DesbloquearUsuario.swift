/// Opens an account again that was shut. The person logs in anew.
package struct DesbloquearUsuario: Hashable, Sendable {
    package let usuario: UsuarioID
    package let por: Autoridade
    package let agora: Instante

    package init(
        usuario: UsuarioID,
        por: Autoridade,
        agora: Instante
    ) {
        self.usuario = usuario
        self.por = por
        self.agora = agora
    }

    package func decidir(conta: Conta) throws(RecusaDeUsuarios) -> [EventosDoFluxo] {
        guard por.administra else { throw .soAdministrador }
        switch conta {
        case .inexistente, .apagada:
            throw .naoEncontrado
        case .ativa:
            return []
        case .bloqueada:
            let desbloqueio = UsuarioDesbloqueado(usuario: usuario, por: por.usuario, em: agora)
            return [EventosDoFluxo(.usuario(usuario), usuarios: .usuarioDesbloqueado(desbloqueio))]
        }
    }
}

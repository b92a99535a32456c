/// Shuts an account, which ends its sessions.
package struct BloquearUsuario: Hashable, Sendable {
    package let usuario: UsuarioID
    package let por: Autoridade
    package let motivo: Selado?
    package let agora: Instante

    package init(
        usuario: UsuarioID,
        por: Autoridade,
        motivo: Selado? = nil,
        agora: Instante
    ) {
        self.usuario = usuario
        self.por = por
        self.motivo = motivo
        self.agora = agora
    }

    package func decidir(conta: Conta) throws(RecusaDeUsuarios) -> [EventosDoFluxo] {
        guard por.administra else { throw .soAdministrador }
        guard por.usuario != usuario else { throw .contraSiMesmo }
        switch conta {
        case .inexistente, .apagada:
            throw .naoEncontrado
        case .bloqueada:
            return []
        case .ativa:
            let bloqueio = UsuarioBloqueado(usuario: usuario, por: por.usuario, motivo: motivo, em: agora)
            return [EventosDoFluxo(.usuario(usuario), usuarios: .usuarioBloqueado(bloqueio))]
        }
    }
}

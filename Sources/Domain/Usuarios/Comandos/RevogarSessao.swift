/// Ends a session.
package struct RevogarSessao: Hashable, Sendable {
    package let sessao: SessaoID
    /// Whose it must be.
    package let usuario: UsuarioID
    package let motivo: MotivoDeRevogacao
    package let agora: Instante

    package init(
        sessao: SessaoID,
        usuario: UsuarioID,
        motivo: MotivoDeRevogacao,
        agora: Instante
    ) {
        self.sessao = sessao
        self.usuario = usuario
        self.motivo = motivo
        self.agora = agora
    }

    package func decidir(sessao estado: Sessao) throws(RecusaDeUsuarios) -> [EventosDoFluxo] {
        switch estado {
        case .revogada(usuario):
            return []
        case .aberta(usuario):
            let revogacao = SessaoRevogada(sessao: sessao, usuario: usuario, motivo: motivo, em: agora)
            return [EventosDoFluxo(.sessao(sessao), usuarios: .sessaoRevogada(revogacao))]
        case .inexistente, .aberta, .revogada:
            throw .sessaoInvalida
        }
    }
}

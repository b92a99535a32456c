/// Whether a login still holds: the stream `sessao-{id}`.
package enum Sessao: EstadoDeFluxo {
    case inexistente
    case aberta(UsuarioID)
    case revogada(UsuarioID)

    package static let inicial = Sessao.inexistente

    package func evoluindo(com evento: EventoDeUsuarios) -> Sessao {
        switch evento {
        case .loginRealizado(let login): .aberta(login.usuario)
        case .sessaoRevogada(let revogacao): .revogada(revogacao.usuario)
        case .usuarioCadastrado, .emailReservado, .emailLiberado, .perfilAtualizado, .senhaAlterada, .papelAlterado,
            .usuarioBloqueado, .usuarioDesbloqueado, .usuarioApagado:
            self
        }
    }
}

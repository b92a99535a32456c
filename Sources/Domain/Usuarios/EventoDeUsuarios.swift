/// All that can happen in `usuarios`: accounts, e-mail addresses, sessions.
package enum EventoDeUsuarios: EventoDeContexto {
    case usuarioCadastrado(UsuarioCadastrado)
    case emailReservado(EmailReservado)
    case emailLiberado(EmailLiberado)
    case perfilAtualizado(PerfilAtualizado)
    case senhaAlterada(SenhaAlterada)
    case papelAlterado(PapelAlterado)
    case usuarioBloqueado(UsuarioBloqueado)
    case usuarioDesbloqueado(UsuarioDesbloqueado)
    case usuarioApagado(UsuarioApagado)
    case loginRealizado(LoginRealizado)
    case sessaoRevogada(SessaoRevogada)

    package static let leitores: [LeitorDeEvento<EventoDeUsuarios>] = [
        LeitorDeEvento(UsuarioCadastrado.self, EventoDeUsuarios.usuarioCadastrado),
        LeitorDeEvento(EmailReservado.self, EventoDeUsuarios.emailReservado),
        LeitorDeEvento(EmailLiberado.self, EventoDeUsuarios.emailLiberado),
        LeitorDeEvento(PerfilAtualizado.self, EventoDeUsuarios.perfilAtualizado),
        LeitorDeEvento(SenhaAlterada.self, EventoDeUsuarios.senhaAlterada),
        LeitorDeEvento(PapelAlterado.self, EventoDeUsuarios.papelAlterado),
        LeitorDeEvento(UsuarioBloqueado.self, EventoDeUsuarios.usuarioBloqueado),
        LeitorDeEvento(UsuarioDesbloqueado.self, EventoDeUsuarios.usuarioDesbloqueado),
        LeitorDeEvento(UsuarioApagado.self, EventoDeUsuarios.usuarioApagado),
        LeitorDeEvento(LoginRealizado.self, EventoDeUsuarios.loginRealizado),
        LeitorDeEvento(SessaoRevogada.self, EventoDeUsuarios.sessaoRevogada),
    ]

    package var evento: any Evento {
        switch self {
        case .usuarioCadastrado(let evento): evento
        case .emailReservado(let evento): evento
        case .emailLiberado(let evento): evento
        case .perfilAtualizado(let evento): evento
        case .senhaAlterada(let evento): evento
        case .papelAlterado(let evento): evento
        case .usuarioBloqueado(let evento): evento
        case .usuarioDesbloqueado(let evento): evento
        case .usuarioApagado(let evento): evento
        case .loginRealizado(let evento): evento
        case .sessaoRevogada(let evento): evento
        }
    }

    package init?(_ evento: EventoDoDominio) {
        guard case .usuarios(let meu) = evento else { return nil }
        self = meu
    }
}

/// Whose an address is: the stream `email-{hmac}`.
package enum EnderecoDeEmail: EstadoDeFluxo {
    case livre
    case reservado(UsuarioID)

    package static let inicial = EnderecoDeEmail.livre

    package func evoluindo(com evento: EventoDeUsuarios) -> EnderecoDeEmail {
        switch evento {
        case .emailReservado(let reserva): .reservado(reserva.usuario)
        case .emailLiberado: .livre
        case .usuarioCadastrado, .perfilAtualizado, .senhaAlterada, .papelAlterado, .usuarioBloqueado, .usuarioDesbloqueado,
            .usuarioApagado, .loginRealizado, .sessaoRevogada:
            self
        }
    }
}

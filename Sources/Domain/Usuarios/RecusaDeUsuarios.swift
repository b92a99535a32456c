/// The rules of `usuarios` that say no.
package enum RecusaDeUsuarios: Recusa {
    case naoEncontrado
    case emailEmUso
    case contaBloqueada
    /// Only an administrator may.
    case soAdministrador
    /// An administrator may not take their own rights away: the last one would lock everybody out.
    case contraSiMesmo
    /// The session is not open, or not this person's.
    case sessaoInvalida

    package var codigo: String {
        switch self {
        case .naoEncontrado: "user_not_found"
        case .emailEmUso: "email_taken"
        case .contaBloqueada: "account_blocked"
        case .soAdministrador: "admin_only"
        case .contraSiMesmo: "not_yourself"
        case .sessaoInvalida: "session_invalid"
        }
    }

    package var especie: EspecieDeRecusa {
        switch self {
        case .naoEncontrado, .sessaoInvalida: .naoEncontrado
        case .emailEmUso: .conflito
        case .contraSiMesmo: .regra
        case .contaBloqueada, .soAdministrador: .proibido
        }
    }

    package func frase(em idioma: Idioma) -> String {
        switch self {
        case .naoEncontrado: idioma.escolher("Usuário não encontrado.", "User not found.")
        case .emailEmUso: idioma.escolher("Este e-mail já tem uma conta.", "This e-mail address already has an account.")
        case .contaBloqueada: idioma.escolher("Esta conta está bloqueada.", "This account is blocked.")
        case .soAdministrador: idioma.escolher("Só um administrador pode fazer isto.", "Only an administrator may do this.")
        case .contraSiMesmo:
            idioma.escolher("Outro administrador tem de fazer isto.", "Another administrator has to do this.")
        case .sessaoInvalida: idioma.escolher("Sessão não encontrada.", "Session not found.")
        }
    }
}

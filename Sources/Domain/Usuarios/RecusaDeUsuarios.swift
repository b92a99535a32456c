/// The rules of `usuarios` that say no.
package enum RecusaDeUsuarios: Recusa {
    case naoEncontrado
    case emailEmUso
    case contaBloqueada
    /// Only an administrator may.
    case soAdministrador
    /// An administrator may not take their own rights away: the last one would lock everybody out.
    case contraSiMesmo
    /// An administrator hands their role over before they are erased: nobody is locked out by mistake.
    case aindaAdministra
    /// So many bookings of the person are neither over nor cancelled.
    case reservasEmAberto(Int)
    /// The token claims a role that the person no longer has, or has no longer in all the units that it names.
    case papelPerdido
    /// Units were named for a role that has none: members work for no unit, administrators for all.
    case papelSemUnidades
    /// None was named, or too many: whoever has a role in units has it in one at least.
    case unidadesInvalidas(maximo: Int)
    /// The session is not open, or not this person's.
    case sessaoInvalida

    package var codigo: String {
        switch self {
        case .naoEncontrado: "user_not_found"
        case .emailEmUso: "email_taken"
        case .contaBloqueada: "account_blocked"
        case .soAdministrador: "admin_only"
        case .contraSiMesmo: "not_yourself"
        case .aindaAdministra: "still_admin"
        case .reservasEmAberto: "active_bookings"
        case .papelPerdido: "role_changed"
        case .papelSemUnidades: "role_without_units"
        case .unidadesInvalidas: "invalid_units"
        case .sessaoInvalida: "session_invalid"
        }
    }

    package var especie: EspecieDeRecusa {
        switch self {
        case .naoEncontrado, .sessaoInvalida: .naoEncontrado
        case .emailEmUso, .aindaAdministra, .reservasEmAberto: .conflito
        case .contraSiMesmo, .papelSemUnidades, .unidadesInvalidas: .regra
        case .contaBloqueada, .soAdministrador: .proibido
        case .papelPerdido: .naoAutenticado
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
        case .aindaAdministra:
            idioma.escolher(
                "Peça a outro administrador que retire o seu papel antes de apagar a conta.",
                "Ask another administrator to take your role before the account is erased."
            )
        case .reservasEmAberto(let quantas):
            idioma.escolher(
                "Cancele antes as reservas em aberto (\(quantas)).",
                "Cancel the bookings that are still open first (\(quantas))."
            )
        case .papelPerdido:
            idioma.escolher("O seu papel mudou: renove o acesso.", "Your role has changed: refresh your access token.")
        case .papelSemUnidades:
            idioma.escolher(
                "Só a recepção e os gestores trabalham por unidade: não indique unidades para este papel.",
                "Only reception and managers work for units: name no units for this role."
            )
        case .unidadesInvalidas(let maximo):
            idioma.escolher(
                "Indique de 1 a \(maximo) unidades, ou nenhuma lista para todas.",
                "Name 1 to \(maximo) units, or leave the list out for all of them."
            )
        case .sessaoInvalida: idioma.escolher("Sessão não encontrada.", "Session not found.")
        }
    }
}

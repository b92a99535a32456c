/// The rules of approvals, guests and bookings by operators that say no.
package enum RecusaDeAtendimento: Recusa {
    /// A gestor has to approve the booking first.
    case aguardaAprovacao
    /// The booking needs no approval, or has it.
    case naoAguardaAprovacao
    /// Only a gestor decides.
    case soGestor
    /// The space wants bookings approved, and this one has its approval, for its time.
    case mudancaPedeGestor
    /// A refusal, or rules set aside, need a reason.
    case semJustificativa
    case convidadosDemais(maximo: Int)

    package var codigo: String {
        switch self {
        case .aguardaAprovacao: "approval_pending"
        case .naoAguardaAprovacao: "approval_not_pending"
        case .soGestor: "manager_only"
        case .mudancaPedeGestor: "move_needs_manager"
        case .semJustificativa: "reason_required"
        case .convidadosDemais: "too_many_guests"
        }
    }

    package var especie: EspecieDeRecusa {
        switch self {
        case .aguardaAprovacao, .naoAguardaAprovacao: .conflito
        case .soGestor, .mudancaPedeGestor: .proibido
        case .semJustificativa, .convidadosDemais: .regra
        }
    }

    package func frase(em idioma: Idioma) -> String {
        switch self {
        case .aguardaAprovacao: idioma.escolher("A reserva ainda espera aprovação.", "The booking still waits for approval.")
        case .naoAguardaAprovacao: idioma.escolher("A reserva não espera aprovação.", "The booking does not wait for approval.")
        case .soGestor: idioma.escolher("Só um gestor pode decidir isto.", "Only a manager may decide this.")
        case .mudancaPedeGestor:
            idioma.escolher(
                "Este espaço pede aprovação: outro horário para uma reserva já aprovada é com a gestão.",
                "This space asks for approval: another time for a booking that has it is for a manager to set."
            )
        case .semJustificativa: idioma.escolher("Diga o motivo.", "Give a reason.")
        case .convidadosDemais(let maximo):
            idioma.escolher("São no máximo \(maximo) convidados.", "There may be \(maximo) guests at most.")
        }
    }
}

/// The rules of `espacos` that say no.
package enum RecusaDeEspacos: Recusa {
    /// What a command may get wrong; the raw value is the field's name in the HTTP API.
    package enum Campo: String, Sendable {
        case nome = "name"
        case fuso = "timezone"
        case endereco = "address"
        case capacidade = "capacity"
        case lugares = "seats"
        case comodidades = "amenities"
        case descricao = "description"
        case motivo = "reason"
        case periodo = "period"
        case passo = "step_minutes"
        case duracaoMinima = "min_minutes"
        case duracaoMaxima = "max_minutes"
        case bufferAntes = "buffer_before_minutes"
        case bufferDepois = "buffer_after_minutes"
        case horizonte = "horizon_minutes"
        case retencao = "hold_minutes"
        case prazoDeAprovacao = "approval_minutes"
        case retencaoDaEspera = "waitlist_hold_minutes"
        case antecedenciaDoCheckin = "checkin_minutes"
        case toleranciaDaSaida = "checkout_grace_minutes"
        case encerramento = "checkout_closes_minutes"
    }

    case unidadeNaoEncontrada
    case espacoNaoEncontrado
    case campoInvalido(Campo)
    /// Bookings lie ahead, so many.
    case reservasAdiante(Int)
    /// Bookings ahead take more seats at once than would be left.
    case lugaresJaReservados(Int)
    case fechamentosDemais
    case soAdministrador
    /// Only those who work at the desk or above may.
    case soEquipe

    package var codigo: String {
        switch self {
        case .unidadeNaoEncontrada: "unit_not_found"
        case .espacoNaoEncontrado: "space_not_found"
        case .campoInvalido: "invalid_field"
        case .reservasAdiante: "bookings_ahead"
        case .lugaresJaReservados: "seats_already_booked"
        case .fechamentosDemais: "too_many_closures"
        case .soAdministrador: "admin_only"
        case .soEquipe: "staff_only"
        }
    }

    package var especie: EspecieDeRecusa {
        switch self {
        case .unidadeNaoEncontrada, .espacoNaoEncontrado: .naoEncontrado
        case .campoInvalido, .fechamentosDemais: .regra
        case .soAdministrador, .soEquipe: .proibido
        case .reservasAdiante, .lugaresJaReservados: .conflito
        }
    }

    package func frase(em idioma: Idioma) -> String {
        switch self {
        case .unidadeNaoEncontrada: idioma.escolher("Unidade não encontrada.", "Unit not found.")
        case .espacoNaoEncontrado: idioma.escolher("Espaço não encontrado.", "Space not found.")
        case .campoInvalido(let campo):
            idioma.escolher("O valor de '\(campo.rawValue)' não é aceitável.", "The value of '\(campo.rawValue)' is not acceptable.")
        case .reservasAdiante(let quantas):
            idioma.escolher("O espaço ainda tem reservas pela frente: \(quantas).", "The space still has bookings ahead: \(quantas).")
        case .lugaresJaReservados(let quantos):
            idioma.escolher(
                "Reservas já feitas ocupam \(quantos) lugares ao mesmo tempo.",
                "Bookings already made take \(quantos) seats at the same time."
            )
        case .fechamentosDemais: idioma.escolher("O espaço já tem fechamentos demais.", "The space already has too many closures.")
        case .soAdministrador: idioma.escolher("Só um administrador pode fazer isto.", "Only an administrator may do this.")
        case .soEquipe: idioma.escolher("Só a equipe pode fazer isto.", "Only staff may do this.")
        }
    }
}

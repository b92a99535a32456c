/// The rules of `reservas` that say no.
package enum RecusaDeReservas: Recusa {
    case reservaNaoEncontrada
    case espacoNaoEncontrado
    case espacoInativo
    case proibido
    case fimAntesDoInicio
    case noPassado
    /// Starts and durations go in multiples of this.
    case passo(Minutos)
    case duracaoMinima(Minutos)
    case duracaoMaxima(Minutos)
    case antecedencia(Minutos)
    case horizonte(Minutos)
    /// Opening hours of the local date of the start.
    case foraDoHorario(data: DataCivil, horario: [FaixaHoraria])
    case fechado(motivo: String)
    /// Not one of the numbers of seats that this space has.
    case lugaresInvalidos(maximo: Int)
    /// Somebody else has the space then.
    case conflito
    /// Some seats are free then, but not that many.
    case lugaresInsuficientes(livres: Int)
    /// The clocks jump from `antes` to `depois` and never show the time asked for.
    case horaInexistente(antes: DataHoraLocal, depois: DataHoraLocal)
    case preco(RecusaDePrecos)
    /// The hold ran out before the booking was confirmed.
    case retencaoVencida
    case jaComecou
    /// Expired, cancelled or completed: nothing changes it any more.
    case encerrada
    case serie(RecusaDeSerie)
    case espera(RecusaDeEspera)
    case atendimento(RecusaDeAtendimento)

    package var codigo: String {
        switch self {
        case .reservaNaoEncontrada: "reservation_not_found"
        case .espacoNaoEncontrado: "space_not_found"
        case .espacoInativo: "space_inactive"
        case .proibido: "forbidden"
        case .fimAntesDoInicio: "end_before_start"
        case .noPassado: "in_the_past"
        case .passo: "step"
        case .duracaoMinima: "too_short"
        case .duracaoMaxima: "too_long"
        case .antecedencia: "lead_time"
        case .horizonte: "beyond_horizon"
        case .foraDoHorario: "outside_hours"
        case .fechado: "closed"
        case .lugaresInvalidos: "invalid_seats"
        case .conflito: "slot_taken"
        case .lugaresInsuficientes: "not_enough_seats"
        case .horaInexistente: "nonexistent_local_time"
        case .preco(let recusa): recusa.codigo
        case .retencaoVencida: "hold_expired"
        case .jaComecou: "already_started"
        case .encerrada: "reservation_closed"
        case .serie(let recusa): recusa.codigo
        case .espera(let recusa): recusa.codigo
        case .atendimento(let recusa): recusa.codigo
        }
    }

    package var especie: EspecieDeRecusa {
        switch self {
        case .reservaNaoEncontrada, .espacoNaoEncontrado: .naoEncontrado
        case .proibido: .proibido
        case .conflito, .lugaresInsuficientes, .retencaoVencida, .encerrada: .conflito
        case .espacoInativo, .fimAntesDoInicio, .noPassado, .passo, .duracaoMinima, .duracaoMaxima, .antecedencia, .horizonte,
            .foraDoHorario, .fechado, .lugaresInvalidos, .horaInexistente, .jaComecou:
            .regra
        case .preco(let recusa): recusa.especie
        case .serie(let recusa): recusa.especie
        case .espera(let recusa): recusa.especie
        case .atendimento(let recusa): recusa.especie
        }
    }

    /// Whether another time of the same space may do: alternatives are worth offering.
    package var admiteAlternativas: Bool {
        switch self {
        case .conflito, .lugaresInsuficientes, .foraDoHorario, .fechado, .noPassado, .antecedencia: true
        case .reservaNaoEncontrada, .espacoNaoEncontrado, .espacoInativo, .proibido, .fimAntesDoInicio, .passo, .duracaoMinima,
            .duracaoMaxima, .horizonte, .lugaresInvalidos, .horaInexistente, .preco, .retencaoVencida, .jaComecou, .encerrada,
            .serie, .espera, .atendimento:
            false
        }
    }
}

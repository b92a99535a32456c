extension RecusaDeReservas {
    package func frase(em idioma: Idioma) -> String {
        switch self {
        case .reservaNaoEncontrada: idioma.escolher("Reserva não encontrada.", "Reservation not found.")
        case .espacoNaoEncontrado: idioma.escolher("Espaço não encontrado.", "Space not found.")
        case .espacoInativo: idioma.escolher("Este espaço não recebe reservas.", "This space takes no bookings.")
        case .proibido: idioma.escolher("Só a equipe pode fazer isto.", "Only staff may do this.")
        case .fimAntesDoInicio: idioma.escolher("A reserva termina antes de começar.", "The booking ends before it begins.")
        case .noPassado: idioma.escolher("Este horário já passou.", "This time has already passed.")
        case .passo(let minutos):
            idioma.escolher(
                "As reservas deste espaço começam e duram em múltiplos de \(minutos.texto(idioma)).",
                "Bookings of this space start and last in multiples of \(minutos.texto(idioma))."
            )
        case .duracaoMinima(let minutos):
            idioma.escolher("A reserva mínima é de \(minutos.texto(idioma)).", "The shortest booking is \(minutos.texto(idioma)).")
        case .duracaoMaxima(let minutos):
            idioma.escolher("A reserva máxima é de \(minutos.texto(idioma)).", "The longest booking is \(minutos.texto(idioma)).")
        case .antecedencia(let minutos):
            idioma.escolher(
                "Reserve com pelo menos \(minutos.texto(idioma)) de antecedência.",
                "Book at least \(minutos.texto(idioma)) ahead."
            )
        case .horizonte(let minutos):
            idioma.escolher(
                "Só é possível reservar até \(minutos.texto(idioma)) à frente.",
                "Bookings open \(minutos.texto(idioma)) ahead at most."
            )
        case .foraDoHorario(let data, let horario): Self.foraDoHorario(data, horario, idioma)
        case .fechado(let motivo): idioma.escolher("Fechado: \(motivo).", "Closed: \(motivo).")
        case .lugaresInvalidos(let maximo):
            idioma.escolher("Escolha de 1 a \(maximo) lugares.", "Choose between 1 and \(maximo) seats.")
        case .conflito: idioma.escolher("Este horário já está reservado.", "This time is already booked.")
        case .lugaresInsuficientes(let livres):
            idioma.escolher("Lugares livres neste horário: \(livres).", "Seats free at this time: \(livres).")
        case .horaInexistente(let antes, let depois):
            idioma.escolher(
                "Este horário não existe: o relógio pula das \(antes.hora) para as \(depois.hora).",
                "This time does not exist: clocks jump from \(antes.hora) to \(depois.hora)."
            )
        case .preco(let recusa): recusa.frase(em: idioma)
        case .retencaoVencida:
            idioma.escolher("O prazo para confirmar a reserva acabou.", "The time to confirm the booking has run out.")
        case .jaComecou: idioma.escolher("A reserva já começou.", "The booking has already begun.")
        case .encerrada: idioma.escolher("A reserva já está encerrada.", "The booking is already closed.")
        case .serie(let recusa): recusa.frase(em: idioma)
        case .espera(let recusa): recusa.frase(em: idioma)
        case .atendimento(let recusa): recusa.frase(em: idioma)
        }
    }

    private static func foraDoHorario(_ data: DataCivil, _ horario: [FaixaHoraria], _ idioma: Idioma) -> String {
        if horario.isEmpty {
            return idioma.escolher("O espaço não abre em \(data).", "The space does not open on \(data).")
        }
        let faixas = horario.map { "\($0.abre)–\($0.fecha)" }.joined(separator: ", ")
        return idioma.escolher("Em \(data) o espaço abre \(faixas).", "On \(data) the space opens \(faixas).")
    }
}

extension Minutos {
    /// In the largest unit that fits evenly.
    func texto(_ idioma: Idioma) -> String {
        if valor > 0 && valor.isMultiple(of: 1_440) {
            let dias = valor / 1_440
            return idioma.escolher(dias == 1 ? "1 dia" : "\(dias) dias", dias == 1 ? "1 day" : "\(dias) days")
        }
        if valor > 0 && valor.isMultiple(of: 60) { return "\(valor / 60) h" }
        return "\(valor) min"
    }
}

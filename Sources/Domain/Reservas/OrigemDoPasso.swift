/// Who or what gave a command that changed a booking. People are not named.
package enum OrigemDoPasso: Hashable, Sendable {
    /// The person whose booking it is.
    case membro
    case equipe
    /// The hold ran out at this moment without a confirmation.
    case prazoDeConfirmacao(Instante)
    /// The booked time ended at this moment.
    case fimDaReserva(Instante)
    /// A policy or the command line, by its name.
    case sistema(String)

    /// Stable and machine-readable.
    package var codigo: String {
        switch self {
        case .membro: "member"
        case .equipe: "staff"
        case .prazoDeConfirmacao, .fimDaReserva: "timer"
        case .sistema: "system"
        }
    }

    package func frase(em idioma: Idioma, zona: ZonaHoraria) -> String {
        switch self {
        case .membro: idioma.escolher("O membro", "The member")
        case .equipe: idioma.escolher("A equipe", "Staff")
        case .prazoDeConfirmacao(let instante):
            idioma.escolher(
                "O prazo de confirmação, vencido em \(instante.porExtenso(zona))",
                "The time to confirm, which ran out at \(instante.porExtenso(zona))"
            )
        case .fimDaReserva(let instante):
            idioma.escolher(
                "O fim do horário reservado, em \(instante.porExtenso(zona))",
                "The end of the booked time, at \(instante.porExtenso(zona))"
            )
        case .sistema(let nome): idioma.escolher("O sistema (\(nome))", "The system (\(nome))")
        }
    }
}

extension Reserva {
    /// What will happen to the booking by itself, in words; empty where nothing will.
    package func proximos(em idioma: Idioma, zona: ZonaHoraria) -> [String] {
        switch self {
        case .inexistente, .expirada, .cancelada, .concluida, .ausente: return []
        case .pendente(_, let expiraEm):
            let prazo = expiraEm.porExtenso(zona)
            return [idioma.escolher("Expira em \(prazo), se não for confirmada.", "Expires at \(prazo) unless it is confirmed.")]
        case .confirmada(let dados):
            let fim = dados.horario.intervalo.fim.porExtenso(zona)
            return [idioma.escolher("Será concluída em \(fim).", "Will be completed at \(fim).")]
        }
    }
}

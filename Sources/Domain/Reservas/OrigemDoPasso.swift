/// Who or what gave a command that changed a booking. People are not named.
package enum OrigemDoPasso: Hashable, Sendable {
    /// The person whose booking it is.
    case membro
    case equipe
    /// The hold ran out at this moment without a confirmation.
    case prazoDeConfirmacao(Instante)
    /// The booked time ended at this moment.
    case fimDaReserva(Instante)
    /// The time to come ran out at this moment, and nobody had.
    case prazoDeComparecimento(Instante)
    /// A presence that nobody had ended was ended at this moment.
    case encerramentoDaPresenca(Instante)
    /// The time to pay a charge ran out at this moment.
    case prazoDaCobranca(Instante)
    /// The payment provider was asked at this moment what had become of a charge.
    case conferencia(Instante)
    /// The payment provider said so, unasked or asked.
    case provedor
    /// A policy or the command line, by its name.
    case sistema(String)

    /// What a timer did.
    /// - Parameters:
    ///   - tipo: Of the command, as it is called among the timers.
    ///   - em: When it was due.
    /// - Returns: Nil where the command answered an event at once.
    package init?(timer tipo: String, em: Instante) {
        if let prazo = PrazoDaReserva(rawValue: tipo) {
            self = prazo == .expirar ? .prazoDeConfirmacao(em) : .fimDaReserva(em)
        } else if let prazo = PrazoDaPresenca(rawValue: tipo) {
            self = prazo == .ausencia ? .prazoDeComparecimento(em) : .encerramentoDaPresenca(em)
        } else if let prazo = PrazoDaCobranca(rawValue: tipo) {
            self = prazo == .expirar ? .prazoDaCobranca(em) : .conferencia(em)
        } else {
            return nil
        }
    }

    /// Stable and machine-readable.
    package var codigo: String {
        switch self {
        case .membro: "member"
        case .equipe: "staff"
        case .prazoDeConfirmacao, .fimDaReserva, .prazoDeComparecimento, .encerramentoDaPresenca, .prazoDaCobranca, .conferencia: "timer"
        case .provedor, .sistema: "system"
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
        case .prazoDeComparecimento(let instante):
            idioma.escolher(
                "O prazo para comparecer, vencido em \(instante.porExtenso(zona))",
                "The time to come, which ran out at \(instante.porExtenso(zona))"
            )
        case .encerramentoDaPresenca(let instante):
            idioma.escolher(
                "O encerramento da presença, em \(instante.porExtenso(zona))",
                "The end of the presence, at \(instante.porExtenso(zona))"
            )
        case .prazoDaCobranca(let instante):
            idioma.escolher(
                "O prazo de pagamento, vencido em \(instante.porExtenso(zona))",
                "The time to pay, which ran out at \(instante.porExtenso(zona))"
            )
        case .conferencia(let instante):
            idioma.escolher(
                "A conferência com o provedor de pagamentos, em \(instante.porExtenso(zona))",
                "The payment provider, asked at \(instante.porExtenso(zona))"
            )
        case .provedor: idioma.escolher("O provedor de pagamentos", "The payment provider")
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

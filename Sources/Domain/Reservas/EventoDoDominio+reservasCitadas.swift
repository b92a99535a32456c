extension EventoDoDominio {
    /// The bookings that the event says something of, in whatever stream it is; empty where it is about none.
    ///
    /// One append may be about the bookings of several people, such as what is offered to all who wait for a time. Whoever may see one of
    /// them must not see the others, so each event has to say whose it is.
    package var reservasCitadas: [ReservaID] {
        switch self {
        case .reservas(let evento): evento.reservas
        case .precos(let evento): evento.reserva.map { [$0] } ?? []
        case .checkin(let evento): evento.reserva.map { [$0] } ?? []
        case .pagamentos(let evento): evento.causa.reserva.map { [$0] } ?? []
        case .usuarios, .espacos, .notificacoes, .analytics, .financeiro: []
        }
    }
}

extension EventoDeReservas {
    fileprivate var reservas: [ReservaID] {
        switch self {
        case .reservaSolicitada(let evento): [evento.reserva]
        case .reservaConfirmada(let evento): [evento.reserva]
        case .reservaExpirada(let evento): [evento.reserva]
        case .reservaRemarcada(let evento): [evento.reserva]
        case .reservaCancelada(let evento): [evento.reserva]
        case .reservaConcluida(let evento): [evento.reserva]
        case .reservaRetomada(let evento): [evento.reserva]
        case .reservaNaoComparecida(let evento): [evento.reserva]
        case .horarioOcupado(let evento): [evento.reserva]
        case .horarioLiberado(let evento): [evento.reserva]
        case .reservaAprovada(let evento): [evento.reserva]
        case .convidadosDefinidos(let evento): [evento.reserva]
        case .serieCriada(let evento): evento.ocorrencias.map(\.reserva)
        case .serieAlterada(let evento): evento.movidas.map(\.reserva)
        case .serieEncerrada(let evento): evento.canceladas
        case .esperaOferecida(let evento): [evento.reserva]
        case .esperaAtendida(let evento): [evento.reserva]
        case .esperaVencida(let evento): evento.reserva.map { [$0] } ?? []
        case .esperaInscrita, .esperaRetirada: []
        }
    }
}

extension EventoDePrecos {
    fileprivate var reserva: ReservaID? {
        switch self {
        case .cupomUsado(let evento): evento.reserva
        case .cupomDevolvido(let evento): evento.reserva
        case .creditosConsumidos(let evento): evento.reserva
        case .creditosDevolvidos(let evento): evento.reserva
        case .tarifarioPublicado, .planoPublicado, .cupomCriado, .cupomDesativado, .assinaturaIniciada, .assinaturaRenovada, .planoTrocado,
            .trocaDePlanoMarcada, .trocaDePlanoDesfeita, .assinaturaCancelada, .creditosConcedidos:
            nil
        }
    }
}

extension EventoDeCheckin {
    fileprivate var reserva: ReservaID? {
        switch self {
        case .checkinRealizado(let evento): evento.reserva
        case .checkoutRealizado(let evento): evento.reserva
        case .naoComparecimentoRegistrado(let evento): evento.reserva
        case .excedenteApurado(let evento): evento.reserva
        case .painelAutorizado, .painelRevogado: nil
        }
    }
}

extension EventoDePagamentos {
    fileprivate var causa: CausaDaCobranca {
        switch self {
        case .cobrancaCriada(let evento): evento.causa
        case .cobrancaAlterada(let evento): evento.causa
        case .pixGerado(let evento): evento.causa
        case .pagamentoAprovado(let evento): evento.causa
        case .pagamentoRecusado(let evento): evento.causa
        case .tentativaRespondida(let evento): evento.causa
        case .cobrancaExpirada(let evento): evento.causa
        case .estornoSolicitado(let evento): evento.causa
        case .pagamentoEstornado(let evento): evento.causa
        case .estornoRecusado(let evento): evento.causa
        }
    }
}

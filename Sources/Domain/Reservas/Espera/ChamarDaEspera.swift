/// Goes through the lines of a space when something was freed, an offer ended or a span began: says whose wait is over, and offers
/// what is free to the first whom it fits.
///
/// The first is who joined first. Whom a freed span does not fit keeps their place, and does not keep it from the next.
package struct ChamarDaEspera: Sendable {
    /// A place in a line of a day.
    package struct Vez: Hashable, Sendable {
        package let dia: DataCivil
        package let inscricao: Espera.Inscricao
    }

    package let espaco: EspacoID
    package let filas: [DataCivil: Espera]
    package let agora: Instante

    package init(espaco: EspacoID, filas: [DataCivil: Espera], agora: Instante) {
        self.espaco = espaco
        self.filas = filas
        self.agora = agora
    }

    /// The bookings that were offered and may have ended meanwhile.
    package var ofertas: [ReservaID] {
        emOrdem.compactMap { vez in
            if case .oferecida(let reserva) = vez.inscricao.situacao { return reserva }
            return nil
        }
    }

    /// Whose wait is over.
    /// - Parameter reservas: Those that `ofertas` names.
    package func encerrar(_ reservas: [ReservaID: Reserva]) -> [EventosDoFluxo] {
        EventosDoFluxo.unir(emOrdem.compactMap { encerrar($0, reservas) })
    }

    /// Who waits still, the first first: those whose span has not begun.
    package var aVez: [Vez] {
        emOrdem.filter { $0.inscricao.situacao == .aguardando && agora < $0.inscricao.intervalo.inicio }
    }

    /// Offers a span that is free to who waits for it: a hold of theirs.
    /// - Parameters:
    ///   - preparo: What `pedido` gives in the context of their account.
    ///   - agendas: The days that `preparo.diasDaAgenda` names, with what was offered before in the same decision.
    package func oferecer(
        _ vez: Vez,
        _ pedido: SolicitarReserva,
        preparo: PreparoDaReserva,
        agendas: Agendas
    ) throws(RecusaDeReservas) -> [EventosDoFluxo] {
        let reservada = try pedido.decidir(reserva: .inexistente, preparo: preparo, agendas: agendas)
        let prazo = pedido.prazo(preparo)
        let oferecida = EsperaOferecida(
            inscricao: vez.inscricao.id,
            usuario: vez.inscricao.usuario,
            espaco: espaco,
            dia: vez.dia,
            reserva: pedido.reserva,
            expiraEm: prazo.expiraEm,
            em: agora
        )
        var eventos: [EventoDeReservas] = [.esperaOferecida(oferecida)]
        if prazo.expiraEm == nil { eventos.append(.esperaAtendida(atendida(vez, pedido.reserva))) }
        return [EventosDoFluxo(.espera(espaco, vez.dia), eventos.map(EventoDoDominio.reservas))] + reservada
    }

    /// The booking that an offer is.
    package func pedido(_ vez: Vez, reserva: ReservaID) -> SolicitarReserva {
        let inscricao = vez.inscricao
        return SolicitarReserva(
            reserva: reserva,
            usuario: inscricao.usuario,
            ator: Ator(usuario: inscricao.usuario, papel: .membro),
            inicio: inscricao.intervalo.inicio,
            fim: inscricao.intervalo.fim,
            lugares: inscricao.lugares,
            agora: agora,
            origem: OrigemDaReserva(espera: inscricao.id)
        )
    }

    /// All lines as one. In a line the order is that of the stream; between lines it is that of the times at which people joined.
    private var emOrdem: [Vez] {
        filas.sorted { $0.key < $1.key }
            .flatMap { dia, fila in fila.inscricoes.filter(\.aberta).map { Vez(dia: dia, inscricao: $0) } }
            .enumerated()
            .sorted { ($0.element.inscricao.em, $0.offset) < ($1.element.inscricao.em, $1.offset) }
            .map(\.element)
    }

    private func encerrar(_ vez: Vez, _ reservas: [ReservaID: Reserva]) -> EventosDoFluxo? {
        switch vez.inscricao.situacao {
        case .aguardando:
            return agora >= vez.inscricao.intervalo.inicio ? vencida(vez, .inicioPassou, nil) : nil
        case .oferecida(let reserva):
            switch reservas[reserva] ?? .inexistente {
            case .inexistente, .pendente: return nil
            case .confirmada, .concluida, .ausente:
                return EventosDoFluxo(.espera(espaco, vez.dia), reservas: .esperaAtendida(atendida(vez, reserva)))
            case .expirada: return vencida(vez, .ofertaExpirou, reserva)
            case .cancelada: return vencida(vez, .ofertaCancelada, reserva)
            }
        case .atendida, .vencida, .retirada: return nil
        }
    }

    private func vencida(_ vez: Vez, _ motivo: MotivoDaEsperaVencida, _ reserva: ReservaID?) -> EventosDoFluxo {
        let vencida = EsperaVencida(
            inscricao: vez.inscricao.id,
            usuario: vez.inscricao.usuario,
            espaco: espaco,
            dia: vez.dia,
            motivo: motivo,
            reserva: reserva,
            em: agora
        )
        return EventosDoFluxo(.espera(espaco, vez.dia), reservas: .esperaVencida(vencida))
    }

    private func atendida(_ vez: Vez, _ reserva: ReservaID) -> EsperaAtendida {
        EsperaAtendida(
            inscricao: vez.inscricao.id,
            usuario: vez.inscricao.usuario,
            espaco: espaco,
            dia: vez.dia,
            reserva: reserva,
            em: agora
        )
    }
}

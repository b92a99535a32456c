/// Gives up occurrences of a series: those that have not begun, whether they were moved or not. Each is refunded by its own rules.
package struct EncerrarSerie: Hashable, Sendable {
    package let serie: SerieID
    package let ator: Ator
    package let alcance: AlcanceDaSerie
    /// The occurrence from which on; not needed for all.
    package let referencia: ReservaID?
    package let justificativa: Selado?
    package let agora: Instante

    package init(
        serie: SerieID,
        ator: Ator,
        alcance: AlcanceDaSerie,
        referencia: ReservaID?,
        justificativa: Selado? = nil,
        agora: Instante
    ) {
        self.serie = serie
        self.ator = ator
        self.alcance = alcance
        self.referencia = referencia
        self.justificativa = justificativa
        self.agora = agora
    }

    /// The bookings that will be given up; the agenda days of each are written to as well.
    /// - Parameter reservas: The bookings of the occurrences that `DadosDaSerie.escolhidas` names.
    package func alvos(_ dados: DadosDaSerie, reservas: [ReservaID: Reserva]) throws(RecusaDeReservas) -> [DadosDaReserva] {
        try dados.escolhidas(alcance, desde: referencia).compactMap { ocorrencia in
            switch reservas[ocorrencia.reserva] ?? .inexistente {
            case .inexistente, .expirada, .cancelada, .concluida, .ausente: nil
            case .pendente(let reserva, _), .confirmada(let reserva):
                agora < reserva.horario.intervalo.inicio ? reserva : nil
            }
        }
    }

    /// Nothing where no occurrence is left to be given up.
    /// - Parameters:
    ///   - pago: What was paid for each booking so far.
    ///   - beneficios: What each of them drew on.
    package func decidir(
        _ dados: DadosDaSerie,
        reservas: [ReservaID: Reserva],
        pago: [ReservaID: Dinheiro],
        beneficios: [ReservaID: BeneficiosDoMembro] = [:]
    ) throws(RecusaDeReservas) -> [EventosDoFluxo] {
        let alvos = try alvos(dados, reservas: reservas)
        guard !alvos.isEmpty else { return [] }
        var partes: [EventosDoFluxo] = []
        for alvo in alvos {
            let cancelar = CancelarReserva(
                reserva: alvo.reserva,
                ator: ator,
                pago: pago[alvo.reserva] ?? .zero,
                justificativa: justificativa,
                agora: agora
            )
            partes += try cancelar.decidir(
                reserva: reservas[alvo.reserva] ?? .inexistente,
                beneficios: beneficios[alvo.reserva] ?? .nenhum
            )
        }
        let canceladas = alvos.map(\.reserva)
        let marco = referencia ?? alvos[0].reserva
        let encerrada = SerieEncerrada(
            serie: serie,
            alcance: alcance,
            aPartirDe: dados.ocorrencias.first { $0.reserva == marco }?.original ?? alvos[0].horario.inicioLocal,
            canceladas: canceladas,
            por: ator.usuario,
            em: agora
        )
        return EventosDoFluxo.unir([EventosDoFluxo(.serie(serie), reservas: .serieEncerrada(encerrada))] + partes)
    }
}

/// Gives up a place in a line, and the hold that was offered to it.
package struct SairDaEspera: Hashable, Sendable {
    package let espaco: EspacoID
    package let dia: DataCivil
    package let inscricao: EsperaID
    package let ator: Ator
    package let agora: Instante

    package init(espaco: EspacoID, dia: DataCivil, inscricao: EsperaID, ator: Ator, agora: Instante) {
        self.espaco = espaco
        self.dia = dia
        self.inscricao = inscricao
        self.ator = ator
        self.agora = agora
    }

    /// - Parameters:
    ///   - oferta: The booking that was offered, where one was; its agenda days are written to as well.
    ///   - beneficios: What it drew on.
    package func decidir(
        espera: Espera,
        oferta: Reserva,
        beneficios: BeneficiosDoMembro = .nenhum
    ) throws(RecusaDeReservas) -> [EventosDoFluxo] {
        let inscrita = try espera.exigirVisivel(inscricao, para: ator)
        switch inscrita.situacao {
        case .retirada: return []
        case .atendida, .vencida: throw .espera(.encerrada)
        case .aguardando: return [retirada(inscrita)]
        case .oferecida(let reserva):
            guard case .pendente = oferta else { throw .espera(.encerrada) }
            let cancelar = CancelarReserva(reserva: reserva, ator: ator, pago: .zero, agora: agora)
            return [retirada(inscrita)] + (try cancelar.decidir(reserva: oferta, beneficios: beneficios))
        }
    }

    private func retirada(_ inscrita: Espera.Inscricao) -> EventosDoFluxo {
        let retirada = EsperaRetirada(
            inscricao: inscricao,
            usuario: inscrita.usuario,
            espaco: espaco,
            dia: dia,
            por: ator.usuario,
            em: agora
        )
        return EventosDoFluxo(.espera(espaco, dia), reservas: .esperaRetirada(retirada))
    }
}

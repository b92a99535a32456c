/// Says who comes along to a booking, in place of whoever was named before.
package struct DefinirConvidados: Hashable, Sendable {
    package let reserva: ReservaID
    package let ator: Ator
    package let convidados: [Convidado]
    package let agora: Instante

    package init(reserva: ReservaID, ator: Ator, convidados: [Convidado], agora: Instante) {
        self.reserva = reserva
        self.ator = ator
        self.convidados = convidados
        self.agora = agora
    }

    /// A room takes as many people as it has room for; of a space that is shared, a booking has the seats that it took.
    package func decidir(reserva estado: Reserva, ficha: FichaDoEspaco) throws(RecusaDeReservas) -> [EventosDoFluxo] {
        let dados = try estado.exigirVisivel(para: ator)
        switch estado {
        case .inexistente: throw .reservaNaoEncontrada
        case .expirada, .cancelada, .concluida, .ausente: throw .encerrada
        case .pendente, .confirmada: break
        }
        guard agora < dados.horario.intervalo.fim else { throw .encerrada }
        let maximo = min(ficha.lugares == 1 ? ficha.capacidade : dados.horario.lugares, ConvidadosDefinidos.maximo)
        guard convidados.count <= maximo else { throw .atendimento(.convidadosDemais(maximo: maximo)) }
        let definidos = ConvidadosDefinidos(
            reserva: reserva,
            usuario: dados.usuario,
            convidados: convidados,
            por: ator.usuario,
            em: agora
        )
        return [EventosDoFluxo(.reserva(reserva), reservas: .convidadosDefinidos(definidos))]
    }
}

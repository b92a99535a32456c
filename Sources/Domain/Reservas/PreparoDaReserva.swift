/// A booking that every rule but the seats allows, with its price. It names the agenda days to load before deciding.
package struct PreparoDaReserva: Hashable, Sendable {
    package let espaco: EspacoID
    package let unidade: UnidadeID
    let lugaresDoEspaco: Int
    package let horario: HorarioDaReserva
    let regras: RegrasAplicadas
    let retencao: Minutos
    /// How long a gestor has to approve; nil where nobody has to.
    let prazoDeAprovacao: Minutos?
    /// The hold of an offer from the waitlist, where it is another.
    let retencaoDaEspera: Minutos?
    package let cotacao: Cotacao
    let beneficios: BeneficiosDoMembro

    /// The UTC days that the booking with its buffers touches, in order.
    package var diasDaAgenda: [DataCivil] { horario.ocupacao.diasUTC }

    /// Occupied seats never exceed the space's, buffers included.
    func conferirLugares(_ agendas: Agendas, exceto reserva: ReservaID?) throws(RecusaDeReservas) {
        let livres = max(0, lugaresDoEspaco - agendas.maiorOcupacao(em: horario.ocupacao, exceto: reserva))
        if horario.lugares <= livres { return }
        if livres == 0 { throw .conflito }
        throw .lugaresInsuficientes(livres: livres)
    }

    func ocupado(_ dia: DataCivil, por reserva: ReservaID, em agora: Instante) -> HorarioOcupado {
        HorarioOcupado(
            espaco: espaco,
            dia: dia,
            reserva: reserva,
            intervalo: horario.ocupacao,
            lugares: horario.lugares,
            em: agora
        )
    }
}

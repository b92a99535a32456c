/// The booking moved to another time in the same space.
package struct ReservaRemarcada: Evento {
    package static let tipo = "reservas.ReservaRemarcada"

    package let reserva: ReservaID
    package let de: HorarioDaReserva
    package let para: HorarioDaReserva
    package let regras: RegrasAplicadas
    package let cotacao: Cotacao
    /// New total minus old total; negative when it became cheaper.
    package let diferenca: Dinheiro
    package let por: UsuarioID
    package let em: Instante

    package init(
        reserva: ReservaID,
        de: HorarioDaReserva,
        para: HorarioDaReserva,
        regras: RegrasAplicadas,
        cotacao: Cotacao,
        diferenca: Dinheiro,
        por: UsuarioID,
        em: Instante
    ) {
        self.reserva = reserva
        self.de = de
        self.para = para
        self.regras = regras
        self.cotacao = cotacao
        self.diferenca = diferenca
        self.por = por
        self.em = em
    }
}

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
    /// What is to be paid for the booking to stand again: it had been confirmed, and costs more now. Absent where nothing is, or where
    /// the booking was not paid before and its whole price is to be.
    package let aPagar: Dinheiro?
    /// When the hold of the new time runs out unless `aPagar` was paid.
    package let pagarAte: Instante?
    /// What is to be given back of what was paid; the payments context never gives back more than that.
    package let aDevolver: Dinheiro?

    package init(
        reserva: ReservaID,
        de: HorarioDaReserva,
        para: HorarioDaReserva,
        regras: RegrasAplicadas,
        cotacao: Cotacao,
        diferenca: Dinheiro,
        por: UsuarioID,
        em: Instante,
        aPagar: Dinheiro? = nil,
        pagarAte: Instante? = nil,
        aDevolver: Dinheiro? = nil
    ) {
        self.reserva = reserva
        self.de = de
        self.para = para
        self.regras = regras
        self.cotacao = cotacao
        self.diferenca = diferenca
        self.por = por
        self.em = em
        self.aPagar = aPagar
        self.pagarAte = pagarAte
        self.aDevolver = aDevolver
    }

    private enum CodingKeys: String, CodingKey {
        case reserva
        case de
        case para
        case regras
        case cotacao
        case diferenca
        case por
        case em
        case aPagar = "a_pagar"
        case pagarAte = "pagar_ate"
        case aDevolver = "a_devolver"
    }
}

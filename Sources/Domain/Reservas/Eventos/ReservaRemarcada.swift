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
    /// What of the price was forgone because the old time was given up with less notice than its policy gives everything back for.
    package let retido: Dinheiro?
    /// The largest share that giving the booking up gives back from now on: what giving up the old time would have given back. Absent
    /// where that is everything, or where nothing had been paid.
    package let devolveAte: Percentual?
    /// When the hold runs out from now on, of a booking that was not paid and is held for a shorter time than before.
    package let expiraEm: Instante?
    /// Until when a gestor has to approve it from now on, where that is sooner than before.
    package let aprovacaoAte: Instante?
    /// Whose booking it is. Absent in what was recorded before it was written down.
    package let usuario: UsuarioID?

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
        aDevolver: Dinheiro? = nil,
        retido: Dinheiro? = nil,
        devolveAte: Percentual? = nil,
        expiraEm: Instante? = nil,
        aprovacaoAte: Instante? = nil,
        usuario: UsuarioID? = nil
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
        self.retido = retido
        self.devolveAte = devolveAte
        self.expiraEm = expiraEm
        self.aprovacaoAte = aprovacaoAte
        self.usuario = usuario
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
        case retido
        case devolveAte = "devolve_ate"
        case expiraEm = "expira_em"
        case aprovacaoAte = "aprovacao_ate"
        case usuario
    }
}

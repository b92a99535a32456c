/// How a booking came about, where more is to be said than that a member asked for it.
package struct OrigemDaReserva: Hashable, Sendable, Codable {
    /// The series that it is an occurrence of.
    package let serie: SerieID?
    /// The place in the waitlist that it was offered to.
    package let espera: EsperaID?
    /// How payment was agreed, where that is not by a charge.
    package let pagamento: PagamentoCombinado?
    /// Somebody without an account, for whom an operator booked in their own name; sealed under the operator's key.
    package let visitante: Convidado?
    /// Why an operator set rules of the space aside.
    package let dispensa: Selado?

    package init(
        serie: SerieID? = nil,
        espera: EsperaID? = nil,
        pagamento: PagamentoCombinado? = nil,
        visitante: Convidado? = nil,
        dispensa: Selado? = nil
    ) {
        self.serie = serie
        self.espera = espera
        self.pagamento = pagamento
        self.visitante = visitante
        self.dispensa = dispensa
    }

    /// Whether there is nothing to say.
    var comum: Bool { self == OrigemDaReserva() }
}

extension OrigemDaReserva: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) {
        serie = try carga.valorSeHouver(CodingKeys.serie, de: ficha)
        espera = try carga.valorSeHouver(CodingKeys.espera, de: ficha)
        pagamento = try carga.valorSeHouver(CodingKeys.pagamento, de: ficha)
        visitante = try carga.valorSeHouver(CodingKeys.visitante, de: ficha)
        dispensa = try carga.valorSeHouver(CodingKeys.dispensa, de: ficha)
    }
}

/// How a booking is paid, where that is not by a charge.
package enum PagamentoCombinado: String, Hashable, Sendable, Codable {
    /// The operator who booked took the money, so the booking stands at once.
    case balcao
}

extension PagamentoCombinado: LidoDaForma {}

/// The booking stands.
package struct ReservaConfirmada: Evento {
    package static let tipo = "reservas.ReservaConfirmada"

    package let reserva: ReservaID
    package let motivo: MotivoDaConfirmacao
    /// The operator, when one confirmed it.
    package let por: UsuarioID?
    /// What paid it, when a payment confirmed it.
    package let pagamento: PagamentoID?
    package let em: Instante

    package init(
        reserva: ReservaID,
        motivo: MotivoDaConfirmacao,
        por: UsuarioID? = nil,
        pagamento: PagamentoID? = nil,
        em: Instante
    ) {
        self.reserva = reserva
        self.motivo = motivo
        self.por = por
        self.pagamento = pagamento
        self.em = em
    }
}

extension ReservaConfirmada: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) {
        reserva = try carga.valor(CodingKeys.reserva, de: ficha)
        motivo = try carga.valor(CodingKeys.motivo, de: ficha)
        por = try carga.valorSeHouver(CodingKeys.por, de: ficha)
        pagamento = try carga.valorSeHouver(CodingKeys.pagamento, de: ficha)
        em = try carga.valor(CodingKeys.em, de: ficha)
    }
}

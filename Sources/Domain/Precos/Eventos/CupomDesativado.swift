/// A coupon takes no more bookings. What it took off stays.
package struct CupomDesativado: Evento {
    package static let tipo = "precos.CupomDesativado"

    package let codigo: CodigoDoCupom
    /// Nobody for the command line.
    package let por: UsuarioID?
    package let em: Instante

    package init(
        codigo: CodigoDoCupom,
        por: UsuarioID? = nil,
        em: Instante
    ) {
        self.codigo = codigo
        self.por = por
        self.em = em
    }
}

/// A booking took a coupon.
package struct CupomUsado: Evento {
    package static let tipo = "precos.CupomUsado"

    package let codigo: CodigoDoCupom
    package let reserva: ReservaID
    /// Whose booking it is.
    package let usuario: UsuarioID
    /// What it took off the price; positive.
    package let desconto: Dinheiro
    package let em: Instante

    package init(
        codigo: CodigoDoCupom,
        reserva: ReservaID,
        usuario: UsuarioID,
        desconto: Dinheiro,
        em: Instante
    ) {
        self.codigo = codigo
        self.reserva = reserva
        self.usuario = usuario
        self.desconto = desconto
        self.em = em
    }
}

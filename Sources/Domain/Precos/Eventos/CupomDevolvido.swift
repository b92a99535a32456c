/// A booking gave its coupon back: the use counts no more.
package struct CupomDevolvido: Evento {
    package static let tipo = "precos.CupomDevolvido"

    package let codigo: CodigoDoCupom
    package let reserva: ReservaID
    package let usuario: UsuarioID
    /// What it took off the price, which does not count any more; positive.
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

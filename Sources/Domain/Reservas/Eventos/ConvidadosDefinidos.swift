/// Who comes along to a booking, in place of whoever was named before.
package struct ConvidadosDefinidos: Evento {
    package static let tipo = "reservas.ConvidadosDefinidos"

    /// The most guests that a booking has.
    package static let maximo = 50

    package let reserva: ReservaID
    /// Whose booking it is: the guests are sealed under their key.
    package let usuario: UsuarioID
    package let convidados: [Convidado]
    package let por: UsuarioID
    package let em: Instante

    package init(
        reserva: ReservaID,
        usuario: UsuarioID,
        convidados: [Convidado],
        por: UsuarioID,
        em: Instante
    ) {
        self.reserva = reserva
        self.usuario = usuario
        self.convidados = convidados
        self.por = por
        self.em = em
    }
}

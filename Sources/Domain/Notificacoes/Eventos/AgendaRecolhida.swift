/// The person's bookings cannot be followed as a calendar any more.
package struct AgendaRecolhida: Evento {
    package static let tipo = "notificacoes.AgendaRecolhida"

    package let usuario: UsuarioID
    package let em: Instante

    package init(
        usuario: UsuarioID,
        em: Instante
    ) {
        self.usuario = usuario
        self.em = em
    }
}

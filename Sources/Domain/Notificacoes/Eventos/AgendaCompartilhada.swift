/// The person's bookings can be followed as a calendar by whoever has the secret; an earlier secret holds no longer.
package struct AgendaCompartilhada: Evento {
    package static let tipo = "notificacoes.AgendaCompartilhada"

    package let usuario: UsuarioID
    package let chave: ChaveDeAgenda
    package let em: Instante

    package init(
        usuario: UsuarioID,
        chave: ChaveDeAgenda,
        em: Instante
    ) {
        self.usuario = usuario
        self.chave = chave
        self.em = em
    }
}

/// An address belongs to one account from here on. Lives in the stream of the address.
package struct EmailReservado: Evento {
    package static let tipo = "usuarios.EmailReservado"

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

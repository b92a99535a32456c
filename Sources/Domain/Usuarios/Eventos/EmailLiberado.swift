/// An address is free again. Lives in the stream of the address.
package struct EmailLiberado: Evento {
    package static let tipo = "usuarios.EmailLiberado"

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

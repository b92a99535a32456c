/// A person changed their name or address; what is absent stays as it was.
package struct PerfilAtualizado: Evento {
    package static let tipo = "usuarios.PerfilAtualizado"

    package let usuario: UsuarioID
    package let nome: Selado?
    package let email: Selado?
    /// Present with `email`.
    package let chaveDoEmail: ChaveDeEmail?
    package let em: Instante

    package init(
        usuario: UsuarioID,
        nome: Selado? = nil,
        email: Selado? = nil,
        chaveDoEmail: ChaveDeEmail? = nil,
        em: Instante
    ) {
        self.usuario = usuario
        self.nome = nome
        self.email = email
        self.chaveDoEmail = chaveDoEmail
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case usuario
        case nome
        case email
        case chaveDoEmail = "chave_do_email"
        case em
    }
}

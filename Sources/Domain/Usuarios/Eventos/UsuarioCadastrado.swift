/// A person has an account. Appended with `EmailReservado`.
package struct UsuarioCadastrado: Evento {
    package static let tipo = "usuarios.UsuarioCadastrado"

    package let usuario: UsuarioID
    package let nome: Selado
    package let email: Selado
    /// Names the stream that holds the address.
    package let chaveDoEmail: ChaveDeEmail
    /// The PHC string of the password, sealed.
    package let senha: Selado
    package let papel: Papel
    package let origem: OrigemDoCadastro
    package let em: Instante

    package init(
        usuario: UsuarioID,
        nome: Selado,
        email: Selado,
        chaveDoEmail: ChaveDeEmail,
        senha: Selado,
        papel: Papel,
        origem: OrigemDoCadastro,
        em: Instante
    ) {
        self.usuario = usuario
        self.nome = nome
        self.email = email
        self.chaveDoEmail = chaveDoEmail
        self.senha = senha
        self.papel = papel
        self.origem = origem
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case usuario
        case nome
        case email
        case chaveDoEmail = "chave_do_email"
        case senha
        case papel
        case origem
        case em
    }
}

/// Opens an account.
package struct CadastrarUsuario: Hashable, Sendable {
    package let usuario: UsuarioID
    package let chaveDoEmail: ChaveDeEmail
    package let nome: Selado
    package let email: Selado
    /// The PHC string of the password, sealed.
    package let senha: Selado
    package let via: Via
    package let agora: Instante

    package init(
        usuario: UsuarioID,
        chaveDoEmail: ChaveDeEmail,
        nome: Selado,
        email: Selado,
        senha: Selado,
        via: Via,
        agora: Instante
    ) {
        self.usuario = usuario
        self.chaveDoEmail = chaveDoEmail
        self.nome = nome
        self.email = email
        self.senha = senha
        self.via = via
        self.agora = agora
    }

    /// How the account comes to be, and so which role it may begin with.
    package enum Via: Hashable, Sendable {
        /// Makes a member, whatever the request says.
        case autocadastro
        /// Makes any role, as the first administrator.
        case linhaDeComando(Papel)
    }

    /// - Parameter email: The state of the stream of `chaveDoEmail`.
    package func decidir(conta: Conta, email endereco: EnderecoDeEmail) throws(RecusaDeUsuarios) -> [EventosDoFluxo] {
        if conta != .inexistente { return [] }
        guard endereco == .livre else { throw .emailEmUso }
        let (papel, origem): (Papel, OrigemDoCadastro) =
            switch via {
            case .autocadastro: (.membro, .proprio)
            case .linhaDeComando(let papel): (papel, .linhaDeComando)
            }
        let cadastro = UsuarioCadastrado(
            usuario: usuario,
            nome: nome,
            email: email,
            chaveDoEmail: chaveDoEmail,
            senha: senha,
            papel: papel,
            origem: origem,
            em: agora
        )
        return [
            EventosDoFluxo(.usuario(usuario), usuarios: .usuarioCadastrado(cadastro)),
            EventosDoFluxo(.email(chaveDoEmail), usuarios: .emailReservado(EmailReservado(usuario: usuario, em: agora))),
        ]
    }
}

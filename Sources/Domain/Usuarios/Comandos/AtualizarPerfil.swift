/// Changes what a person is called, or their address; what is absent stays.
package struct AtualizarPerfil: Hashable, Sendable {
    package let usuario: UsuarioID
    package let nome: Selado?
    package let email: NovoEmail?
    package let agora: Instante

    package init(
        usuario: UsuarioID,
        nome: Selado? = nil,
        email: NovoEmail? = nil,
        agora: Instante
    ) {
        self.usuario = usuario
        self.nome = nome
        self.email = email
        self.agora = agora
    }

    /// An address with the key of its stream.
    package struct NovoEmail: Hashable, Sendable {
        package let chave: ChaveDeEmail
        package let selado: Selado

        package init(chave: ChaveDeEmail, selado: Selado) {
            self.chave = chave
            self.selado = selado
        }
    }

    /// The stream of the old address is written to as well, when the address changes: `Conta` names it.
    /// - Parameter novoEndereco: The state of the new address's stream; not looked at when the address stays.
    package func decidir(conta: Conta, novoEndereco: EnderecoDeEmail) throws(RecusaDeUsuarios) -> [EventosDoFluxo] {
        let dados = try conta.exigirAtiva()
        let mudanca = email.flatMap { $0.chave == dados.chaveDoEmail ? nil : $0 }
        if nome == nil && mudanca == nil { return [] }
        let perfil = PerfilAtualizado(
            usuario: usuario,
            nome: nome,
            email: mudanca?.selado,
            chaveDoEmail: mudanca?.chave,
            em: agora
        )
        var decididos = [EventosDoFluxo(.usuario(usuario), usuarios: .perfilAtualizado(perfil))]
        guard let mudanca else { return decididos }
        guard novoEndereco == .livre else { throw .emailEmUso }
        decididos.append(
            EventosDoFluxo(.email(mudanca.chave), usuarios: .emailReservado(EmailReservado(usuario: usuario, em: agora)))
        )
        decididos.append(
            EventosDoFluxo(.email(dados.chaveDoEmail), usuarios: .emailLiberado(EmailLiberado(usuario: usuario, em: agora)))
        )
        return decididos
    }
}

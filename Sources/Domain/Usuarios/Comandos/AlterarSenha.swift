/// Gives the account another password. Whoever asks has checked the old one.
package struct AlterarSenha: Hashable, Sendable {
    package let usuario: UsuarioID
    /// The PHC string of the new password, sealed.
    package let senha: Selado
    package let agora: Instante

    package init(
        usuario: UsuarioID,
        senha: Selado,
        agora: Instante
    ) {
        self.usuario = usuario
        self.senha = senha
        self.agora = agora
    }

    package func decidir(conta: Conta) throws(RecusaDeUsuarios) -> [EventosDoFluxo] {
        let dados = try conta.exigirAtiva()
        if dados.senha == senha { return [] }
        let alteracao = SenhaAlterada(usuario: usuario, senha: senha, em: agora)
        return [EventosDoFluxo(.usuario(usuario), usuarios: .senhaAlterada(alteracao))]
    }
}

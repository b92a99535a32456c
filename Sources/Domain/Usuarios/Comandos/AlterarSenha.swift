/// Gives the account another password, which ends its other sessions: whoever stole one is out. Whoever asks has checked the old one.
package struct AlterarSenha: Hashable, Sendable {
    package let usuario: UsuarioID
    /// The PHC string of the new password, sealed.
    package let senha: Selado
    /// Where it is changed.
    package let sessao: SessaoID
    package let agora: Instante

    package init(
        usuario: UsuarioID,
        senha: Selado,
        sessao: SessaoID,
        agora: Instante
    ) {
        self.usuario = usuario
        self.senha = senha
        self.sessao = sessao
        self.agora = agora
    }

    package func decidir(conta: Conta) throws(RecusaDeUsuarios) -> [EventosDoFluxo] {
        let dados = try conta.exigirAtiva()
        if dados.senha == senha { return [] }
        let alteracao = SenhaAlterada(usuario: usuario, senha: senha, sessao: sessao, em: agora)
        return [EventosDoFluxo(.usuario(usuario), usuarios: .senhaAlterada(alteracao))]
    }
}

/// Gives the account another role.
package struct AlterarPapel: Hashable, Sendable {
    package let usuario: UsuarioID
    package let para: Papel
    package let por: Autoridade
    package let agora: Instante

    package init(
        usuario: UsuarioID,
        para: Papel,
        por: Autoridade,
        agora: Instante
    ) {
        self.usuario = usuario
        self.para = para
        self.por = por
        self.agora = agora
    }

    package func decidir(conta: Conta) throws(RecusaDeUsuarios) -> [EventosDoFluxo] {
        guard por.administra else { throw .soAdministrador }
        let dados = try conta.exigirAtiva()
        if dados.papel == para { return [] }
        guard por.usuario != usuario else { throw .contraSiMesmo }
        let alteracao = PapelAlterado(usuario: usuario, de: dados.papel, para: para, por: por.usuario, em: agora)
        return [EventosDoFluxo(.usuario(usuario), usuarios: .papelAlterado(alteracao))]
    }
}

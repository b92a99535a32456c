/// Gives the account another role, or the role it has in other units.
package struct AlterarPapel: Hashable, Sendable {
    /// The most units that are named: an access token carries them. Who works for more works for all.
    package static let maximo = 20

    package let usuario: UsuarioID
    package let para: Papel
    /// Nil for all units.
    package let unidades: Set<UnidadeID>?
    package let por: Autoridade
    package let agora: Instante

    package init(
        usuario: UsuarioID,
        para: Papel,
        unidades: Set<UnidadeID>? = nil,
        por: Autoridade,
        agora: Instante
    ) {
        self.usuario = usuario
        self.para = para
        self.unidades = unidades
        self.por = por
        self.agora = agora
    }

    /// That the units exist is for the caller to know: a unit is never removed.
    package func decidir(conta: Conta) throws(RecusaDeUsuarios) -> [EventosDoFluxo] {
        guard por.administra else { throw .soAdministrador }
        let dados = try conta.exigirAtiva()
        if let unidades {
            guard para.temUnidades else { throw .papelSemUnidades }
            guard (1...Self.maximo).contains(unidades.count) else { throw .unidadesInvalidas(maximo: Self.maximo) }
        }
        if dados.papel == para, dados.unidades == unidades { return [] }
        guard por.usuario != usuario else { throw .contraSiMesmo }
        let alteracao = PapelAlterado(
            usuario: usuario, de: dados.papel, para: para, por: por.usuario, unidades: unidades?.sorted(), em: agora
        )
        return [EventosDoFluxo(.usuario(usuario), usuarios: .papelAlterado(alteracao))]
    }
}

/// The account has another role, or has it in other units.
package struct PapelAlterado: Evento {
    package static let tipo = "usuarios.PapelAlterado"

    package let usuario: UsuarioID
    package let de: Papel
    package let para: Papel
    /// The administrator who did it; absent when done at the command line.
    package let por: UsuarioID?
    /// The units that the role is for, in order; absent where it is for all, as it was before units were named.
    package let unidades: [UnidadeID]?
    package let em: Instante

    package init(
        usuario: UsuarioID,
        de: Papel,
        para: Papel,
        por: UsuarioID? = nil,
        unidades: [UnidadeID]? = nil,
        em: Instante
    ) {
        self.usuario = usuario
        self.de = de
        self.para = para
        self.por = por
        self.unidades = unidades
        self.em = em
    }
}

/// There is a coupon. Its terms never change; only its use can be ended.
package struct CupomCriado: Evento {
    package static let tipo = "precos.CupomCriado"

    package let codigo: CodigoDoCupom
    package let termos: TermosDoCupom
    /// Nobody for the command line.
    package let por: UsuarioID?
    package let em: Instante

    package init(
        codigo: CodigoDoCupom,
        termos: TermosDoCupom,
        por: UsuarioID? = nil,
        em: Instante
    ) {
        self.codigo = codigo
        self.termos = termos
        self.por = por
        self.em = em
    }
}

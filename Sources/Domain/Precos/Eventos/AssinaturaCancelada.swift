/// A subscription is not renewed any more. Until `terminaEm` it gives what it gave.
package struct AssinaturaCancelada: Evento {
    package static let tipo = "precos.AssinaturaCancelada"

    package let usuario: UsuarioID
    package let plano: PlanoID
    package let motivo: MotivoDoFimDaAssinatura
    package let terminaEm: Instante
    /// Nobody where a rule ended it.
    package let por: UsuarioID?
    package let em: Instante

    package init(
        usuario: UsuarioID,
        plano: PlanoID,
        motivo: MotivoDoFimDaAssinatura,
        terminaEm: Instante,
        por: UsuarioID? = nil,
        em: Instante
    ) {
        self.usuario = usuario
        self.plano = plano
        self.motivo = motivo
        self.terminaEm = terminaEm
        self.por = por
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case usuario
        case plano
        case motivo
        case terminaEm = "termina_em"
        case por
        case em
    }
}

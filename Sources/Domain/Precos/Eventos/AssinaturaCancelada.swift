/// A subscription is not renewed any more. Until `terminaEm` it gives what it gave.
package struct AssinaturaCancelada: Evento {
    package static let tipo = "precos.AssinaturaCancelada"

    package let usuario: UsuarioID
    package let plano: PlanoID
    package let motivo: MotivoDoFimDaAssinatura
    package let terminaEm: Instante
    /// The lots of credits that nobody can use any more from now on; absent where there are none.
    package let lotesEncerrados: [LoteID]?
    /// Nobody where a rule ended it.
    package let por: UsuarioID?
    package let em: Instante

    package init(
        usuario: UsuarioID,
        plano: PlanoID,
        motivo: MotivoDoFimDaAssinatura,
        terminaEm: Instante,
        lotesEncerrados: [LoteID]? = nil,
        por: UsuarioID? = nil,
        em: Instante
    ) {
        self.usuario = usuario
        self.plano = plano
        self.motivo = motivo
        self.terminaEm = terminaEm
        self.lotesEncerrados = lotesEncerrados
        self.por = por
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case usuario
        case plano
        case motivo
        case terminaEm = "termina_em"
        case lotesEncerrados = "lotes_encerrados"
        case por
        case em
    }
}

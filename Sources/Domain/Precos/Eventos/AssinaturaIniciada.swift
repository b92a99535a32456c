/// A member subscribed to a plan. Its fee for the first period is owed, and is due at `venceEm`.
package struct AssinaturaIniciada: Evento {
    package static let tipo = "precos.AssinaturaIniciada"

    package let usuario: UsuarioID
    package let plano: PlanoID
    package let planoVersao: VersaoDeRegra
    /// For this period; zero or more.
    package let mensalidade: Dinheiro
    package let periodo: PeriodoDaAssinatura
    /// When the fee of the period is due.
    package let venceEm: Instante
    /// The member, or the operator who subscribed them.
    package let por: UsuarioID
    package let em: Instante

    package init(
        usuario: UsuarioID,
        plano: PlanoID,
        planoVersao: VersaoDeRegra,
        mensalidade: Dinheiro,
        periodo: PeriodoDaAssinatura,
        venceEm: Instante,
        por: UsuarioID,
        em: Instante
    ) {
        self.usuario = usuario
        self.plano = plano
        self.planoVersao = planoVersao
        self.mensalidade = mensalidade
        self.periodo = periodo
        self.venceEm = venceEm
        self.por = por
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case usuario
        case plano
        case planoVersao = "plano_versao"
        case mensalidade
        case periodo
        case venceEm = "vence_em"
        case por
        case em
    }
}

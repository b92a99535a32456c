/// A subscription goes on for another period, by the version of the plan then in force. Its fee is owed, and is due at `venceEm`.
package struct AssinaturaRenovada: Evento {
    package static let tipo = "precos.AssinaturaRenovada"

    package let usuario: UsuarioID
    package let plano: PlanoID
    package let planoVersao: VersaoDeRegra
    /// For this period; zero or more.
    package let mensalidade: Dinheiro
    package let periodo: PeriodoDaAssinatura
    /// When the fee of the period is due.
    package let venceEm: Instante
    package let em: Instante

    package init(
        usuario: UsuarioID,
        plano: PlanoID,
        planoVersao: VersaoDeRegra,
        mensalidade: Dinheiro,
        periodo: PeriodoDaAssinatura,
        venceEm: Instante,
        em: Instante
    ) {
        self.usuario = usuario
        self.plano = plano
        self.planoVersao = planoVersao
        self.mensalidade = mensalidade
        self.periodo = periodo
        self.venceEm = venceEm
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case usuario
        case plano
        case planoVersao = "plano_versao"
        case mensalidade
        case periodo
        case venceEm = "vence_em"
        case em
    }
}

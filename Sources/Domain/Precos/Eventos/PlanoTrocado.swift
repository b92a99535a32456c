/// A subscription has a dearer plan from now on, within its period. What the days that are left cost more is owed, and is due at `venceEm`.
package struct PlanoTrocado: Evento {
    package static let tipo = "precos.PlanoTrocado"

    package let usuario: UsuarioID
    package let de: PlanoID
    package let deVersao: VersaoDeRegra
    /// What the period cost at the plan before, for all its days.
    package let deMensalidade: Dinheiro
    package let para: PlanoID
    package let paraVersao: VersaoDeRegra
    /// What the period costs at the new plan, for all its days; more than `deMensalidade`.
    package let paraMensalidade: Dinheiro
    /// The rest of the period: it begins now.
    package let periodo: PeriodoDaAssinatura
    /// The days of the whole period by its wall clock.
    package let dias: Int
    /// Those that are left, today included.
    package let diasRestantes: Int
    /// The difference of the two fees, times `diasRestantes`, over `dias`, rounded half-even; more than zero, unless that rounds to nothing.
    package let diferenca: Dinheiro
    package let venceEm: Instante
    /// The member, or the operator who did it for them.
    package let por: UsuarioID
    package let em: Instante

    package init(
        usuario: UsuarioID,
        de: PlanoID,
        deVersao: VersaoDeRegra,
        deMensalidade: Dinheiro,
        para: PlanoID,
        paraVersao: VersaoDeRegra,
        paraMensalidade: Dinheiro,
        periodo: PeriodoDaAssinatura,
        dias: Int,
        diasRestantes: Int,
        diferenca: Dinheiro,
        venceEm: Instante,
        por: UsuarioID,
        em: Instante
    ) {
        self.usuario = usuario
        self.de = de
        self.deVersao = deVersao
        self.deMensalidade = deMensalidade
        self.para = para
        self.paraVersao = paraVersao
        self.paraMensalidade = paraMensalidade
        self.periodo = periodo
        self.dias = dias
        self.diasRestantes = diasRestantes
        self.diferenca = diferenca
        self.venceEm = venceEm
        self.por = por
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case usuario
        case de
        case deVersao = "de_versao"
        case deMensalidade = "de_mensalidade"
        case para
        case paraVersao = "para_versao"
        case paraMensalidade = "para_mensalidade"
        case periodo
        case dias
        case diasRestantes = "dias_restantes"
        case diferenca
        case venceEm = "vence_em"
        case por
        case em
    }
}

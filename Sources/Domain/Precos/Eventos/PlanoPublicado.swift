/// There is a plan, or a new version of one.
package struct PlanoPublicado: Evento {
    package static let tipo = "precos.PlanoPublicado"

    package let plano: PlanoID
    package let versao: VersaoDeRegra
    package let nome: String
    package let desconto: Percentual
    package let mensalidade: Dinheiro
    /// Minutes that each month includes; absent where none.
    package let creditosMensais: Minutos?
    /// For how many months the minutes of a month can be used, that month included; 1 where absent.
    package let mesesDeValidade: Int?
    package let em: Instante

    package init(
        plano: PlanoID,
        versao: VersaoDeRegra,
        nome: String,
        desconto: Percentual,
        mensalidade: Dinheiro,
        creditosMensais: Minutos? = nil,
        mesesDeValidade: Int? = nil,
        em: Instante
    ) {
        self.plano = plano
        self.versao = versao
        self.nome = nome
        self.desconto = desconto
        self.mensalidade = mensalidade
        self.creditosMensais = creditosMensais
        self.mesesDeValidade = mesesDeValidade
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case plano
        case versao
        case nome
        case desconto
        case mensalidade
        case creditosMensais = "creditos_mensais_min"
        case mesesDeValidade = "meses_de_validade"
        case em
    }
}

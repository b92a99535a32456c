/// There is a plan, or a new version of one.
package struct PlanoPublicado: Evento {
    package static let tipo = "precos.PlanoPublicado"

    package let plano: PlanoID
    package let versao: VersaoDeRegra
    package let nome: String
    package let desconto: Percentual
    package let mensalidade: Dinheiro
    package let em: Instante

    package init(
        plano: PlanoID,
        versao: VersaoDeRegra,
        nome: String,
        desconto: Percentual,
        mensalidade: Dinheiro,
        em: Instante
    ) {
        self.plano = plano
        self.versao = versao
        self.nome = nome
        self.desconto = desconto
        self.mensalidade = mensalidade
        self.em = em
    }
}

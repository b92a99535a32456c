/// There is a space. Until hours are defined it is never open.
package struct EspacoCriado: Evento {
    package static let tipo = "espacos.EspacoCriado"

    package let espaco: EspacoID
    package let unidade: UnidadeID
    package let ficha: FichaDoEspaco
    package let em: Instante

    package init(
        espaco: EspacoID,
        unidade: UnidadeID,
        ficha: FichaDoEspaco,
        em: Instante
    ) {
        self.espaco = espaco
        self.unidade = unidade
        self.ficha = ficha
        self.em = em
    }
}

/// The space is described anew.
package struct EspacoAtualizado: Evento {
    package static let tipo = "espacos.EspacoAtualizado"

    package let espaco: EspacoID
    package let ficha: FichaDoEspaco
    package let em: Instante

    package init(
        espaco: EspacoID,
        ficha: FichaDoEspaco,
        em: Instante
    ) {
        self.espaco = espaco
        self.ficha = ficha
        self.em = em
    }
}

/// A closure does not hold any more.
package struct FechamentoRemovido: Evento {
    package static let tipo = "espacos.FechamentoRemovido"

    package let espaco: EspacoID
    package let fechamento: FechamentoID
    package let em: Instante

    package init(
        espaco: EspacoID,
        fechamento: FechamentoID,
        em: Instante
    ) {
        self.espaco = espaco
        self.fechamento = fechamento
        self.em = em
    }
}

/// The books of a year are kept longer than was known: the operator wants it so.
package struct PrazoDosLivrosProrrogado: Evento {
    package static let tipo = "financeiro.PrazoDosLivrosProrrogado"

    package let ano: AnoDosLivros
    package let ate: Instante
    package let em: Instante

    package init(
        ano: AnoDosLivros,
        ate: Instante,
        em: Instante
    ) {
        self.ano = ano
        self.ate = ate
        self.em = em
    }
}

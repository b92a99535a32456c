/// The term for which the books of a year are kept is over: from here on nothing that explains an entry of that year is recorded any more, and
/// what was recorded before becomes unreadable when the year's key is deleted. The entries stay.
package struct PrazoDosLivrosEncerrado: Evento {
    package static let tipo = "financeiro.PrazoDosLivrosEncerrado"

    package let ano: AnoDosLivros
    package let em: Instante

    package init(
        ano: AnoDosLivros,
        em: Instante
    ) {
        self.ano = ano
        self.em = em
    }
}

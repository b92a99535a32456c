/// Ends the term of a year's books, or says until when they are kept instead.
package struct EncerrarLivros: Hashable, Sendable {
    package let ano: AnoDosLivros
    package let prazo: PrazoDosLivros
    package let agora: Instante

    package init(
        ano: AnoDosLivros,
        prazo: PrazoDosLivros,
        agora: Instante
    ) {
        self.ano = ano
        self.prazo = prazo
        self.agora = agora
    }

    package func decidir(livros estado: LivrosDoAno) -> [EventosDoFluxo] {
        guard case .guardados(let ate) = estado else { return [] }
        let fim = prazo.fim(de: ano)
        guard agora < fim else {
            let encerramento = PrazoDosLivrosEncerrado(ano: ano, em: agora)
            return [EventosDoFluxo(.livros(ano), financeiro: .prazoDosLivrosEncerrado(encerramento))]
        }
        guard ate != fim else { return [] }
        let prorrogacao = PrazoDosLivrosProrrogado(ano: ano, ate: fim, em: agora)
        return [EventosDoFluxo(.livros(ano), financeiro: .prazoDosLivrosProrrogado(prorrogacao))]
    }
}

/// Opens a space again where a closure held. A closure that is not there is as good as removed.
package struct RemoverFechamento: Hashable, Sendable {
    package let espaco: EspacoID
    package let fechamento: FechamentoID
    package let por: Autoridade
    package let agora: Instante

    package init(
        espaco: EspacoID,
        fechamento: FechamentoID,
        por: Autoridade,
        agora: Instante
    ) {
        self.espaco = espaco
        self.fechamento = fechamento
        self.por = por
        self.agora = agora
    }

    package func decidir(espaco estado: Espaco) throws(RecusaDeEspacos) -> [EventosDoFluxo] {
        let dados = try estado.exigirOperado(por: por)
        guard dados.fechamentos.contains(where: { $0.id == fechamento }) else { return [] }
        let remocao = FechamentoRemovido(espaco: espaco, fechamento: fechamento, em: agora)
        return [EventosDoFluxo(.espaco(espaco), espacos: .fechamentoRemovido(remocao))]
    }
}

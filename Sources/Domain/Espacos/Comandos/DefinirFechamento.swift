/// Closes a space for a while. Bookings already made stand.
package struct DefinirFechamento: Hashable, Sendable {
    package let espaco: EspacoID
    package let fechamento: Fechamento
    package let por: Autoridade
    package let agora: Instante

    package init(
        espaco: EspacoID,
        fechamento: Fechamento,
        por: Autoridade,
        agora: Instante
    ) {
        self.espaco = espaco
        self.fechamento = fechamento
        self.por = por
        self.agora = agora
    }

    /// A space keeps this many closures, of five years at most: each is looked at for every booking.
    package static let maximo = 500

    package func decidir(espaco estado: Espaco) throws(RecusaDeEspacos) -> [EventosDoFluxo] {
        let dados = try estado.exigirOperado(por: por)
        if dados.fechamentos.contains(fechamento) { return [] }
        guard fechamento.motivo.temConteudo(ate: 200) else { throw .campoInvalido(.motivo) }
        guard fechamento.periodo.duracao <= .horas(24 * 5 * 366) else { throw .campoInvalido(.periodo) }
        guard dados.fechamentos.count < Self.maximo else { throw .fechamentosDemais }
        let definicao = FechamentoDefinido(espaco: espaco, fechamento: fechamento, em: agora)
        return [EventosDoFluxo(.espaco(espaco), espacos: .fechamentoDefinido(definicao))]
    }
}

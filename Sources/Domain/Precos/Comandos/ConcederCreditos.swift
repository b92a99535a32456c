/// Staff gives a member credits.
package struct ConcederCreditos: Hashable, Sendable {
    package let usuario: UsuarioID
    package let lote: LoteID
    package let minutos: Minutos
    package let expiraEm: Instante?
    package let ator: Ator
    package let agora: Instante

    package init(usuario: UsuarioID, lote: LoteID, minutos: Minutos, expiraEm: Instante? = nil, ator: Ator, agora: Instante) {
        self.usuario = usuario
        self.lote = lote
        self.minutos = minutos
        self.expiraEm = expiraEm
        self.ator = ator
        self.agora = agora
    }

    package func decidir(assinatura: Assinatura) throws(RecusaDePrecos) -> [EventosDoFluxo] {
        guard ator.opera else { throw .soEquipe }
        if assinatura.carteira.lotes.contains(where: { $0.id == lote }) { return [] }
        guard (1...CarteiraDeCreditos.maiorLote).contains(minutos.valor) else { throw .campoInvalido(.minutos) }
        if let expiraEm, expiraEm <= agora { throw .campoInvalido(.expiraEm) }
        let concessao = CreditosConcedidos(
            usuario: usuario,
            lote: lote,
            minutos: minutos,
            expiraEm: expiraEm,
            origem: .equipe,
            por: ator.usuario,
            em: agora
        )
        return [EventosDoFluxo(.assinatura(usuario), precos: .creditosConcedidos(concessao))]
    }
}

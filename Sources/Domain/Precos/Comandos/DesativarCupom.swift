/// Ends the use of a coupon. Bookings that have it keep it.
package struct DesativarCupom: Hashable, Sendable {
    package let codigo: CodigoDoCupom
    package let por: Autoridade
    package let agora: Instante

    package init(codigo: CodigoDoCupom, por: Autoridade, agora: Instante) {
        self.codigo = codigo
        self.por = por
        self.agora = agora
    }

    package func decidir(cupom: Cupom) throws(RecusaDePrecos) -> [EventosDoFluxo] {
        guard por.gere else { throw .soGestor }
        guard por.respondePorTudo else { throw .outraUnidade }
        switch cupom {
        case .inexistente: throw .cupomInexistente(codigo)
        case .desativado: return []
        case .ativo:
            let fim = CupomDesativado(codigo: codigo, por: por.usuario, em: agora)
            return [EventosDoFluxo(.cupom(codigo), precos: .cupomDesativado(fim))]
        }
    }
}

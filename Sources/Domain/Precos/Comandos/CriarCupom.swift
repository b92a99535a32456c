/// Makes a coupon.
package struct CriarCupom: Hashable, Sendable {
    package let codigo: CodigoDoCupom
    package let termos: TermosDoCupom
    package let por: Autoridade
    package let agora: Instante

    package init(codigo: CodigoDoCupom, termos: TermosDoCupom, por: Autoridade, agora: Instante) {
        self.codigo = codigo
        self.termos = termos
        self.por = por
        self.agora = agora
    }

    /// Every booking that uses a coupon is an event of its stream, so there cannot be any number of them.
    private static let maisUsos = 10_000
    private static let maisEspacos = 200
    /// A million reais.
    private static let maiorValor = Dinheiro(centavos: 100_000_000)

    package func decidir(cupom: Cupom) throws(RecusaDePrecos) -> [EventosDoFluxo] {
        guard por.gere else { throw .soGestor }
        guard por.respondePorTudo else { throw .outraUnidade }
        try validar()
        switch cupom {
        case .ativo(let dados) where dados.termos == termos: return []
        case .ativo, .desativado: throw .cupomJaExiste(codigo)
        case .inexistente:
            let criacao = CupomCriado(codigo: codigo, termos: termos, por: por.usuario, em: agora)
            return [EventosDoFluxo(.cupom(codigo), precos: .cupomCriado(criacao))]
        }
    }

    private func validar() throws(RecusaDePrecos) {
        switch termos.desconto {
        case .percentual(let percentual): guard percentual > .zero else { throw .campoInvalido(.percentual) }
        case .valor(let valor): guard valor > .zero, valor <= Self.maiorValor else { throw .campoInvalido(.valor) }
        }
        if let comeco = termos.validoDe, let fim = termos.validoAte, fim < comeco { throw .campoInvalido(.validoAte) }
        guard (1...Self.maisUsos).contains(termos.limiteDeUsos) else { throw .campoInvalido(.limiteDeUsos) }
        guard (1...termos.limiteDeUsos).contains(termos.limitePorMembro ?? 1) else { throw .campoInvalido(.limitePorMembro) }
        let minimo = termos.valorMinimo ?? .zero
        guard minimo >= .zero, minimo <= Self.maiorValor else { throw .campoInvalido(.valorMinimo) }
        guard termos.espacos.count <= Self.maisEspacos else { throw .campoInvalido(.espacos) }
    }
}

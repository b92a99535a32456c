/// A price with everything it was computed from. The lines add up to the total exactly.
package struct Cotacao: Hashable, Sendable, Codable {
    package let tarifarioVersao: VersaoDeRegra
    package let plano: PlanoID
    package let planoVersao: VersaoDeRegra
    package let linhas: [LinhaDaCotacao]
    package let total: Dinheiro
    /// The coupon that takes something off; absent where none does.
    package let cupom: CodigoDoCupom?
    /// The credits that pay a part, in minutes of one seat; absent where none do.
    package let creditos: Minutos?

    package init(
        tarifarioVersao: VersaoDeRegra,
        plano: PlanoID,
        planoVersao: VersaoDeRegra,
        linhas: [LinhaDaCotacao],
        total: Dinheiro,
        cupom: CodigoDoCupom? = nil,
        creditos: Minutos? = nil
    ) {
        self.tarifarioVersao = tarifarioVersao
        self.plano = plano
        self.planoVersao = planoVersao
        self.linhas = linhas
        self.total = total
        self.cupom = cupom
        self.creditos = creditos
    }

    private enum CodingKeys: String, CodingKey {
        case tarifarioVersao = "tarifario_versao"
        case plano
        case planoVersao = "plano_versao"
        case linhas
        case total
        case cupom
        case creditos = "creditos_min"
    }
}

extension Cotacao {
    /// The time lines alone: the price before discount and cap.
    package var precoBase: Dinheiro {
        Dinheiro(centavos: soma { if case .tempo(let linha) = $0 { linha.valor.centavos } else { 0 } })
    }

    /// What the plan takes off; zero or positive.
    package var descontoDoPlano: Dinheiro {
        Dinheiro(centavos: -soma { if case .desconto(let linha) = $0 { linha.valor.centavos } else { 0 } })
    }

    /// What credits pay; zero or positive.
    package var pagoComCreditos: Dinheiro {
        Dinheiro(centavos: -soma { if case .creditos(let linha) = $0 { linha.valor.centavos } else { 0 } })
    }

    /// What the coupon takes off; zero or positive.
    package var descontoDoCupom: Dinheiro {
        Dinheiro(centavos: -soma { if case .cupom(let linha) = $0 { linha.valor.centavos } else { 0 } })
    }

    // The sums cannot overflow: quoting added up the same lines, and checked.
    private func soma(_ parcela: (LinhaDaCotacao) -> Int64) -> Int64 {
        linhas.reduce(0) { $0 + parcela($1) }
    }
}

extension Cotacao: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) {
        tarifarioVersao = try carga.valor(CodingKeys.tarifarioVersao, de: ficha)
        plano = try carga.valor(CodingKeys.plano, de: ficha)
        planoVersao = try carga.valor(CodingKeys.planoVersao, de: ficha)
        linhas = try carga.valor(CodingKeys.linhas, de: ficha)
        total = try carga.valor(CodingKeys.total, de: ficha)
        cupom = try carga.valorSeHouver(CodingKeys.cupom, de: ficha)
        creditos = try carga.valorSeHouver(CodingKeys.creditos, de: ficha)
    }
}

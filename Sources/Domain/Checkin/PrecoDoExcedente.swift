/// What overtime of a booking costs: the rate that held when it ended and the discount of its plan. Credits, coupons and the daily cap
/// do not reach beyond what was booked.
package struct PrecoDoExcedente: Hashable, Sendable, Codable {
    package let tarifarioVersao: VersaoDeRegra
    package let valorHora: Dinheiro
    /// Of the multiplier at the end of the booking; 1000 is none.
    package let milesimos: Int
    package let lugares: Int
    package let desconto: Percentual

    package init(
        tarifarioVersao: VersaoDeRegra,
        valorHora: Dinheiro,
        milesimos: Int,
        lugares: Int,
        desconto: Percentual
    ) {
        self.tarifarioVersao = tarifarioVersao
        self.valorHora = valorHora
        self.milesimos = milesimos
        self.lugares = lugares
        self.desconto = desconto
    }

    /// `nil` where the quote names no rate.
    init?(_ cotacao: Cotacao) {
        var ultima: LinhaDeTempo?
        var desconto = Percentual.zero
        for linha in cotacao.linhas {
            if case .tempo(let tempo) = linha { ultima = tempo }
            if case .desconto(let linha) = linha { desconto = linha.percentual }
        }
        guard let ultima else { return nil }
        self.init(
            tarifarioVersao: cotacao.tarifarioVersao,
            valorHora: ultima.valorHora,
            milesimos: ultima.milesimos,
            lugares: ultima.lugares,
            desconto: desconto
        )
    }

    /// Rounded half-even, once.
    func valor(_ duracao: Duracao) throws(ErroDeDinheiro) -> Dinheiro {
        try valorHora.vezes(
            [Int64(milesimos), Int64(lugares), duracao.microssegundos, Int64(100 - desconto.valor)],
            sobre: [Int64(Multiplicador.neutro), Duracao.horas(1).microssegundos, 100]
        )
    }

    private enum CodingKeys: String, CodingKey {
        case tarifarioVersao = "tarifario_versao"
        case valorHora = "valor_hora"
        case milesimos
        case lugares
        case desconto
    }
}

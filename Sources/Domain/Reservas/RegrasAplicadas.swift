/// The booking rules that a booking was made under and that still bind it later.
package struct RegrasAplicadas: Hashable, Sendable, Codable {
    package let versao: VersaoDeRegra
    package let bufferAntes: Minutos
    package let bufferDepois: Minutos
    package let cancelamento: PoliticaDeCancelamento
    package let toleranciaNaoComparecimento: Minutos?
    /// What overtime is counted in; absent in bookings made before it was recorded.
    package let passo: Minutos?
    /// Absent where the space set none: `RegrasDePresenca.padrao` holds.
    package let presenca: RegrasDePresenca?

    package init(
        versao: VersaoDeRegra,
        bufferAntes: Minutos,
        bufferDepois: Minutos,
        cancelamento: PoliticaDeCancelamento,
        toleranciaNaoComparecimento: Minutos? = nil,
        passo: Minutos? = nil,
        presenca: RegrasDePresenca? = nil
    ) {
        self.versao = versao
        self.bufferAntes = bufferAntes
        self.bufferDepois = bufferDepois
        self.cancelamento = cancelamento
        self.toleranciaNaoComparecimento = toleranciaNaoComparecimento
        self.passo = passo
        self.presenca = presenca
    }

    private enum CodingKeys: String, CodingKey {
        case versao
        case bufferAntes = "buffer_antes_min"
        case bufferDepois = "buffer_depois_min"
        case cancelamento
        case toleranciaNaoComparecimento = "tolerancia_nao_comparecimento_min"
        case passo = "passo_min"
        case presenca
    }
}

extension RegrasAplicadas: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) {
        versao = try carga.valor(CodingKeys.versao, de: ficha)
        bufferAntes = try carga.valor(CodingKeys.bufferAntes, de: ficha)
        bufferDepois = try carga.valor(CodingKeys.bufferDepois, de: ficha)
        cancelamento = try carga.valor(CodingKeys.cancelamento, de: ficha)
        toleranciaNaoComparecimento = try carga.valorSeHouver(CodingKeys.toleranciaNaoComparecimento, de: ficha)
        passo = try carga.valorSeHouver(CodingKeys.passo, de: ficha)
        presenca = try carga.valorSeHouver(CodingKeys.presenca, de: ficha)
    }
}

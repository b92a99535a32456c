/// How a space deals with people who come and go. A space that sets none has `padrao`.
package struct RegrasDePresenca: Hashable, Sendable, Codable {
    /// Check-in opens this long before the start of a booking.
    package let antecedencia: Minutos
    /// Leaving this long after the end costs nothing.
    package let toleranciaDaSaida: Minutos
    /// Whoever has not checked out this long after the end is taken to have left, at no charge: nobody knows when.
    package let encerramento: Minutos
    /// What of the price comes back to somebody who did not come.
    package let devolucaoPorAusencia: Percentual

    package init(
        antecedencia: Minutos,
        toleranciaDaSaida: Minutos,
        encerramento: Minutos,
        devolucaoPorAusencia: Percentual
    ) {
        self.antecedencia = antecedencia
        self.toleranciaDaSaida = toleranciaDaSaida
        self.encerramento = encerramento
        self.devolucaoPorAusencia = devolucaoPorAusencia
    }

    /// As shipped: from a quarter of an hour before, a quarter of an hour after for nothing, two hours until it is closed, nothing back.
    package static let padrao = RegrasDePresenca(
        antecedencia: .quinze,
        toleranciaDaSaida: .quinze,
        encerramento: .duasHoras,
        devolucaoPorAusencia: .zero
    )

    /// Refuses windows that would let one booking's stand for another's day, and a closing before the charge begins.
    func validar() throws(RecusaDeEspacos) {
        guard antecedencia <= .umDia else { throw .campoInvalido(.antecedenciaDoCheckin) }
        guard toleranciaDaSaida <= encerramento else { throw .campoInvalido(.toleranciaDaSaida) }
        guard encerramento <= .umDia else { throw .campoInvalido(.encerramento) }
    }

    private enum CodingKeys: String, CodingKey {
        case antecedencia = "antecedencia_min"
        case toleranciaDaSaida = "tolerancia_saida_min"
        case encerramento = "encerramento_min"
        case devolucaoPorAusencia = "devolucao_por_ausencia"
    }
}

extension RegrasDePresenca: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) {
        antecedencia = try carga.valor(CodingKeys.antecedencia, de: ficha)
        toleranciaDaSaida = try carga.valor(CodingKeys.toleranciaDaSaida, de: ficha)
        encerramento = try carga.valor(CodingKeys.encerramento, de: ficha)
        devolucaoPorAusencia = try carga.valor(CodingKeys.devolucaoPorAusencia, de: ficha)
    }
}

/// What would become of an occurrence if the series were booked now.
package struct OcorrenciaPrevista: Equatable, Sendable {
    package enum Resultado: Equatable, Sendable {
        case livre(PreparoDaReserva)
        case recusada(RecusaDeReservas)
    }

    package let ocorrencia: OcorrenciaDaSerie
    package let resultado: Resultado

    package init(ocorrencia: OcorrenciaDaSerie, resultado: Resultado) {
        self.ocorrencia = ocorrencia
        self.resultado = resultado
    }

    /// What the booking would be; nil where a rule refuses it.
    package var preparo: PreparoDaReserva? {
        if case .livre(let preparo) = resultado { return preparo }
        return nil
    }

    package var recusa: RecusaDeReservas? {
        if case .recusada(let recusa) = resultado { return recusa }
        return nil
    }

    /// As a series records those that it leaves out.
    var pulada: OcorrenciaPulada? {
        recusa.map { OcorrenciaPulada(original: ocorrencia.original, codigo: $0.codigo) }
    }
}

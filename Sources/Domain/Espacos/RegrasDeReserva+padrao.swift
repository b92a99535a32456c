extension RegrasDeReserva {
    /// What a space begins with: half-hour steps up to a day, no buffers, ninety days ahead, held for 15 minutes.
    package static let padrao = RegrasDeReserva(
        duracaoMinima: .trinta,
        duracaoMaxima: .umDia,
        passo: .trinta,
        bufferAntes: .zero,
        bufferDepois: .zero,
        antecedenciaMinima: .zero,
        horizonte: .noventaDias,
        cancelamento: .padrao,
        retencao: .quinze,
        toleranciaNaoComparecimento: .quinze
    )

    /// The longest booking any space may allow: it bounds the agenda days that one booking touches.
    package static let maiorDuracao = Minutos.trintaEUmDias

    /// Refuses rules that no booking could meet, or that would let one grow without bound.
    func validar() throws(RecusaDeEspacos) {
        guard passo > .zero, passo <= .umDia else { throw .campoInvalido(.passo) }
        guard duracaoMinima >= passo, duracaoMinima.valor.isMultiple(of: passo.valor) else { throw .campoInvalido(.duracaoMinima) }
        guard duracaoMaxima >= duracaoMinima, duracaoMaxima <= Self.maiorDuracao else { throw .campoInvalido(.duracaoMaxima) }
        guard bufferAntes <= .umDia else { throw .campoInvalido(.bufferAntes) }
        guard bufferDepois <= .umDia else { throw .campoInvalido(.bufferDepois) }
        guard horizonte > antecedenciaMinima else { throw .campoInvalido(.horizonte) }
        guard retencao > .zero, retencao <= .umDia else { throw .campoInvalido(.retencao) }
        guard prazoDeAprovacao.map({ $0 > .zero && $0 <= .trintaEUmDias }) ?? true else { throw .campoInvalido(.prazoDeAprovacao) }
        guard retencaoDaEspera.map({ $0 > .zero && $0 <= .umDia }) ?? true else { throw .campoInvalido(.retencaoDaEspera) }
        try presenca?.validar()
    }
}

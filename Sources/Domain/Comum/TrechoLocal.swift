/// A stretch of time as the wall clock shows it: within one date and with one distance from UTC. So its length is what the clock
/// says, and an interval is the sum of its stretches whatever the clocks did meanwhile.
package struct TrechoLocal: Hashable, Sendable {
    package let dia: DataCivil
    /// Since midnight on the clock's face; at least zero.
    package let de: Duracao
    /// Since midnight on the clock's face; after `de`, at most 24 hours.
    package let ate: Duracao

    package var duracao: Duracao { ate - de }

    /// The stretches of an interval, in order.
    ///
    /// - Parameters:
    ///   - deslocamento: how far ahead of UTC the clock is when the interval begins.
    ///   - mudancas: how the clocks are set within the interval, in order.
    static func dividir(_ intervalo: Intervalo, deslocamento: Duracao, mudancas: [MudancaDeRelogio]) -> [TrechoLocal] {
        var trechos: [TrechoLocal] = []
        var inicio = intervalo.inicio
        var deslocamento = deslocamento
        for mudanca in mudancas where inicio < mudanca.em && mudanca.em < intervalo.fim {
            acrescentar(de: inicio, ate: mudanca.em, deslocamento, a: &trechos)
            inicio = mudanca.em
            deslocamento = .segundos(mudanca.deslocamento)
        }
        acrescentar(de: inicio, ate: intervalo.fim, deslocamento, a: &trechos)
        return trechos
    }

    private static func acrescentar(de inicio: Instante, ate fim: Instante, _ deslocamento: Duracao, a trechos: inout [TrechoLocal]) {
        let ultimo = DataHoraLocal(microssegundos: (fim + deslocamento).microssegundos)
        var local = DataHoraLocal(microssegundos: (inicio + deslocamento).microssegundos)
        while local < ultimo {
            let dia = local.data
            let ate = min(ultimo, dia.somandoDias(1).meiaNoite)
            let meiaNoite = dia.meiaNoite.microssegundos
            trechos.append(
                TrechoLocal(
                    dia: dia,
                    de: Duracao(microssegundos: local.microssegundos - meiaNoite),
                    ate: Duracao(microssegundos: ate.microssegundos - meiaNoite)
                )
            )
            local = ate
        }
    }
}

extension ZonaHoraria {
    /// What the wall clock shows during an interval.
    package func trechosLocais(de intervalo: Intervalo) -> [TrechoLocal] {
        TrechoLocal.dividir(
            intervalo,
            deslocamento: .segundos(deslocamento(em: intervalo.inicio)),
            mudancas: mudancas(em: intervalo)
        )
    }
}

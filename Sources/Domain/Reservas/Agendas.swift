/// The agenda days of one space that a decision looks at, put together.
package struct Agendas: Hashable, Sendable {
    /// A stretch during which the same number of seats, one or more, is taken.
    package struct Trecho: Hashable, Sendable {
        package let intervalo: Intervalo
        package let lugares: Int
    }

    private let dias: Set<DataCivil>
    private let ocupacoes: [ReservaID: Agenda.Ocupacao]

    /// - Parameter dias: The state of each UTC day; a day without events is `Agenda.inicial`, not absent.
    package init(_ dias: [DataCivil: Agenda]) {
        self.dias = Set(dias.keys)
        ocupacoes = dias.values.reduce(into: [:]) { $0.merge($1.ocupacoes) { primeira, _ in primeira } }
    }

    /// How many bookings have not ended at `agora`, and the most seats they take at once.
    package func adiante(de agora: Instante) -> (reservas: Int, lugares: Int) {
        let futuras = ocupacoes.filter { $0.value.intervalo.fim > agora }
        return (futuras.count, Self.perfil(futuras.values).map(\.lugares).max() ?? 0)
    }

    /// The stretches with seats taken, in order. They reach as far as the bookings do, which may be beyond the days known here.
    package func perfil(exceto reserva: ReservaID? = nil) -> [Trecho] {
        Self.perfil(ocupacoes.lazy.filter { $0.key != reserva }.map(\.value))
    }

    /// The most seats taken at once within an interval, one booking left out.
    /// Traps when a day that the interval touches was not given: deciding without it would double-book.
    package func maiorOcupacao(em intervalo: Intervalo, exceto reserva: ReservaID? = nil) -> Int {
        exigir(dias: intervalo.diasUTC)
        return perfil(exceto: reserva).filter { $0.intervalo.sobrepoe(intervalo) }.map(\.lugares).max() ?? 0
    }

    /// Traps when one of these days was not given.
    func exigir(dias pedidos: [DataCivil]) {
        precondition(pedidos.allSatisfy(dias.contains), "agenda day not loaded")
    }

    private static func perfil(_ ocupacoes: some Sequence<Agenda.Ocupacao>) -> [Trecho] {
        var variacoes: [Instante: Int] = [:]
        for ocupacao in ocupacoes {
            variacoes[ocupacao.intervalo.inicio, default: 0] += ocupacao.lugares
            variacoes[ocupacao.intervalo.fim, default: 0] -= ocupacao.lugares
        }
        let momentos = variacoes.sorted { $0.key < $1.key }
        var lugares = 0
        return zip(momentos, momentos.dropFirst()).compactMap { momento, seguinte in
            lugares += momento.value
            guard lugares > 0, let intervalo = Intervalo(inicio: momento.key, fim: seguinte.key) else { return nil }
            return Trecho(intervalo: intervalo, lugares: lugares)
        }
    }
}

/// A month of a subscription, by the wall clock: it begins and ends with a local date, except that the first begins when the member
/// subscribes. A subscription of the 31st renews on the last day of a shorter month, and on the 31st again where there is one.
package struct PeriodoDaAssinatura: Hashable, Sendable, Codable {
    /// 1 for the first.
    package let numero: Int
    package let inicio: Instante
    /// The beginning of the next.
    package let fim: Instante
    /// IANA name of the zone whose days are counted.
    package let fuso: String
    /// The day of the month on which it renews, 1 to 31.
    package let diaDoMes: Int

    package init(numero: Int, inicio: Instante, fim: Instante, fuso: String, diaDoMes: Int) {
        self.numero = numero
        self.inicio = inicio
        self.fim = fim
        self.fuso = fuso
        self.diaDoMes = diaDoMes
    }

    /// The first period of who subscribes at a moment.
    package static func primeiro(em agora: Instante, zona: ZonaHoraria) -> PeriodoDaAssinatura {
        let hoje = zona.data(de: agora)
        return PeriodoDaAssinatura(
            numero: 1,
            inicio: agora,
            fim: zona.inicioDoDia(hoje.noMesSeguinte(dia: hoje.dia)),
            fuso: zona.nome,
            diaDoMes: hoje.dia
        )
    }

    /// - Parameter zona: the rules of `fuso`.
    package func seguinte(zona: ZonaHoraria) -> PeriodoDaAssinatura {
        PeriodoDaAssinatura(
            numero: numero + 1,
            inicio: fim,
            fim: zona.inicioDoDia(zona.data(de: fim).noMesSeguinte(dia: diaDoMes)),
            fuso: fuso,
            diaDoMes: diaDoMes
        )
    }

    /// When what the period includes expires, if it may be used for so many months, this one included.
    func validade(meses: Int, zona: ZonaHoraria) -> Instante {
        (1..<max(1, meses) + 1).dropFirst().reduce(self) { periodo, _ in periodo.seguinte(zona: zona) }.fim
    }

    private enum CodingKeys: String, CodingKey {
        case numero
        case inicio
        case fim
        case fuso
        case diaDoMes = "dia_do_mes"
    }
}

extension DataCivil {
    /// That day of the next month, or its last day where it is shorter.
    func noMesSeguinte(dia: Int) -> DataCivil {
        let (ano, mes) = mes == 12 ? (ano + 1, 1) : (ano, mes + 1)
        let ultimo = DataCivil.diasDoMes(mes, ano: ano)
        // Beyond the calendar's end nothing is booked; the date itself will do.
        return DataCivil(ano: ano, mes: mes, dia: min(max(1, dia), ultimo)) ?? self
    }
}

/// The national holidays of Brazil, by law: fixed dates, Good Friday, and 20 November since 2024 (Law 14,759/2023).
/// Carnival and Corpus Christi are optional days and not among them.
package enum Feriado: String, Sendable, CaseIterable {
    case confraternizacaoUniversal = "Confraternização Universal"
    case sextaFeiraSanta = "Sexta-feira Santa"
    case tiradentes = "Tiradentes"
    case diaDoTrabalho = "Dia do Trabalho"
    case independencia = "Independência do Brasil"
    case nossaSenhoraAparecida = "Nossa Senhora Aparecida"
    case finados = "Finados"
    case proclamacaoDaRepublica = "Proclamação da República"
    case conscienciaNegra = "Dia da Consciência Negra"
    case natal = "Natal"

    /// As people call it, in Portuguese.
    package var nome: String { rawValue }

    /// The national holiday on a date, if it is one.
    package static func nacional(em data: DataCivil) -> Feriado? {
        switch (data.mes, data.dia) {
        case (1, 1): .confraternizacaoUniversal
        case (4, 21): .tiradentes
        case (5, 1): .diaDoTrabalho
        case (9, 7): .independencia
        case (10, 12): .nossaSenhoraAparecida
        case (11, 2): .finados
        case (11, 15): .proclamacaoDaRepublica
        case (11, 20) where data.ano >= 2024: .conscienciaNegra
        case (12, 25): .natal
        default: data == pascoa(ano: data.ano)?.somandoDias(-2) ? .sextaFeiraSanta : nil
        }
    }

    /// Easter Sunday, by the anonymous Gregorian algorithm.
    package static func pascoa(ano: Int) -> DataCivil? {
        let aureo = ano % 19
        let (seculo, anoDoSeculo) = ano.quotientAndRemainder(dividingBy: 100)
        let correcaoLunar = (seculo - (seculo + 8) / 25 + 1) / 3
        let epacta = (19 * aureo + seculo - seculo / 4 - correcaoLunar + 15) % 30
        let domingo = (32 + 2 * (seculo % 4) + 2 * (anoDoSeculo / 4) - epacta - anoDoSeculo % 4) % 7
        let ajuste = (aureo + 11 * epacta + 22 * domingo) / 451
        let total = epacta + domingo - 7 * ajuste + 114
        return DataCivil(ano: ano, mes: total / 31, dia: total % 31 + 1)
    }
}

/// The rule of a POSIX TZ string (`<-03>3`, `EST5EDT,M3.2.0,M11.1.0`): what a zone does after its last known transition.
package struct RegraPosix: Hashable, Sendable {
    /// The day of a year on which the clocks change.
    enum Dia: Hashable, Sendable {
        /// `Jn`: 1 to 365, 29 February never counted.
        case juliano(Int)
        /// `n`: 0 to 365, 29 February counted.
        case ordinal(Int)
        /// `Mm.w.d`: month, week (5 is the last), day of the week from Sunday 0.
        case mensal(mes: Int, semana: Int, dia: Int)
    }

    /// When clocks change: a day, and seconds of local time from its midnight (may be negative, or beyond a day).
    struct Mudanca: Hashable, Sendable {
        let dia: Dia
        let segundos: Int64
    }

    /// Summer time and when it begins and ends.
    struct Verao: Hashable, Sendable {
        let deslocamento: Int64
        let comeca: Mudanca
        let termina: Mudanca
    }

    /// Seconds east of Greenwich outside summer time.
    let deslocamento: Int64
    let verao: Verao?

    /// The stretch of constant offset around a moment.
    func regime(em segundos: Int64) -> ZonaHoraria.Regime {
        guard let verao else {
            return ZonaHoraria.Regime(inicio: Int64.min, fim: Int64.max, deslocamento: deslocamento)
        }
        let ano = DataCivil(diasDesde1970: segundos.divididoPorBaixo(86_400)).ano
        let mudancas = (ano - 1...ano + 1)
            .flatMap { ano in
                [
                    ZonaHoraria.Transicao(
                        segundos: verao.comeca.segundosLocais(ano: ano) - deslocamento,
                        deslocamento: verao.deslocamento
                    ),
                    ZonaHoraria.Transicao(
                        segundos: verao.termina.segundosLocais(ano: ano) - verao.deslocamento,
                        deslocamento: deslocamento
                    ),
                ]
            }
            .sorted { $0.segundos < $1.segundos }
        // Three years of changes always have one before and one after any moment of the middle year.
        let anterior = mudancas.last { $0.segundos <= segundos }
        let seguinte = mudancas.first { $0.segundos > segundos }
        return ZonaHoraria.Regime(
            inicio: anterior?.segundos ?? Int64.min,
            fim: seguinte?.segundos ?? Int64.max,
            deslocamento: anterior?.deslocamento ?? deslocamento
        )
    }
}

extension RegraPosix.Mudanca {
    /// Seconds of the wall clock since 1970 at which the change falls in a year.
    func segundosLocais(ano: Int) -> Int64 {
        let primeiroDeJaneiro = Self.dias(ano, 1, 1)
        let dias: Int64 =
            switch dia {
            case .juliano(let numero): primeiroDeJaneiro + Int64(numero - 1) + (DataCivil.bissexto(ano) && numero >= 60 ? 1 : 0)
            case .ordinal(let numero): primeiroDeJaneiro + Int64(numero)
            case .mensal(let mes, let semana, let dia): Self.diaMensal(ano: ano, mes: mes, semana: semana, dia: dia)
            }
        return dias * 86_400 + segundos
    }

    private static func diaMensal(ano: Int, mes: Int, semana: Int, dia: Int) -> Int64 {
        let primeiro = dias(ano, mes, 1)
        // 1970-01-01 was a Thursday, day 4 counted from Sunday.
        let diaDoPrimeiro = (primeiro + 4).restoPositivo(7)
        let distancia = (Int64(dia) - diaDoPrimeiro).restoPositivo(7)
        let candidato = distancia + Int64(semana - 1) * 7
        let ultimo = Int64(DataCivil.diasDoMes(mes, ano: ano))
        return primeiro + (candidato >= ultimo ? candidato - 7 : candidato)
    }

    /// Years outside the calendar's range count as 1970: no rule is asked about them.
    private static func dias(_ ano: Int, _ mes: Int, _ dia: Int) -> Int64 {
        DataCivil(ano: ano, mes: mes, dia: dia)?.diasDesde1970 ?? 0
    }
}

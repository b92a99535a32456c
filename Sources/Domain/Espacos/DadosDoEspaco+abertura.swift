extension DadosDoEspaco {
    /// When the hours of a local date let the space be open, closures not yet taken off.
    /// A date that is a national holiday has none where holidays are closed.
    package func horarioDeAbertura(em data: DataCivil, zona: ZonaHoraria) -> [Intervalo] {
        if feriado(em: data) != nil { return [] }
        return Intervalo.unir(
            semana.faixas(de: data.diaDaSemana).flatMap { faixa in
                zona.trechos(de: DataHoraLocal(data, faixa.abre), ate: DataHoraLocal(data, faixa.fecha))
            }
        )
    }

    /// When the space is open on the local dates from `primeira` to `ultima`: hours less closures, joined over midnight.
    package func aberturas(de primeira: DataCivil, ate ultima: DataCivil, zona: ZonaHoraria) -> [Intervalo] {
        guard primeira <= ultima else { return [] }
        let horarios = (primeira.diasDesde1970...ultima.diasDesde1970).flatMap { dia in
            horarioDeAbertura(em: DataCivil(diasDesde1970: dia), zona: zona)
        }
        guard let periodo = PeriodoLocal(de: primeira, ate: ultima) else { return [] }
        let fechados = fechamentos.filter { $0.periodo.sobrepoe(periodo) }.flatMap { $0.intervalos(zona: zona) }
        return Intervalo.subtrair(fechados, de: Intervalo.unir(horarios))
    }

    /// Why the space is closed within an interval though its hours say open: a closure's reason or a holiday's name.
    package func motivoDeFechamento(em intervalo: Intervalo, zona: ZonaHoraria) -> String? {
        let fechamento = fechamentos.first { fechamento in
            fechamento.intervalos(zona: zona).contains { $0.sobrepoe(intervalo) }
        }
        if let fechamento { return fechamento.motivo }
        return zona.datas(de: intervalo).lazy.compactMap { feriado(em: $0)?.nome }.first
    }

    private func feriado(em data: DataCivil) -> Feriado? {
        fechaEmFeriados ? Feriado.nacional(em: data) : nil
    }
}

extension Fechamento {
    /// The moments at which the wall clock shows a time within the closure.
    func intervalos(zona: ZonaHoraria) -> [Intervalo] {
        zona.trechos(de: periodo.inicio, ate: periodo.fim)
    }
}

extension ZonaHoraria {
    /// The local dates that an interval touches, in order. Where clocks are set back over midnight a date comes twice
    /// on the wall, but once here.
    package func datas(de intervalo: Intervalo) -> [DataCivil] {
        let ultimo = Instante(microssegundos: intervalo.fim.microssegundos - 1)
        let primeira = data(de: intervalo.inicio).diasDesde1970
        return (primeira...max(primeira, data(de: ultimo).diasDesde1970)).map(DataCivil.init(diasDesde1970:))
    }
}

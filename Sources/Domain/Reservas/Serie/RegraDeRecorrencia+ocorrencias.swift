extension RegraDeRecorrencia {
    /// When the occurrences of a series begin, on the wall clock of its zone, in order; the first is the first that the rule allows at
    /// `inicio` or later.
    ///
    /// The wall clock stays whatever is done to the clocks. As RFC 5545 says (3.3.10), what a calendar does not have, like the 31st of
    /// a short month, and what the clocks jump over, is no occurrence and is not counted. A time that comes twice means the first.
    /// - Throws: `RecusaDeSerie.longa` for more than `maximo` occurrences or some that lie farther away than `alcance`, `vazia` for none.
    package func ocorrencias(de inicio: DataHoraLocal, zona: ZonaHoraria) throws(RecusaDeSerie) -> [DataHoraLocal] {
        let primeiro = inicio.data
        let limite = primeiro.somandoDias(Self.alcance)
        var achadas: [DataHoraLocal] = []
        var periodo = 0
        while true {
            let dias = self.dias(do: periodo, desde: primeiro)
            periodo += intervalo
            for data in dias where data >= primeiro && serve(data, desde: primeiro) {
                let local = DataHoraLocal(microssegundos: data.meiaNoite.microssegundos + inicio.microssegundosDoDia)
                if passou(local, zona: zona) { return try conferir(achadas) }
                guard data <= limite else { throw .longa(maximo: Self.maximo) }
                if case .inexistente = zona.instantes(de: local) { continue }
                achadas.append(local)
                if case .vezes(achadas.count) = termino { return achadas }
                guard achadas.count <= Self.maximo else { throw .longa(maximo: Self.maximo) }
            }
            // A rule may have no day at all any more, like the 30th of every February.
            guard let ultimo = dias.last, ultimo <= limite.somandoDias(31 * intervalo) else { return try acabar(achadas) }
        }
    }

    /// The days of the n-th period since the one that the series begins in.
    private func dias(do numero: Int, desde primeiro: DataCivil) -> [DataCivil] {
        switch frequencia {
        case .diaria:
            return [primeiro.somandoDias(numero)]
        case .semanal:
            let desdeOInicio = (primeiro.diaDaSemana.numero - inicioDaSemana.numero + 7) % 7
            let segunda = primeiro.somandoDias(7 * numero - desdeOInicio)
            return (0..<7).map(segunda.somandoDias)
        case .mensal:
            let mes = primeiro.ano * 12 + primeiro.mes - 1 + numero
            guard let primeiroDia = DataCivil(ano: mes / 12, mes: mes % 12 + 1, dia: 1) else { return [] }
            return (0..<DataCivil.diasDoMes(primeiroDia.mes, ano: primeiroDia.ano)).map(primeiroDia.somandoDias)
        }
    }

    private func serve(_ data: DataCivil, desde primeiro: DataCivil) -> Bool {
        let doMes = DataCivil.diasDoMes(data.mes, ano: data.ano)
        let dia = data.dia
        if !diasDoMes.isEmpty, !diasDoMes.contains(dia), !diasDoMes.contains(dia - doMes - 1) { return false }
        if !dias.isEmpty {
            return dias.contains { pedido in
                guard pedido.dia == data.diaDaSemana else { return false }
                guard let ordinal = pedido.ordinal else { return true }
                return ordinal == (ordinal > 0 ? (dia - 1) / 7 + 1 : -((doMes - dia) / 7 + 1))
            }
        }
        switch frequencia {
        case .diaria: return true
        case .semanal: return data.diaDaSemana == primeiro.diaDaSemana
        case .mensal: return !diasDoMes.isEmpty || dia == primeiro.dia
        }
    }

    private func passou(_ local: DataHoraLocal, zona: ZonaHoraria) -> Bool {
        switch termino {
        case .vezes: false
        case .ateData(let data): local.data > data
        case .ateLocal(let ultima): local > ultima
        case .ate(let ultimo):
            switch zona.instantes(de: local) {
            case .unica(let instante), .ambigua(let instante, _), .inexistente(_, _, let instante): instante > ultimo
            }
        }
    }

    private func conferir(_ achadas: [DataHoraLocal]) throws(RecusaDeSerie) -> [DataHoraLocal] {
        guard !achadas.isEmpty else { throw .vazia }
        return achadas
    }

    /// The rule reaches farther than anybody looks.
    private func acabar(_ achadas: [DataHoraLocal]) throws(RecusaDeSerie) -> [DataHoraLocal] {
        guard !achadas.isEmpty else { throw .vazia }
        throw .longa(maximo: Self.maximo)
    }
}

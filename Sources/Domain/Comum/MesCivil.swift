/// A month of the calendar, years 0000 to 9999. Stored as `yyyy-mm`.
package struct MesCivil: Hashable, Sendable, Comparable {
    package let primeiroDia: DataCivil

    /// The month that a date lies in.
    package init(de data: DataCivil) {
        primeiroDia = data.somandoDias(1 - data.dia)
    }

    /// `nil` when the calendar has no such month.
    package init?(ano: Int, mes: Int) {
        guard let primeiro = DataCivil(ano: ano, mes: mes, dia: 1) else { return nil }
        primeiroDia = primeiro
    }

    /// Reads `yyyy-mm`.
    package init?(_ texto: some StringProtocol) {
        guard texto.utf8.count == 7, let primeiro = DataCivil("\(texto)-01") else { return nil }
        primeiroDia = primeiro
    }

    package var ano: Int { primeiroDia.ano }
    package var mes: Int { primeiroDia.mes }
    package var dias: Int { DataCivil.diasDoMes(mes, ano: ano) }
    package var ultimoDia: DataCivil { primeiroDia.somandoDias(dias - 1) }
    package var seguinte: MesCivil { MesCivil(de: primeiroDia.somandoDias(dias)) }
    package var anterior: MesCivil { MesCivil(de: primeiroDia.somandoDias(-1)) }
    package var texto: String { String(primeiroDia.texto.prefix(7)) }

    /// When the month is over on every clock of the world: the last ones are twelve hours behind UTC.
    package var fimEmTodaParte: Instante {
        Instante(segundos: seguinte.primeiroDia.diasDesde1970 * 86_400 + 12 * 3_600)
    }

    package static func < (a: MesCivil, b: MesCivil) -> Bool {
        a.primeiroDia < b.primeiroDia
    }
}

extension MesCivil: CustomStringConvertible {
    package var description: String { texto }
}

extension MesCivil: Codable {
    package init(from decoder: any Decoder) throws {
        self = try decoder.lerTexto { MesCivil($0) }
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.escreverTexto(texto)
    }
}

/// A calendar date without zone (proleptic Gregorian, years 0000 to 9999). Stored as `yyyy-mm-dd`.
package struct DataCivil: Hashable, Sendable, Comparable {
    /// Days since 1970-01-01.
    package let diasDesde1970: Int64

    package init(diasDesde1970: Int64) {
        self.diasDesde1970 = diasDesde1970
    }

    /// `nil` when the calendar has no such day.
    package init?(ano: Int, mes: Int, dia: Int) {
        guard (0...9_999).contains(ano), (1...12).contains(mes), dia >= 1, dia <= Self.diasDoMes(mes, ano: ano) else { return nil }
        self.init(diasDesde1970: Self.contarDias(ano: ano, mes: mes, dia: dia))
    }

    /// Reads `yyyy-mm-dd`.
    package init?(_ texto: some StringProtocol) {
        self.init(letras: Array(texto.utf8).span)
    }

    init?(letras: Span<UInt8>) {
        var leitor = LeitorDeTexto()
        guard let data = leitor.data(letras), leitor.posicao == letras.count else { return nil }
        self = data
    }

    package var ano: Int { componentes.ano }
    package var mes: Int { componentes.mes }
    package var dia: Int { componentes.dia }

    package var texto: String { escrito }

    func escrever(em bytes: inout [UInt8]) {
        let partes = componentes
        bytes.acrescentar(partes.ano, digitos: 4)
        bytes.append(UInt8(ascii: "-"))
        bytes.acrescentar(partes.mes, digitos: 2)
        bytes.append(UInt8(ascii: "-"))
        bytes.acrescentar(partes.dia, digitos: 2)
    }

    package var diaDaSemana: DiaDaSemana {
        // 1970-01-01 was a Thursday.
        DiaDaSemana.allCases[Int((diasDesde1970 + 3).restoPositivo(7))]
    }

    package func somandoDias(_ dias: Int) -> DataCivil {
        DataCivil(diasDesde1970: diasDesde1970 + Int64(dias))
    }

    /// This date's midnight on the wall clock; whether it exists in a zone is for `ZonaHoraria` to say.
    package var meiaNoite: DataHoraLocal { DataHoraLocal(microssegundos: diasDesde1970 * 86_400_000_000) }

    package static func < (a: DataCivil, b: DataCivil) -> Bool {
        a.diasDesde1970 < b.diasDesde1970
    }

    static func bissexto(_ ano: Int) -> Bool {
        ano % 4 == 0 && (ano % 100 != 0 || ano % 400 == 0)
    }

    static func diasDoMes(_ mes: Int, ano: Int) -> Int {
        switch mes {
        case 2: bissexto(ano) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Year, month and day by Howard Hinnant's algorithm (eras of 400 years, years that begin in March).
    private var componentes: (ano: Int, mes: Int, dia: Int) {
        let deslocado = diasDesde1970 + 719_468
        let era = deslocado.divididoPorBaixo(146_097)
        let diaDaEra = deslocado - era * 146_097
        let anoDaEra = (diaDaEra - diaDaEra / 1_460 + diaDaEra / 36_524 - diaDaEra / 146_096) / 365
        let diaDoAno = diaDaEra - (365 * anoDaEra + anoDaEra / 4 - anoDaEra / 100)
        let mesDeslocado = (5 * diaDoAno + 2) / 153
        let dia = diaDoAno - (153 * mesDeslocado + 2) / 5 + 1
        let mes = mesDeslocado < 10 ? mesDeslocado + 3 : mesDeslocado - 9
        return (Int(anoDaEra + era * 400) + (mes <= 2 ? 1 : 0), Int(mes), Int(dia))
    }

    /// The inverse of `componentes`.
    private static func contarDias(ano: Int, mes: Int, dia: Int) -> Int64 {
        let anoDeslocado = Int64(mes <= 2 ? ano - 1 : ano)
        let era = anoDeslocado.divididoPorBaixo(400)
        let anoDaEra = anoDeslocado - era * 400
        let diaDoAno = Int64((153 * (mes > 2 ? mes - 3 : mes + 9) + 2) / 5 + dia - 1)
        let diaDaEra = anoDaEra * 365 + anoDaEra / 4 - anoDaEra / 100 + diaDoAno
        return era * 146_097 + diaDaEra - 719_468
    }
}

extension DataCivil: CustomStringConvertible {
    package var description: String { texto }
}

extension DataCivil: Codable, LidoDeTexto, EscritoEmTexto {
    package init(from decoder: any Decoder) throws {
        self = try decoder.lerTexto()
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.escreverTexto(de: self)
    }
}

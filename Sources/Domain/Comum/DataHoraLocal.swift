/// What a wall clock shows: date and time without zone. Stored as `yyyy-mm-ddTHH:MM:SS`, six decimals when needed.
package struct DataHoraLocal: Hashable, Sendable, Comparable {
    /// Microseconds since 1970-01-01T00:00:00 of the same wall clock.
    package let microssegundos: Int64

    package init(microssegundos: Int64) {
        self.microssegundos = microssegundos
    }

    /// 24:00 is the next day's midnight.
    package init(_ data: DataCivil, _ hora: HoraLocal) {
        microssegundos = data.diasDesde1970 * 86_400_000_000 + Int64(hora.minutos) * 60_000_000
    }

    /// Reads a date and time without offset; seconds may be left out.
    package init?(_ texto: some StringProtocol) {
        self.init(letras: Array(texto.utf8).span)
    }

    init?(letras: Span<UInt8>) {
        var leitor = LeitorDeTexto()
        guard let local = leitor.dataHora(letras, exigeSegundos: false), leitor.posicao == letras.count else { return nil }
        self = local
    }

    package var data: DataCivil { DataCivil(diasDesde1970: microssegundos.divididoPorBaixo(86_400_000_000)) }

    /// Microseconds since this date's midnight.
    package var microssegundosDoDia: Int64 { microssegundos.restoPositivo(86_400_000_000) }

    /// The time of day, seconds dropped.
    package var hora: HoraLocal {
        // Never 24:00: a day's microseconds end before it, so the fallback is out of reach.
        HoraLocal(minutos: Int(microssegundosDoDia / 60_000_000)) ?? .inicioDoDia
    }

    package var texto: String { escrito }

    func escrever(em bytes: inout [UInt8]) {
        let micros = Int(microssegundosDoDia)
        data.escrever(em: &bytes)
        bytes.append(UInt8(ascii: "T"))
        hora.escrever(em: &bytes)
        bytes.append(UInt8(ascii: ":"))
        bytes.acrescentar(micros / 1_000_000 % 60, digitos: 2)
        if micros % 1_000_000 != 0 {
            bytes.append(UInt8(ascii: "."))
            bytes.acrescentar(micros % 1_000_000, digitos: 6)
        }
    }

    package static func < (a: DataHoraLocal, b: DataHoraLocal) -> Bool {
        a.microssegundos < b.microssegundos
    }

    package static func + (a: DataHoraLocal, b: Duracao) -> DataHoraLocal {
        DataHoraLocal(microssegundos: a.microssegundos + b.microssegundos)
    }
}

extension DataHoraLocal: CustomStringConvertible {
    package var description: String { texto }
}

extension DataHoraLocal: Codable, LidoDeTexto, EscritoEmTexto {
    package init(from decoder: any Decoder) throws {
        self = try decoder.lerTexto()
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.escreverTexto(de: self)
    }
}

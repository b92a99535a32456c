/// A time of day on the wall clock, to the minute, from 00:00 to 24:00 (the end of the day). Stored as `HH:MM`.
package struct HoraLocal: Hashable, Sendable, Comparable {
    /// Minutes since midnight, 0 to 1440.
    package let minutos: Int

    package init?(minutos: Int) {
        guard (0...1_440).contains(minutos) else { return nil }
        self.minutos = minutos
    }

    /// Reads `HH:MM`, `24:00` included.
    package init?(_ texto: some StringProtocol) {
        self.init(letras: Array(texto.utf8).span)
    }

    init?(letras: Span<UInt8>) {
        var leitor = LeitorDeTexto()
        guard
            let hora = leitor.numero(letras, digitos: 2), leitor.aceitar(":", letras),
            let minuto = leitor.numero(letras, digitos: 2), minuto < 60, leitor.posicao == letras.count
        else { return nil }
        self.init(minutos: hora * 60 + minuto)
    }

    private init(certo minutos: Int) {
        self.minutos = minutos
    }

    package static let inicioDoDia = HoraLocal(certo: 0)
    package static let fimDoDia = HoraLocal(certo: 1_440)

    package var texto: String { escrito }

    func escrever(em bytes: inout [UInt8]) {
        bytes.acrescentar(minutos / 60, digitos: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.acrescentar(minutos % 60, digitos: 2)
    }

    package static func < (a: HoraLocal, b: HoraLocal) -> Bool {
        a.minutos < b.minutos
    }
}

extension HoraLocal: CustomStringConvertible {
    package var description: String { texto }
}

extension HoraLocal: Codable, LidoDeTexto, EscritoEmTexto {
    package init(from decoder: any Decoder) throws {
        self = try decoder.lerTexto()
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.escreverTexto(de: self)
    }
}

/// A part of a local day, half-open: `[abre, fecha)`. Never empty; ends at the latest at 24:00.
package struct FaixaHoraria: Hashable, Sendable, Codable {
    package let abre: HoraLocal
    package let fecha: HoraLocal

    /// `nil` unless `abre` comes before `fecha`.
    package init?(abre: HoraLocal, fecha: HoraLocal) {
        guard abre < fecha else { return nil }
        self.abre = abre
        self.fecha = fecha
    }

    private init(certoDe abre: HoraLocal, ate fecha: HoraLocal) {
        self.abre = abre
        self.fecha = fecha
    }

    /// The whole local day.
    package static let diaInteiro = FaixaHoraria(certoDe: .inicioDoDia, ate: .fimDoDia)

    package func contem(_ hora: HoraLocal) -> Bool {
        abre <= hora && hora < fecha
    }

    package func sobrepoe(_ outra: FaixaHoraria) -> Bool {
        abre < outra.fecha && outra.abre < fecha
    }

    package init(from decoder: any Decoder) throws {
        let caixa = try decoder.container(keyedBy: CodingKeys.self)
        let abre = try caixa.decode(HoraLocal.self, forKey: .abre)
        let fecha = try caixa.decode(HoraLocal.self, forKey: .fecha)
        guard let faixa = FaixaHoraria(abre: abre, fecha: fecha) else {
            throw DecodingError.dataCorruptedError(forKey: .fecha, in: caixa, debugDescription: "closes before it opens")
        }
        self = faixa
    }

    private enum CodingKeys: String, CodingKey {
        case abre
        case fecha
    }
}

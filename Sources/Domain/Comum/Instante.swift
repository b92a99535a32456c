/// A moment: microseconds since 1970-01-01T00:00:00Z, between the years 0000 and 9999.
package struct Instante: Hashable, Sendable, Comparable {
    package let microssegundos: Int64

    package init(microssegundos: Int64) {
        self.microssegundos = microssegundos
    }

    /// Seconds since 1970, as zone tables count.
    package init(segundos: Int64) {
        microssegundos = segundos * 1_000_000
    }

    /// Whole seconds since 1970, rounded down.
    package var segundos: Int64 { microssegundos.divididoPorBaixo(1_000_000) }

    /// The UTC date, which is what agenda streams are named by.
    package var diaUTC: DataCivil { DataHoraLocal(microssegundos: microssegundos).data }

    package static func < (a: Instante, b: Instante) -> Bool {
        a.microssegundos < b.microssegundos
    }

    package static func + (a: Instante, b: Duracao) -> Instante {
        Instante(microssegundos: a.microssegundos + b.microssegundos)
    }

    package static func - (a: Instante, b: Duracao) -> Instante {
        Instante(microssegundos: a.microssegundos - b.microssegundos)
    }

    package static func - (a: Instante, b: Instante) -> Duracao {
        Duracao(microssegundos: a.microssegundos - b.microssegundos)
    }
}

extension Instante: CustomStringConvertible {
    package var description: String { texto }
}

/// Stored in UTC: `2026-03-01T12:00:00Z`, with six decimals when it is not a whole second.
extension Instante: Codable, LidoDeTexto, EscritoEmTexto {
    package init(from decoder: any Decoder) throws {
        self = try decoder.lerTexto()
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.escreverTexto(de: self)
    }
}

extension Int64 {
    /// Division rounded towards minus infinity: times before 1970 are negative.
    func divididoPorBaixo(_ divisor: Int64) -> Int64 {
        let (quociente, resto) = quotientAndRemainder(dividingBy: divisor)
        return resto < 0 ? quociente - 1 : quociente
    }

    func restoPositivo(_ divisor: Int64) -> Int64 {
        let resto = self % divisor
        return resto < 0 ? resto + divisor : resto
    }
}

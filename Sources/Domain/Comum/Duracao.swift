/// A length of time in microseconds; negative lengths exist only as differences.
package struct Duracao: Hashable, Sendable, Comparable {
    package let microssegundos: Int64

    package init(microssegundos: Int64) {
        self.microssegundos = microssegundos
    }

    package static let zero = Duracao(microssegundos: 0)

    package static func segundos(_ segundos: Int64) -> Duracao {
        Duracao(microssegundos: segundos * 1_000_000)
    }

    package static func minutos(_ minutos: Int) -> Duracao {
        .segundos(Int64(minutos) * 60)
    }

    package static func horas(_ horas: Int) -> Duracao {
        .minutos(horas * 60)
    }

    package static func < (a: Duracao, b: Duracao) -> Bool {
        a.microssegundos < b.microssegundos
    }

    package static func + (a: Duracao, b: Duracao) -> Duracao {
        Duracao(microssegundos: a.microssegundos + b.microssegundos)
    }

    package static func - (a: Duracao, b: Duracao) -> Duracao {
        Duracao(microssegundos: a.microssegundos - b.microssegundos)
    }
}

/// A whole number of minutes, zero or more: what the rules of a space are written in. Stored as a JSON integer.
package struct Minutos: Hashable, Sendable, Comparable {
    package let valor: Int

    /// Refuses negative numbers and more than ten years.
    package init?(_ valor: Int) {
        guard (0...5_270_400).contains(valor) else { return nil }
        self.valor = valor
    }

    private init(certo valor: Int) {
        self.valor = valor
    }

    package static let zero = Minutos(certo: 0)
    package static let quinze = Minutos(certo: 15)
    package static let trinta = Minutos(certo: 30)
    package static let umaHora = Minutos(certo: 60)
    package static let duasHoras = Minutos(certo: 120)
    package static let quatroHoras = Minutos(certo: 240)
    package static let umDia = Minutos(certo: 1_440)
    package static let trintaEUmDias = Minutos(certo: 31 * 1_440)
    package static let noventaDias = Minutos(certo: 90 * 1_440)

    /// Whole minutes in a length of time, rounded down; a negative length counts as none.
    package init(completosEm duracao: Duracao) {
        valor = max(0, Int(duracao.microssegundos / 60_000_000))
    }

    package var duracao: Duracao { .minutos(valor) }

    package static func < (a: Minutos, b: Minutos) -> Bool {
        a.valor < b.valor
    }
}

extension Minutos: Codable {
    package init(from decoder: any Decoder) throws {
        let caixa = try decoder.singleValueContainer()
        guard let minutos = Minutos(try caixa.decode(Int.self)) else {
            throw DecodingError.dataCorruptedError(in: caixa, debugDescription: "minutes out of range")
        }
        self = minutos
    }

    package func encode(to encoder: any Encoder) throws {
        var caixa = encoder.singleValueContainer()
        try caixa.encode(valor)
    }
}

extension Minutos: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) {
        guard let lido = Minutos(try Int(ficha, de: carga)) else { throw ForaDaForma() }
        self = lido
    }
}

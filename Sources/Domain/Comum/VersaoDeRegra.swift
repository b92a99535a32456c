/// Which version of a rule (tariff, plan, booking rules) decided something. The first published is 1;
/// 0 means what holds before anything is published. Stored as a JSON integer.
package struct VersaoDeRegra: Hashable, Sendable, Comparable {
    package let numero: Int

    package init(_ numero: Int) {
        self.numero = numero
    }

    package static let nenhuma = VersaoDeRegra(0)

    package var seguinte: VersaoDeRegra { VersaoDeRegra(numero + 1) }

    package static func < (a: VersaoDeRegra, b: VersaoDeRegra) -> Bool {
        a.numero < b.numero
    }
}

extension VersaoDeRegra: Codable {
    package init(from decoder: any Decoder) throws {
        numero = try decoder.singleValueContainer().decode(Int.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var caixa = encoder.singleValueContainer()
        try caixa.encode(numero)
    }
}

extension VersaoDeRegra: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) { self.init(try Int(ficha, de: carga)) }
}

/// A whole percentage, 0 to 100. Stored as a JSON integer.
package struct Percentual: Hashable, Sendable, Comparable {
    package let valor: Int

    package init?(_ valor: Int) {
        guard (0...100).contains(valor) else { return nil }
        self.valor = valor
    }

    private init(certo valor: Int) {
        self.valor = valor
    }

    package static let zero = Percentual(certo: 0)
    package static let metade = Percentual(certo: 50)
    package static let todo = Percentual(certo: 100)

    package static func < (a: Percentual, b: Percentual) -> Bool {
        a.valor < b.valor
    }
}

extension Percentual: Codable {
    package init(from decoder: any Decoder) throws {
        let caixa = try decoder.singleValueContainer()
        guard let percentual = Percentual(try caixa.decode(Int.self)) else {
            throw DecodingError.dataCorruptedError(in: caixa, debugDescription: "percentage out of range")
        }
        self = percentual
    }

    package func encode(to encoder: any Encoder) throws {
        var caixa = encoder.singleValueContainer()
        try caixa.encode(valor)
    }
}

extension Percentual: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) {
        guard let lido = Percentual(try Int(ficha, de: carga)) else { throw ForaDaForma() }
        self = lido
    }
}

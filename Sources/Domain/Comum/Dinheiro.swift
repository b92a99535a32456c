/// An amount of money in whole centavos of one currency. Arithmetic refuses to overflow and to mix currencies.
package struct Dinheiro: Hashable, Sendable, Codable, Comparable {
    package let centavos: Int64
    package let moeda: Moeda

    package init(centavos: Int64, moeda: Moeda = .brl) {
        self.centavos = centavos
        self.moeda = moeda
    }

    package static let zero = Dinheiro(centavos: 0)

    package func somando(_ outro: Dinheiro) throws(ErroDeDinheiro) -> Dinheiro {
        guard moeda == outro.moeda else { throw .moedasDiferentes }
        let (soma, estourou) = centavos.addingReportingOverflow(outro.centavos)
        guard !estourou else { throw .estouro }
        return Dinheiro(centavos: soma, moeda: moeda)
    }

    package func subtraindo(_ outro: Dinheiro) throws(ErroDeDinheiro) -> Dinheiro {
        guard moeda == outro.moeda else { throw .moedasDiferentes }
        let (resto, estourou) = centavos.subtractingReportingOverflow(outro.centavos)
        guard !estourou else { throw .estouro }
        return Dinheiro(centavos: resto, moeda: moeda)
    }

    /// This amount times a fraction of products, rounded half-even once, at the end. `denominadores` must be positive.
    package func vezes(_ numeradores: [Int64], sobre denominadores: [Int64]) throws(ErroDeDinheiro) -> Dinheiro {
        var numerador = Int128(centavos)
        for fator in numeradores {
            let (produto, estourou) = numerador.multipliedReportingOverflow(by: Int128(fator))
            guard !estourou else { throw .estouro }
            numerador = produto
        }
        var denominador: Int128 = 1
        for fator in denominadores {
            let (produto, estourou) = denominador.multipliedReportingOverflow(by: Int128(fator))
            guard !estourou, fator > 0 else { throw .estouro }
            denominador = produto
        }
        guard let arredondado = Int64(exactly: Self.arredondar(numerador, sobre: denominador)) else { throw .estouro }
        return Dinheiro(centavos: arredondado, moeda: moeda)
    }

    /// A share of this amount, rounded half-even.
    package func vezes(_ percentual: Percentual) throws(ErroDeDinheiro) -> Dinheiro {
        try vezes([Int64(percentual.valor)], sobre: [100])
    }

    /// Amounts of one currency; with the only one we have, always comparable.
    package static func < (a: Dinheiro, b: Dinheiro) -> Bool {
        a.centavos < b.centavos
    }

    package static func somar(_ parcelas: [Dinheiro]) throws(ErroDeDinheiro) -> Dinheiro {
        var soma = Dinheiro.zero
        for parcela in parcelas { soma = try soma.somando(parcela) }
        return soma
    }

    /// Half to the even neighbour, so that rounding favours neither side in the long run.
    private static func arredondar(_ numerador: Int128, sobre denominador: Int128) -> Int128 {
        let (quociente, resto) = numerador.quotientAndRemainder(dividingBy: denominador)
        let distancia = resto.magnitude
        let complemento = denominador.magnitude - distancia
        let afasta = distancia > complemento || (distancia == complemento && quociente % 2 != 0)
        guard afasta else { return quociente }
        return numerador < 0 ? quociente - 1 : quociente + 1
    }
}

/// The currencies we charge in, by ISO 4217 code.
package enum Moeda: String, Sendable, Codable {
    case brl = "BRL"
}

/// Why an amount could not be computed.
package enum ErroDeDinheiro: Error, Equatable {
    case estouro
    case moedasDiferentes
}

extension Dinheiro: CustomStringConvertible {
    /// As Brazil writes it: `R$ 1.234,56`, with a no-break space after the symbol and the sign before it.
    package var description: String {
        let valor = centavos.magnitude
        let inteiros = String(valor / 100)
        var grupos = ""
        for (posicao, algarismo) in inteiros.enumerated() {
            if posicao > 0 && (inteiros.count - posicao).isMultiple(of: 3) { grupos.append(".") }
            grupos.append(algarismo)
        }
        switch moeda {
        case .brl: return (centavos < 0 ? "-" : "") + "R$\u{A0}" + grupos + "," + doisDigitos(Int(valor % 100))
        }
    }
}

extension Dinheiro: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) {
        centavos = try carga.valor(CodingKeys.centavos, de: ficha)
        moeda = try carga.valor(CodingKeys.moeda, de: ficha)
    }
}

extension Moeda: LidoDaForma {}

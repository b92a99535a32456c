/// One line of an entry: so much on one side of an account.
package struct Partida: Hashable, Sendable, Codable {
    package enum Lado: String, Sendable, Codable {
        case debito
        case credito

        var oposto: Lado { self == .debito ? .credito : .debito }
    }

    package let conta: ContaContabil
    package let lado: Lado
    /// More than zero.
    package let valor: Dinheiro

    package init(_ lado: Lado, _ conta: ContaContabil, _ valor: Dinheiro) {
        self.conta = conta
        self.lado = lado
        self.valor = valor
    }
}

/// The lines of an entry. There is no value of this type whose debits and credits differ.
package struct Partidas: Hashable, Sendable {
    /// Each account at most once.
    package let linhas: [Partida]
    /// What the debits add up to, and the credits too.
    package let total: Dinheiro

    /// `nil` unless there are lines, of one currency and more than zero each, no account comes twice, and the sides are equal.
    package init?(_ linhas: [Partida]) {
        guard !linhas.isEmpty, linhas.allSatisfy({ $0.valor > .zero }), Set(linhas.map(\.conta)).count == linhas.count,
            let debitos = Self.soma(.debito, linhas), let creditos = Self.soma(.credito, linhas), debitos == creditos
        else { return nil }
        self.linhas = linhas
        total = debitos
    }

    /// Lines of zero are left out; `nil` also when nothing is left.
    init?(debitar: [(ContaContabil, Dinheiro)], creditar: [(ContaContabil, Dinheiro)]) {
        let linhas = debitar.map { Partida(.debito, $0.0, $0.1) } + creditar.map { Partida(.credito, $0.0, $0.1) }
        self.init(linhas.filter { $0.valor != .zero })
    }

    /// The entry that takes this one back.
    package var invertidas: Partidas {
        Partidas(certas: linhas.map { Partida($0.lado.oposto, $0.conta, $0.valor) }, total: total)
    }

    private init(certas linhas: [Partida], total: Dinheiro) {
        self.linhas = linhas
        self.total = total
    }

    private static func soma(_ lado: Partida.Lado, _ linhas: [Partida]) -> Dinheiro? {
        let valores = linhas.filter { $0.lado == lado }.map(\.valor)
        do { return try Dinheiro.somar(valores) } catch { return nil }
    }
}

extension Partidas: Codable {
    package init(from decoder: any Decoder) throws {
        let caixa = try decoder.singleValueContainer()
        guard let partidas = Partidas(try caixa.decode([Partida].self)) else {
            throw DecodingError.dataCorruptedError(in: caixa, debugDescription: "debits and credits differ")
        }
        self = partidas
    }

    package func encode(to encoder: any Encoder) throws {
        var caixa = encoder.singleValueContainer()
        try caixa.encode(linhas)
    }
}

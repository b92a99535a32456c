/// One try to pay a charge, as the provider is told it: the charge's id and the number of the try, 34 letters and digits. It is the
/// provider's idempotency key and a PIX's `txid` (`[a-zA-Z0-9]{26,35}`), so that whoever hears of it again knows the charge.
package struct TransacaoID: Hashable, Sendable, Comparable {
    package let texto: String

    /// The greatest number there is. It is the desk's: what is paid there is no provider's to number, and no try of a provider may be
    /// taken for it.
    package static let maiorTentativa = 99

    /// - Parameter tentativa: 1 to 99; nil otherwise.
    package init?(_ pagamento: PagamentoID, tentativa: Int) {
        guard (1...Self.maiorTentativa).contains(tentativa) else { return nil }
        var numero: [UInt8] = []
        numero.acrescentar(tentativa, digitos: 2)
        texto = pagamento.texto.filter { $0 != "-" } + String(decoding: numero, as: UTF8.self)
    }

    /// Nil for what is no try of ours.
    package init?(_ texto: String) {
        guard let partes = Self.partes(texto), let igual = TransacaoID(partes.pagamento, tentativa: partes.tentativa), igual.texto == texto
        else { return nil }
        self = igual
    }

    /// The charge that it is a try of.
    package var pagamento: PagamentoID {
        guard let partes = Self.partes(texto) else { preconditionFailure("a transaction names its charge") }
        return partes.pagamento
    }

    /// The number of the try, from 1.
    package var tentativa: Int {
        guard let partes = Self.partes(texto) else { preconditionFailure("a transaction has a number") }
        return partes.tentativa
    }

    package static func < (a: TransacaoID, b: TransacaoID) -> Bool { a.texto < b.texto }

    private static func partes(_ texto: String) -> (pagamento: PagamentoID, tentativa: Int)? {
        let letras = Array(texto.utf8)
        guard letras.count == 34 else { return nil }
        var uuid: [UInt8] = []
        for (posicao, letra) in letras.prefix(32).enumerated() {
            if [8, 12, 16, 20].contains(posicao) { uuid.append(UInt8(ascii: "-")) }
            uuid.append(letra)
        }
        guard let pagamento = PagamentoID(String(decoding: uuid, as: UTF8.self)),
            letras.suffix(2).allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
            let tentativa = Int(String(decoding: letras.suffix(2), as: UTF8.self))
        else { return nil }
        return (pagamento, tentativa)
    }
}

extension TransacaoID: CustomStringConvertible {
    package var description: String { texto }
}

extension TransacaoID: Codable {
    package init(from decoder: any Decoder) throws {
        self = try decoder.lerTexto { TransacaoID($0) }
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.escreverTexto(texto)
    }
}

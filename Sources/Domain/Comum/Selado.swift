/// Ciphertext under one person's key. Personal data enters events only in this form; the domain passes it on unread,
/// and two ciphertexts of one text differ, so equality says nothing about what is inside.
package struct Selado: Hashable, Sendable {
    /// Whatever the keyring wrote, as text.
    package let texto: String

    package init(_ texto: String) {
        self.texto = texto
    }
}

extension Selado: Codable {
    package init(from decoder: any Decoder) throws {
        self = try decoder.lerTexto { Selado($0) }
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.escreverTexto(texto)
    }
}

extension Selado: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) { self.init(try String(ficha, de: carga)) }
}

/// The HMAC of a normalised e-mail address under the key that is never rotated, in lower-case hexadecimal.
/// Names the stream that keeps an address unique without revealing it.
package struct ChaveDeEmail: Hashable, Sendable {
    package let texto: String

    /// Refuses anything but 32 to 128 lower-case hexadecimal digits.
    package init?(_ texto: String) {
        let letras = texto.utf8
        guard (32...128).contains(letras.count), letras.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }) else {
            return nil
        }
        self.texto = texto
    }
}

extension ChaveDeEmail: Codable {
    package init(from decoder: any Decoder) throws {
        self = try decoder.lerTexto { ChaveDeEmail($0) }
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.escreverTexto(texto)
    }
}

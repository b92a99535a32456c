/// The SHA-256 of the secret in a calendar's address, in lower-case hexadecimal: whoever reads the log cannot follow the calendar.
package struct ChaveDeAgenda: Hashable, Sendable, Codable {
    package let texto: String

    /// Refuses anything but 64 lower-case hexadecimal digits.
    package init?(_ texto: String) {
        let letras = texto.utf8
        guard letras.count == 64, letras.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }) else { return nil }
        self.texto = texto
    }

    package init(from decoder: any Decoder) throws {
        self = try decoder.lerTexto { ChaveDeAgenda($0) }
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.escreverTexto(texto)
    }
}

import TestSupport
import Testing

@testable import Domain

/// BR Codes against what the Central Bank published, and against what banks' apps must not take.
@Suite struct CodigoPixTests {
    static let estatico =
        "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D"
    static let dinamico =
        "00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***630464E4"

    @Test func theCheckValueOfTheCRC() {
        #expect(CRC16.texto(CRC16.de("123456789".utf8)) == "29B1")
    }

    @Test func thePublishedCodesAreReadAndWrittenBack() throws {
        let chave = try CodigoPix(lendo: Self.estatico)
        #expect(chave.conta == .chave("123e4567-e12b-12d1-a456-426655440000", descricao: nil))
        #expect(chave.nome == "Fulano de Tal" && chave.cidade == "BRASILIA" && chave.txid == nil && !chave.usoUnico && chave.valor == nil)
        #expect(try chave.texto == Self.estatico)

        let url = try CodigoPix(lendo: Self.dinamico)
        #expect(url.conta == .url("pix.example.com/8b3da2f39a4140d1a91abd93113bd441") && url.usoUnico)
        #expect(try url.texto == Self.dinamico)
    }

    @Test("Every character that is damaged is noticed", arguments: [estatico, dinamico])
    func damage(texto: String) {
        let letras = Array(texto.utf8)
        for posicao in letras.indices {
            var outras = letras
            outras[posicao] = letras[posicao] == UInt8(ascii: "7") ? UInt8(ascii: "3") : UInt8(ascii: "7")
            #expect(throws: ErroDoCodigoPix.self) { try CodigoPix(lendo: String(decoding: outras, as: UTF8.self)) }
        }
        for tamanho in letras.indices {
            #expect(throws: ErroDoCodigoPix.self) { try CodigoPix(lendo: String(decoding: letras.prefix(tamanho), as: UTF8.self)) }
        }
    }

    /// A code of these fields, with the CRC that belongs to it.
    private static func codigo(_ campos: [(String, String)], crc: String? = nil, depois: String = "") -> String {
        let texto = campos.map { $0 + tamanho($1) + $1 }.joined() + "6304"
        return texto + (crc ?? CRC16.texto(CRC16.de(texto.utf8))) + depois
    }

    private static func tamanho(_ texto: String) -> String { (texto.utf8.count < 10 ? "0" : "") + "\(texto.utf8.count)" }
    private static func campo(_ id: String, _ valor: String) -> String { id + tamanho(valor) + valor }

    private static let conta = campo("00", "br.gov.bcb.pix") + campo("01", "chave@exemplo.test")
    private static let certos = [
        ("00", "01"), ("26", conta), ("52", "0000"), ("53", "986"), ("54", "12.34"), ("58", "BR"), ("59", "Nome"), ("60", "Cidade"),
        ("62", "0503***"),
    ]

    private static func trocando(_ id: String, _ valor: String?) -> String {
        codigo(certos.compactMap { campo in campo.0 == id ? valor.map { (id, $0) } : campo })
    }

    static let recusados: [(String, ErroDoCodigoPix)] = [
        (codigo(certos, crc: "0000"), .crcErrado),
        (codigo(certos, depois: "0100"), .depoisDoCRC),
        (codigo(certos + [("58", "BR")]), .campoRepetido("58")),
        (codigo(certos, depois: "6401x"), .depoisDoCRC),
        (trocando("00", nil), .falta("00")), (trocando("00", "02"), .invalido("00")),
        (trocando("26", nil), .falta("26")), (trocando("52", nil), .falta("52")), (trocando("52", "1"), .invalido("52")),
        (trocando("53", nil), .falta("53")), (trocando("53", "840"), .invalido("53")),
        (trocando("54", "12,34"), .invalido("54")), (trocando("54", "12.3"), .invalido("54")), (trocando("54", "0.00"), .invalido("54")),
        (trocando("54", "12345678901.00"), .invalido("54")),
        (trocando("58", nil), .falta("58")), (trocando("58", "US"), .invalido("58")), (trocando("59", nil), .falta("59")),
        (trocando("59", String(repeating: "n", count: 26)), .invalido("59")), (trocando("60", nil), .falta("60")),
        (trocando("60", String(repeating: "c", count: 16)), .invalido("60")), (trocando("62", nil), .falta("62")),
        (trocando("62", "0103abc"), .falta("62.05")), (trocando("62", campo("05", "tem espaco")), .invalido("62.05")),
        (trocando("62", campo("05", String(repeating: "a", count: 26))), .invalido("62.05")),
        (trocando("26", campo("00", "br.gov.bcb.pix")), .semChaveNemURL),
        (trocando("26", conta + campo("25", "pix.example.com/x")), .chaveEURL),
        (trocando("26", campo("00", "br.gov.bcb.pix") + campo("25", "https://pix.example.com/x")), .invalido("26.25")),
        (trocando("26", campo("00", "br.gov.bcb.pix") + campo("01", "")), .invalido("26.01")),
        ("", .semCRC), ("0002", .campoInterrompido), ("00020", .campoInterrompido), ("0x0201", .campoInterrompido),
        (String(repeating: "0", count: 513), .longoDemais),
    ]

    @Test("What is no BR Code is refused, and why is said", arguments: recusados)
    func refused(texto: String, erro: ErroDoCodigoPix) {
        #expect(throws: erro) { try CodigoPix(lendo: texto) }
    }

    @Test func otherFieldsArePassedOver() throws {
        let texto = Self.codigo([("00", "01"), ("27", "0003abc"), ("80", "0004wxyz")] + Self.certos.dropFirst())
        #expect(try CodigoPix(lendo: texto).valor == reais(1_234))
        #expect(throws: ErroDoCodigoPix.campoRepetido("26")) {
            try CodigoPix(lendo: Self.codigo(Self.certos + [("27", Self.conta)]))
        }
    }

    @Test("Whatever can be written is read back as it was", arguments: 0..<400)
    func identity(semente: UInt64) throws {
        var sorteio = SeededGenerator(seed: semente)
        func texto(_ tamanho: ClosedRange<Int>, _ letras: String) -> String {
            let letras = Array(letras)
            return String(
                (0..<Int.random(in: tamanho, using: &sorteio)).map { _ in letras[Int.random(in: letras.indices, using: &sorteio)] })
        }
        let alfanumericos = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        let imprimiveis = alfanumericos + " -_.@+*/"
        let dinamico = Bool.random(using: &sorteio)
        let descricao = Bool.random(using: &sorteio) ? texto(1...20, imprimiveis) : nil
        let codigo = try CodigoPix(
            conta: dinamico
                ? .url("pix.example.com/" + texto(1...50, alfanumericos)) : .chave(texto(1...50, imprimiveis), descricao: descricao),
            valor: Bool.random(using: &sorteio) ? reais(Int64.random(in: 1..<1_000_000_000_000, using: &sorteio)) : nil,
            nome: texto(1...25, imprimiveis),
            cidade: texto(1...15, imprimiveis),
            txid: dinamico || Bool.random(using: &sorteio) ? nil : texto(1...25, alfanumericos),
            usoUnico: Bool.random(using: &sorteio)
        )
        #expect(try CodigoPix(lendo: codigo.texto) == codigo)
    }

    @Test func whatDoesNotFitIsNotWritten() throws {
        #expect(throws: ErroDoCodigoPix.invalido("59")) { try CodigoPix(conta: .url("a/b"), nome: "", cidade: "X") }
        #expect(throws: ErroDoCodigoPix.invalido("59")) { try CodigoPix(conta: .url("a/b"), nome: "São", cidade: "X") }
        #expect(throws: ErroDoCodigoPix.invalido("54")) { try CodigoPix(conta: .url("a/b"), valor: .zero, nome: "N", cidade: "X") }
        #expect(throws: ErroDoCodigoPix.invalido("26.25")) { try CodigoPix(conta: .url("a/b"), nome: "N", cidade: "X", txid: "abc") }
        let longo = try CodigoPix(conta: .chave(String(repeating: "k", count: 77), descricao: "d"), nome: "N", cidade: "X")
        #expect(throws: ErroDoCodigoPix.invalido("26")) { try longo.texto }
    }
}

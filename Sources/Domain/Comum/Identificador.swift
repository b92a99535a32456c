/// The id of one kind of thing: 128 bits, made outside (UUIDv7), written as a lower-case UUID.
/// `Marca` keeps a booking's id from being passed where a space's is meant; it has no values.
package struct Identificador<Marca>: Hashable, Sendable {
    /// The first eight bytes, the first of them highest.
    package let alto: UInt64
    /// The last eight bytes.
    package let baixo: UInt64

    /// The two halves of the id, most significant first.
    package init(alto: UInt64, baixo: UInt64) {
        self.alto = alto
        self.baixo = baixo
    }

    /// Reads the 36-character form with hyphens, upper or lower case; anything else is `nil`.
    package init?(_ texto: some StringProtocol) {
        self.init(letras: Array(texto.utf8).span)
    }

    init?(letras: Span<UInt8>) {
        guard letras.count == 36 else { return nil }
        var metades: (alto: UInt64, baixo: UInt64) = (0, 0)
        for posicao in letras.indices {
            let letra = letras[posicao]
            let digito: UInt8
            switch letra {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digito = letra - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digito = letra - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digito = letra - UInt8(ascii: "A") + 10
            default: digito = 16
            }
            if posicao == 8 || posicao == 13 || posicao == 18 || posicao == 23 {
                guard letra == UInt8(ascii: "-") else { return nil }
            } else {
                guard digito < 16 else { return nil }
                // Eighteen characters hold the first sixteen digits.
                if posicao < 18 {
                    metades.alto = metades.alto << 4 | UInt64(digito)
                } else {
                    metades.baixo = metades.baixo << 4 | UInt64(digito)
                }
            }
        }
        self.init(alto: metades.alto, baixo: metades.baixo)
    }

    /// The canonical form: lower case with hyphens.
    package var texto: String { escrito }

    func escrever(em bytes: inout [UInt8]) {
        for (metade, depois) in [(alto, (8, 12)), (baixo, (0, 4))] {
            for posicao in 0..<16 {
                if depois.0 == posicao || depois.1 == posicao { bytes.append(UInt8(ascii: "-")) }
                let digito = UInt8(metade >> UInt64(60 - 4 * posicao) & 0xF)
                bytes.append(digito < 10 ? UInt8(ascii: "0") + digito : UInt8(ascii: "a") + digito - 10)
            }
        }
    }
}

extension Identificador: Comparable {
    /// Order of the bits, which for UUIDv7 is order of creation.
    package static func < (a: Self, b: Self) -> Bool {
        (a.alto, a.baixo) < (b.alto, b.baixo)
    }
}

extension Identificador: CustomStringConvertible {
    package var description: String { texto }
}

extension Identificador: Codable, LidoDeTexto, EscritoEmTexto {
    package init(from decoder: any Decoder) throws {
        self = try decoder.lerTexto()
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.escreverTexto(de: self)
    }
}

/// Tags for `Identificador`; they have no values.
package enum MarcaDeUsuario {}
package enum MarcaDeSessao {}
package enum MarcaDeUnidade {}
package enum MarcaDeEspaco {}
package enum MarcaDeFechamento {}
package enum MarcaDeLote {}
package enum MarcaDeReserva {}
package enum MarcaDeNotificacao {}
package enum MarcaDeWebhook {}
package enum MarcaDeEvento {}
package enum MarcaDeSerie {}
package enum MarcaDeEspera {}
package enum MarcaDePagamento {}
package enum MarcaDeEstorno {}
package enum MarcaDeCodigo {}

/// A person's account.
package typealias UsuarioID = Identificador<MarcaDeUsuario>
/// One login, from its opening to its revocation.
package typealias SessaoID = Identificador<MarcaDeSessao>
/// A unit: a building with its own zone and tariff.
package typealias UnidadeID = Identificador<MarcaDeUnidade>
/// A bookable space.
package typealias EspacoID = Identificador<MarcaDeEspaco>
/// A closure of a space.
package typealias FechamentoID = Identificador<MarcaDeFechamento>
/// A lot of credits.
package typealias LoteID = Identificador<MarcaDeLote>
/// A booking.
package typealias ReservaID = Identificador<MarcaDeReserva>
/// A message to one person over one channel.
package typealias NotificacaoID = Identificador<MarcaDeNotificacao>
/// An address that is told of events.
package typealias WebhookID = Identificador<MarcaDeWebhook>
/// An event of the log.
package typealias EventoID = Identificador<MarcaDeEvento>
/// A series of bookings made by one rule.
package typealias SerieID = Identificador<MarcaDeSerie>
/// A place in the line for a span of a space.
package typealias EsperaID = Identificador<MarcaDeEspera>
/// A charge and what became of it.
package typealias PagamentoID = Identificador<MarcaDePagamento>
/// One giving back of money, in whole or in part.
package typealias EstornoID = Identificador<MarcaDeEstorno>
/// One code to come in with, which opens once, or one display at a door.
package typealias CodigoID = Identificador<MarcaDeCodigo>

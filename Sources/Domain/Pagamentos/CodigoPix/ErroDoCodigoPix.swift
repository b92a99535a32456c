/// Why a text is no BR Code, or values make none.
package enum ErroDoCodigoPix: Error, Hashable, Sendable {
    /// Longer than a QR code may carry.
    case longoDemais
    /// A field's identifier or length is no two digits, or the text ends within the field.
    case campoInterrompido
    case campoRepetido(String)
    case semCRC
    case crcErrado
    /// Something follows the CRC.
    case depoisDoCRC
    /// A field that must be there is not.
    case falta(String)
    /// A field has a value that it may not have.
    case invalido(String)
    /// The account has a key and a URL, of which there is one.
    case chaveEURL
    /// The account has neither a key nor a URL.
    case semChaveNemURL
}

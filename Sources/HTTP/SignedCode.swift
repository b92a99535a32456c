import Crypto
package import Domain
import FoundationEssentials

/// A short text that we signed for one purpose and that holds until a time: what a screen shows or a camera reads.
///
/// It says nothing secret: a kind, two ids, a time, and 128 bits of HMAC-SHA256 over all of it, in base64url.
package struct SignedCode<Subject>: Sendable {
    /// What the code is about.
    package let subject: Identificador<Subject>
    /// Tells this code from every other.
    package let id: CodigoID
    package let expires: Instante

    package init(subject: Identificador<Subject>, id: CodigoID, expires: Instante) {
        self.subject = subject
        self.id = id
        self.expires = expires
    }

    /// Signs codes of one purpose and reads them.
    package struct Signer: Sendable {
        private let prefix: String
        private let key: SymmetricKey

        /// - Parameter purpose: no two purposes have one; each has a key of its own.
        init(_ purpose: String, prefix: String, master: SymmetricKey) {
            self.prefix = prefix
            key = HKDF<SHA256>.deriveKey(inputKeyMaterial: master, info: Array(purpose.utf8), outputByteCount: 32)
        }

        package func text(of code: SignedCode) -> String {
            let words = [
                code.subject.alto, code.subject.baixo, code.id.alto, code.id.baixo, UInt64(bitPattern: code.expires.microssegundos),
            ]
            let bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) } }
            return prefix + Data(bytes + mac(of: bytes)).base64EncodedString().base64URL
        }

        /// Nil unless we signed it for this purpose. Whether it still holds is for the caller to see.
        package func code(_ text: String) -> SignedCode? {
            guard text.utf8.count <= 100, text.hasPrefix(prefix),
                let bytes = Data(base64Encoded: String(text.dropFirst(prefix.count)).base64Plain).map(Array.init),
                bytes.count == 40 + macLength, isSigned(bytes)
            else { return nil }
            let words = (0..<5).map { word in bytes[(8 * word)..<(8 * word + 8)].reduce(0) { $0 << 8 | UInt64($1) } }
            return SignedCode(
                subject: Identificador(alto: words[0], baixo: words[1]),
                id: CodigoID(alto: words[2], baixo: words[3]),
                expires: Instante(microssegundos: Int64(bitPattern: words[4]))
            )
        }

        private func mac(of bytes: [UInt8]) -> [UInt8] {
            Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key).prefix(macLength))
        }

        /// Compares every byte, wherever they differ.
        private func isSigned(_ bytes: [UInt8]) -> Bool {
            zip(mac(of: Array(bytes.prefix(40))), bytes.suffix(macLength)).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
        }

        private var macLength: Int { 16 }
    }
}

extension IdentitySigner {
    /// Codes to come in with; the subject is the booking. The key is made from the one that gateway and services share.
    package var entryCodes: SignedCode<MarcaDeReserva>.Signer {
        SignedCode.Signer("coworkflow entry code", prefix: "cwe1.", master: key)
    }

    /// What a display at a door reads its space's day with; the subject is the space.
    package var displayCodes: SignedCode<MarcaDeEspaco>.Signer {
        SignedCode.Signer("coworkflow door display", prefix: "cwd1.", master: key)
    }
}

extension String {
    fileprivate var base64URL: String {
        replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    fileprivate var base64Plain: String {
        let plain = replacing("-", with: "+").replacing("_", with: "/")
        return plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
    }
}

package import Crypto
package import Domain
import EventStore
import FoundationEssentials

/// An e-mail address as accounts know it: trimmed and in lower case.
package struct EmailAddress: Sendable {
    package let text: String

    /// - Throws: 400 for what cannot be an address. Whether it reaches anybody only a mail can tell.
    package init(_ input: String, field: String = "email") throws(Problem) {
        let text = input.drop(while: \.isWhitespace).description.lowercased()
        let trimmed = String(text.reversed().drop(while: \.isWhitespace).reversed())
        let parts = trimmed.split(separator: "@", omittingEmptySubsequences: false)
        let labels = parts.count == 2 ? parts[1].split(separator: ".", omittingEmptySubsequences: false) : []
        guard parts.count == 2, (1...64).contains(parts[0].utf8.count), trimmed.utf8.count <= 254,
            labels.count >= 2, labels.allSatisfy({ !$0.isEmpty }),
            trimmed.unicodeScalars.allSatisfy({ !$0.properties.isWhitespace && $0.value > 0x1F && $0.value != 0x7F })
        else { throw .invalid(field: field, "is not an e-mail address") }
        self.text = trimmed
    }

    /// Names the stream that keeps the address unique, without revealing it.
    package func key(_ secret: SymmetricKey) throws -> ChaveDeEmail {
        let mac = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: secret)
        guard let key = ChaveDeEmail(mac.hexadecimal) else { throw Problem.invalid(field: "email", "is not an e-mail address") }
        return key
    }
}

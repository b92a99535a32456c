package import Crypto
package import Domain
import EventStore

/// Names the key under which what is sent to an address is sealed where the address is nobody's account: by an HMAC, which does not reveal it.
/// So what was sent to an address can be erased by whoever knows the address.
package struct AddressSubject: Hashable, Sendable {
    /// No dot is in it.
    package let text: String

    package init(email key: ChaveDeEmail) {
        text = "email-\(key.texto)"
    }

    /// - Parameter secret: the key that streams of e-mail addresses are named by, which is never rotated.
    package init(phone: PhoneNumber, secret: SymmetricKey) {
        let mac = HMAC<SHA256>.authenticationCode(for: Array("phone\n\(phone.text)".utf8), using: secret)
        text = "phone-\(mac.hexadecimal)"
    }
}

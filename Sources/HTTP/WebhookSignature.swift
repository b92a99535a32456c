package import Crypto
package import Domain
import EventStore

/// Signs what one system tells another unasked, and verifies it: `t=<seconds since 1970>,v1=<HMAC-SHA256 in hexadecimal>` over the time, a
/// point and the body's bytes. Only what was signed a moment ago is accepted, so what was overheard is soon worth nothing; what is
/// repeated within that time is known by the id that the body has.
package struct WebhookSignature: Sendable {
    /// How far the signer's clock may be from ours, or how long a message may be on its way.
    package static let window = Duracao.minutos(5)
    /// The header that carries it.
    package static let header = "Webhook-Signature"

    /// Why a signature is not accepted.
    package enum Problem: Error, Sendable, Equatable {
        case malformed
        case wrong
        case tooOld
    }

    private let key: SymmetricKey

    package init(key: SymmetricKey) {
        self.key = key
    }

    package func sign(_ body: [UInt8], at time: Instante) -> String {
        let mac = HMAC<SHA256>.authenticationCode(for: Self.signed(body, time.segundos), using: key)
        return "t=\(time.segundos),v1=\(Array(mac).hexadecimal)"
    }

    /// Compares in constant time.
    package func verify(_ signature: String, of body: [UInt8], at now: Instante) throws(Problem) {
        var fields: [Substring: Substring] = [:]
        for part in signature.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, fields[pair[0]] == nil else { throw .malformed }
            fields[pair[0]] = pair[1]
        }
        guard let seconds = fields["t"].flatMap({ Int64($0) }), (0...253_402_300_799).contains(seconds),
            let mac = fields["v1"].flatMap({ [UInt8](hexadecimal: $0) })
        else { throw .malformed }
        guard HMAC<SHA256>.isValidAuthenticationCode(mac, authenticating: Self.signed(body, seconds), using: key) else { throw .wrong }
        let age = now - Instante(segundos: seconds)
        guard abs(age.microssegundos) <= Self.window.microssegundos else { throw .tooOld }
    }

    private static func signed(_ body: [UInt8], _ seconds: Int64) -> [UInt8] {
        Array("\(seconds).".utf8) + body
    }
}

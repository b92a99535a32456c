import Crypto
import FoundationEssentials

/// How receivers know that a delivery is ours and new (the scheme of standardwebhooks.com): an HMAC over id, time and body.
struct DeliverySignature: Sendable {
    private static let prefix = "whsec_"

    private let key: SymmetricKey

    /// - Parameter secret: as the administrator was told it, `whsec_` and base64; any other text is its bytes.
    init(secret: String) {
        let rest = secret.hasPrefix(Self.prefix) ? secret.dropFirst(Self.prefix.count) : Substring(secret)
        key = SymmetricKey(data: secret.hasPrefix(Self.prefix) ? Data(base64Encoded: String(rest)) ?? Data(rest.utf8) : Data(rest.utf8))
    }

    static func freshSecret() -> String {
        prefix + (unsafe SymmetricKey(size: .bits256).withUnsafeBytes { unsafe Data($0) }).base64EncodedString()
    }

    /// - Parameter time: seconds since the Unix epoch; an old one tells a replay.
    func headers(id: String, time: Int64, body: [UInt8]) -> [(String, String)] {
        let signed = Array("\(id).\(time).".utf8) + body
        let mac = Data(HMAC<SHA256>.authenticationCode(for: signed, using: key)).base64EncodedString()
        return [("webhook-id", id), ("webhook-timestamp", String(time)), ("webhook-signature", "v1,\(mac)")]
    }
}

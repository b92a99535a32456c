import Crypto

/// The public keys that verify our tokens, as a JSON Web Key Set (RFC 7517).
struct KeySet: Encodable, Sendable {
    struct Key: Encodable, Sendable {
        let kty = "EC"
        let crv = "P-256"
        let use = "sig"
        let alg = "ES256"
        let kid: String
        let x: String
        let y: String

        init(_ key: SigningKey) {
            let point = key.privateKey.publicKey.rawRepresentation
            kid = key.kid
            x = Base64URL.encode(point.prefix(32))
            y = Base64URL.encode(point.suffix(32))
        }

        private enum CodingKeys: CodingKey {
            case kty, crv, use, alg, kid, x, y
        }
    }

    let keys: [Key]
}

import Configuration
import Crypto

/// The key that vouches for heads of the log. Only what signs needs its private half, and nothing that can write the log should
/// have that.
enum HeadKey {
    /// From `key.head`, a P-256 private key in PEM.
    static func signing(_ config: ConfigReader) throws -> P256.Signing.PrivateKey {
        let pem = try Settings.required(config, "key.head", isSecret: true)
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) else {
            throw Settings.Problem.invalid(
                "key.head",
                "must be a P-256 private key in PEM: openssl ecparam -name prime256v1 -genkey -noout"
            )
        }
        return key
    }

    /// From `key.head.public`, a P-256 public key in PEM, or else the other half of `key.head`.
    static func verifying(_ config: ConfigReader) throws -> P256.Signing.PublicKey {
        guard let pem = config.string(forKey: "key.head.public") else {
            guard config.string(forKey: "key.head", isSecret: true) != nil else { throw Settings.Problem.missing("key.head.public") }
            return try signing(config).publicKey
        }
        guard let key = try? P256.Signing.PublicKey(pemRepresentation: pem) else {
            throw Settings.Problem.invalid("key.head.public", "must be a P-256 public key in PEM: openssl ec -pubout")
        }
        return key
    }
}

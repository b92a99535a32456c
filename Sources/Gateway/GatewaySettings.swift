package import Crypto

/// What the gateway is told by its configuration.
package struct GatewaySettings: Sendable {
    /// The replicas of each service, as base URLs such as `http://127.0.0.1:5003`; a service has at least one.
    package var services: [ServiceName: [String]]
    /// Sign access tokens: the first one signs, all of them verify, so a key can be replaced while tokens of the old one live.
    package var signingKeys: [SigningKey]
    /// How long an access token holds, if its session does not end before: that is noticed within about a second of its being in
    /// the read model, and at the latest when the token expires.
    package var accessLifetime: Duration = .seconds(15 * 60)
    /// How long a refresh token may lie unused.
    package var refreshLifetime: Duration = .seconds(30 * 24 * 3600)
    /// How long a service may take to answer. Longer than a command's own patience, so that the service's word is heard.
    package var requestTimeout: Duration = .seconds(10)
    /// Where `swagger-ui-bundle.js` and `swagger-ui.css` lie: that directory, or one with a single `swagger-ui-*` directory
    /// below it. Without it `/docs` is 404. The files must be of Swagger UI 5 to show an OpenAPI 3.1 document.
    package var swaggerDirectory: String?

    package init(services: [ServiceName: [String]], signingKeys: [SigningKey]) {
        self.services = services
        self.signingKeys = signingKeys
    }
}

/// A key that signs access tokens.
package struct SigningKey: Sendable {
    /// The key's name in tokens and in the published key set.
    package let kid: String
    let privateKey: P256.Signing.PrivateKey

    /// - Parameter pem: a P-256 private key (PKCS #8 or SEC 1).
    /// - Throws: `CryptoKitError` or a parsing error where the text is no such key.
    package init(kid: String, pem: String) throws {
        self.init(kid: kid, privateKey: try P256.Signing.PrivateKey(pemRepresentation: pem))
    }

    package init(kid: String, privateKey: P256.Signing.PrivateKey) {
        precondition(!kid.isEmpty, "a signing key needs a name")
        self.kid = kid
        self.privateKey = privateKey
    }
}

/// How a provider of the Central Bank's Pix API is reached.
package struct PixSettings: Sendable {
    /// Of the API, without a slash at its end.
    package let url: String
    /// Where tokens are given out (OAuth 2 client credentials).
    package let tokenURL: String
    package let clientID: String
    package let clientSecret: String
    /// The PIX key that the money goes to.
    package let key: String
    /// What webhooks must bring in their query as `hmac`.
    package let webhookSecret: String
    /// The paths of our certificate and its key in PEM, where the provider asks for one.
    package let certificate: String?
    package let privateKey: String?
    /// Whom to trust besides the system's authorities: a path, in PEM.
    package let trustRoots: String?

    package init(
        url: String,
        tokenURL: String,
        clientID: String,
        clientSecret: String,
        key: String,
        webhookSecret: String,
        certificate: String? = nil,
        privateKey: String? = nil,
        trustRoots: String? = nil
    ) {
        self.url = url
        self.tokenURL = tokenURL
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.key = key
        self.webhookSecret = webhookSecret
        self.certificate = certificate
        self.privateKey = privateKey
        self.trustRoots = trustRoots
    }
}

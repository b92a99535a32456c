import AsyncHTTPClient
import Foundation

/// Access tokens of a Pix API (OAuth 2 client credentials), each kept until a moment before it runs out.
actor PixTokens {
    private struct Token: Decodable {
        let access_token: String
        let expires_in: Int?
    }

    private let client: ProviderClient
    private let authorization: String
    private var kept: (text: String, until: ContinuousClock.Instant)?

    init(_ settings: PixSettings, configuration: HTTPClient.Configuration) {
        client = ProviderClient(base: settings.tokenURL, configuration: configuration)
        authorization = "Basic \(Data("\(settings.clientID):\(settings.clientSecret)".utf8).base64EncodedString())"
    }

    func token() async throws(ProviderError) -> String {
        if let kept, kept.until > .now { return kept.text }
        let body = Array("grant_type=client_credentials&scope=cob.write+cob.read+pix.write+pix.read".utf8)
        let answer = try await client.send(
            .POST, "", headers: ["Authorization": authorization], body: body, type: "application/x-www-form-urlencoded"
        )
        guard answer.status == 200, let token = try? JSONDecoder().decode(Token.self, from: Data(answer.body)) else { throw .unavailable }
        let lifetime = max(0, (token.expires_in ?? 60) - 30)
        kept = (token.access_token, .now + .seconds(lifetime))
        return token.access_token
    }

    func forget() {
        kept = nil
    }

    func shutDown() async {
        await client.shutDown()
    }
}

import Crypto
import Domain
import FoundationEssentials
import HTTP
import JWTKit

/// Issues and verifies access tokens: JWTs signed with ES256 by a key that the header names.
struct AccessTokens: Sendable {
    /// Longer than any token of ours.
    private static let maximumLength = 2048

    private let keys: JWTKeyCollection
    private let signing: SigningKey
    private let kids: Set<String>
    /// The public keys, as `/.well-known/jwks.json` shows them.
    let keySet: KeySet
    /// In seconds.
    let lifetime: Int64
    private let cache: VerifiedTokens
    private let clock: @Sendable () -> Int64

    /// - Parameters:
    ///   - signingKeys: at least one, with distinct names.
    ///   - clock: microseconds since the Unix epoch.
    init(signingKeys: [SigningKey], lifetime: Int64, clock: @escaping @Sendable () -> Int64) async throws {
        guard let signing = signingKeys.first else { preconditionFailure("tokens need a signing key") }
        self.signing = signing
        self.lifetime = lifetime
        self.clock = clock
        kids = Set(signingKeys.map(\.kid))
        precondition(kids.count == signingKeys.count, "signing keys need distinct names")
        keySet = KeySet(keys: signingKeys.map(KeySet.Key.init))
        cache = VerifiedTokens(capacity: 10_000)
        keys = JWTKeyCollection()
        for key in signingKeys {
            await keys.add(ecdsa: try ES256PrivateKey(backing: key.privateKey), kid: JWKIdentifier(string: key.kid))
        }
    }

    func issue(to identity: Identity) async throws -> String {
        let now = clock() / 1_000_000
        let claims = AccessClaims(
            iss: AccessClaims.issuer,
            sub: identity.user.texto,
            role: identity.role.rawValue,
            units: identity.units?.texts,
            sid: identity.session.texto,
            iat: now,
            exp: now + lifetime
        )
        return try await keys.sign(claims, kid: JWKIdentifier(string: signing.kid))
    }

    /// Who the token was issued to; nil unless it is ours and still holds.
    func verify(_ token: String) async -> Identity? {
        let now = clock() / 1_000_000
        if let identity = cache.identity(of: token, at: now) { return identity }
        guard token.utf8.count <= Self.maximumLength, namesOurKey(token),
            let claims = try? await keys.verify(token, as: AccessClaims.self),
            claims.iss == AccessClaims.issuer, claims.iat <= now + 60, now < claims.exp,
            let user = UsuarioID(claims.sub), let role = Papel(rawValue: claims.role), let session = SessaoID(claims.sid)
        else { return nil }
        var units: Set<UnidadeID>?
        if let named = claims.units {
            units = Set<UnidadeID>(texts: named)
            if units == nil { return nil }
        }
        let identity = Identity(user: user, role: role, units: units, session: session)
        cache.remember(token, as: identity, until: claims.exp, at: now)
        return identity
    }

    /// Whether the header asks for exactly what we sign with. The key decides the algorithm, never the token: an
    /// unknown key would otherwise fall back to the default one, and an extension that must be understood would be passed over.
    private func namesOurKey(_ token: String) -> Bool {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty && Base64URL.decode($0) != nil }),
            let bytes = Base64URL.decode(parts[0]),
            let header = try? JSONDecoder().decode(Header.self, from: Data(bytes))
        else { return false }
        return header.alg == "ES256" && kids.contains(header.kid) && header.crit == nil
    }

    private struct Header: Decodable {
        let alg: String
        let kid: String
        let crit: [String]?
    }
}

import Crypto
import Domain
import FoundationEssentials
import HTTP
import JWTKit
import Testing

@testable import Gateway

@Suite struct AccessTokenTests {
    private let clock = TestClock()
    private let key = SigningKey(kid: "now", privateKey: P256.Signing.PrivateKey())
    private let identity = TestGateway.manager

    private func tokens(_ keys: SigningKey...) async throws -> AccessTokens {
        let clock = clock
        return try await AccessTokens(signingKeys: keys, lifetime: 900, clock: { clock.microseconds })
    }

    @Test func `a token says who it was issued to until it expires, remembered or not`() async throws {
        // given
        let tokens = try await tokens(key)
        let token = try await tokens.issue(to: identity)
        let unseen = try await tokens.issue(to: TestGateway.member)

        // when, then
        #expect(await tokens.verify(token) == identity)
        clock.advance(seconds: 899)
        #expect(await tokens.verify(token) == identity)
        clock.advance(seconds: 1)
        #expect(await tokens.verify(token) == nil)
        #expect(await tokens.verify(unseen) == nil)
    }

    private static let units: [Set<UnidadeID>] = [
        [], [Samples.id(1)], Set((1...AlterarPapel.maximo).map { number -> UnidadeID in Samples.id(number) }),
    ]

    @Test(arguments: units)
    func `a token carries the units that the role is for, as many as there may be`(_ units: Set<UnidadeID>) async throws {
        let tokens = try await tokens(key)
        let limited = TestGateway.identity(4, .gestor, units: units)
        let token = try await tokens.issue(to: limited)
        // By another one, which remembers nothing
        #expect(await (try self.tokens(key)).verify(token) == limited)
    }

    @Test func `a key that was replaced still verifies what it signed, and no longer signs`() async throws {
        // given
        let old = SigningKey(kid: "before", privateKey: P256.Signing.PrivateKey())
        let token = try await tokens(old).issue(to: identity)

        // when
        let both = try await tokens(key, old)

        // then
        #expect(await both.verify(token) == identity)
        #expect(await both.verify(try await both.issue(to: identity)) == identity)
        #expect(await (try tokens(old)).verify(try await both.issue(to: identity)) == nil)
    }

    @Test func `the key set holds public keys only`() async throws {
        // when
        let set = try await tokens(key).keySet

        // then
        let published = try #require(set.keys.first)
        let point = try #require(Base64URL.decode(published.x)) + #require(Base64URL.decode(published.y))
        #expect(set.keys.map(\.kid) == ["now"])
        #expect(Data(point) == key.privateKey.publicKey.rawRepresentation)
        #expect(!(try String(decoding: JSONEncoder().encode(set), as: UTF8.self)).contains("\"d\""))
    }

    /// Each takes a valid token apart and puts something else together.
    enum Attack: String, CaseIterable {
        case algorithmNone, algorithmNoneWithSignature, algorithmHS256WithPublicKey, algorithmES384, unknownKey, noKey, criticalExtension
        case otherSigner, changedPayload, changedSignature, noSignature, expired, issuedInTheFuture, otherIssuer, unknownRole, badUser,
            badUnits
        case empty, garbage, twoParts, fourParts, notBase64, notJSON, paddedSignature, huge
    }

    @Test(arguments: Attack.allCases)
    func `whatever is not exactly ours is refused`(_ attack: Attack) async throws {
        // given
        let tokens = try await tokens(key)
        let valid = try await tokens.issue(to: identity)

        // when
        let forged = try await forge(attack, from: valid)

        // then
        #expect(await tokens.verify(forged) == nil)
        #expect(await tokens.verify(valid) == identity)
    }

    private func forge(_ attack: Attack, from valid: String) async throws -> String {
        let parts = valid.split(separator: ".").map(String.init)
        let (header, payload, signature) = (parts[0], parts[1], parts[2])
        let now = TestClock.start / 1_000_000
        switch attack {
        case .algorithmNone: return "\(encode(#"{"alg":"none","kid":"now"}"#)).\(payload)."
        case .algorithmNoneWithSignature: return "\(encode(#"{"alg":"none","kid":"now"}"#)).\(payload).\(signature)"
        case .algorithmHS256WithPublicKey:
            let input = "\(encode(#"{"alg":"HS256","kid":"now"}"#)).\(payload)"
            let secret = SymmetricKey(data: Data(key.privateKey.publicKey.pemRepresentation.utf8))
            return "\(input).\(Base64URL.encode(HMAC<SHA256>.authenticationCode(for: Data(input.utf8), using: secret)))"
        case .algorithmES384: return try sign(header: #"{"alg":"ES384","kid":"now"}"#, payload: payload)
        case .unknownKey: return try sign(header: #"{"alg":"ES256","kid":"other"}"#, payload: payload)
        case .noKey: return try sign(header: #"{"alg":"ES256"}"#, payload: payload)
        case .criticalExtension: return try sign(header: #"{"alg":"ES256","kid":"now","crit":["exp"]}"#, payload: payload)
        case .otherSigner:
            return try await self.tokens(SigningKey(kid: "now", privateKey: P256.Signing.PrivateKey())).issue(to: identity)
        case .changedPayload:
            let claims = String(decoding: Base64URL.decode(payload) ?? [], as: UTF8.self)
            return "\(header).\(encode(claims.replacing("gestor", with: "admin"))).\(signature)"
        case .changedSignature:
            var bytes = Base64URL.decode(signature) ?? []
            bytes[10] ^= 1
            return "\(header).\(payload).\(Base64URL.encode(bytes))"
        case .noSignature: return "\(header).\(payload)."
        case .expired: return try sign(claims(exp: now))
        case .issuedInTheFuture: return try sign(claims(iat: now + 3600))
        case .otherIssuer: return try sign(claims(iss: "somebody"))
        case .unknownRole: return try sign(claims(role: "root"))
        case .badUser: return try sign(claims(sub: "1"))
        case .badUnits: return try sign(claims(units: #"["x"]"#))
        case .empty: return ""
        case .garbage: return "Zm9v"
        case .twoParts: return "\(header).\(payload)"
        case .fourParts: return "\(valid).\(signature)"
        case .notBase64: return "\(header).%%%.\(signature)"
        case .notJSON: return "\(encode("alg")).\(payload).\(signature)"
        case .paddedSignature: return "\(valid)=="
        case .huge: return "\(header).\(payload)\(String(repeating: "A", count: 100_000)).\(signature)"
        }
    }

    @Test func `claims that are in order are accepted, so that the attacks fail for their own reason`() async throws {
        #expect(await (try tokens(key)).verify(try sign(claims())) == identity)
        let limited = TestGateway.identity(4, .gestor, units: [Samples.id(1)])
        let named = #"["\#((Samples.id(1) as UnidadeID).texto)"]"#
        #expect(await (try tokens(key)).verify(try sign(claims(units: named))) == limited)
    }

    private func claims(
        iss: String = "coworkflow",
        sub: String? = nil,
        role: String = "gestor",
        iat: Int64 = TestClock.start / 1_000_000,
        exp: Int64 = TestClock.start / 1_000_000 + 900,
        units: String? = nil
    ) -> String {
        let sub = sub ?? identity.user.texto
        let named = units.map { #","units":\#($0)"# } ?? ""
        return #"""
            {"iss":"\#(iss)","sub":"\#(sub)","role":"\#(role)","sid":"\#(identity.session.texto)","iat":\#(iat),"exp":\#(exp)\#(named)}
            """#
    }

    private func sign(_ claims: String) throws -> String {
        try sign(header: #"{"alg":"ES256","kid":"now"}"#, payload: encode(claims))
    }

    private func sign(header: String, payload: String) throws -> String {
        let input = "\(encode(header)).\(payload)"
        return "\(input).\(Base64URL.encode(try key.privateKey.signature(for: Data(input.utf8)).rawRepresentation))"
    }

    private func encode(_ text: String) -> String {
        Base64URL.encode(text.utf8)
    }
}

@Suite struct VerifiedTokensTests {
    @Test func `the memory is bounded and lets go of expired tokens first`() {
        // given
        let cache = VerifiedTokens(capacity: 3)
        cache.remember("a", as: TestGateway.member, until: 10, at: 0)
        cache.remember("b", as: TestGateway.member, until: 20, at: 0)
        cache.remember("c", as: TestGateway.member, until: 10, at: 0)

        // when
        cache.remember("d", as: TestGateway.admin, until: 30, at: 15)

        // then
        #expect(cache.count == 2)
        #expect(cache.identity(of: "b", at: 15) == TestGateway.member)
        #expect(cache.identity(of: "d", at: 15) == TestGateway.admin)

        // when
        for number in 0..<10 { cache.remember("\(number)", as: TestGateway.member, until: 40, at: 15) }

        // then
        #expect(cache.count <= 3)
    }
}

import Crypto
import Domain
import FoundationEssentials
import HTTP
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Postgres
import Projections
import Synchronization

@testable import Gateway

/// A clock that stands still unless it is moved.
final class TestClock: Sendable {
    /// 2026-03-02 12:00 UTC, a Monday.
    static let start: Int64 = 1_772_452_800_000_000

    private let time = Atomic(TestClock.start)

    var microseconds: Int64 { time.load(ordering: .relaxed) }

    func advance(seconds: Int64) {
        time.add(seconds * 1_000_000, ordering: .relaxed)
    }
}

/// A gateway to send requests to.
struct TestGateway: Sendable {
    let clock: TestClock
    let signer: IdentitySigner
    let signingKey: SigningKey
    /// Method and path of everything that it answers.
    let routes: Set<String>
    private let client: any TestClientProtocol

    /// Nobody listens there.
    static let nowhere = "http://127.0.0.1:1"

    static let member = identity(1, .membro)
    static let otherMember = identity(2, .membro)
    static let receptionist = identity(3, .recepcao)
    static let manager = identity(4, .gestor)
    static let admin = identity(5, .admin)

    /// - Parameter units: that the role is for; nil for all.
    static func identity(_ number: Int, _ role: Papel, units: Set<UnidadeID>? = nil) -> Identity {
        Identity(user: Samples.id(number), role: role, units: units, session: Samples.id(number))
    }

    /// Runs a test with a gateway.
    ///
    /// - Parameters:
    ///   - past: how to build earlier states; without it, there are none.
    ///   - replicas: of every service.
    ///   - adjust: changes settings.
    static func with(
        pool: PostgresPool = .unreachable(),
        past: PostgresConfiguration? = nil,
        replicas: [String] = [nowhere],
        adjust: (inout GatewaySettings) -> Void = { _ in },
        _ test: @Sendable @escaping (TestGateway) async throws -> Void
    ) async throws {
        let clock = TestClock()
        let key = SigningKey(kid: "test", privateKey: P256.Signing.PrivateKey())
        let signer = IdentitySigner(key: SymmetricKey(size: .bits256), clock: { clock.microseconds })
        var settings = GatewaySettings(
            services: Dictionary(uniqueKeysWithValues: ServiceName.allCases.map { ($0, replicas) }),
            signingKeys: [key]
        )
        adjust(&settings)
        let progress = ProgressWatcher(pool: pool, logger: TestDatabase.logger)
        let history = PastReadModels(analytics: past ?? .unreachable, logger: TestDatabase.logger)
        let gateway = try await Gateway(
            settings,
            Gateway.Dependencies(
                pool: pool,
                progress: progress,
                past: history,
                signer: signer,
                zones: ZoneCatalog(),
                clock: { clock.microseconds },
                logger: TestDatabase.logger
            )
        )
        let router = gateway.router()
        try router.validate()
        let routes = Set(router.routes.map { "\($0.method.rawValue) \($0.path)" })
        let application = Application(
            router: router,
            services: gateway.background + [progress] + (past == nil ? [] : [history]),
            logger: TestDatabase.logger
        )
        try await application.test(.router) { client in
            try await test(TestGateway(clock: clock, signer: signer, signingKey: key, routes: routes, client: client))
        }
    }

    /// Sends a request, signed in as somebody or as nobody.
    func send(
        _ method: HTTPRequest.Method,
        _ uri: String,
        as identity: Identity? = nil,
        headers: HTTPFields = [:],
        json: String? = nil
    ) async throws -> TestResponse {
        var headers = headers
        if let identity { headers[.authorization] = "Bearer \(try await token(of: identity))" }
        if json != nil, headers[.contentType] == nil { headers[.contentType] = "application/json" }
        return try await client.execute(uri: uri, method: method, headers: headers, body: json.map { ByteBuffer(string: $0) })
    }

    func token(of identity: Identity) async throws -> String {
        let clock = clock
        return try await AccessTokens(signingKeys: [signingKey], lifetime: 900, clock: { clock.microseconds }).issue(to: identity)
    }
}

extension TestResponse {
    var json: JSONValue {
        get throws { try JSONValue(body) }
    }
}

extension HTTPField.Name {
    static let identity = Self.known("CoworkFlow-Identity")
    static let position = Self.known("CoworkFlow-Position")
    static let after = Self.known("CoworkFlow-After")
    static let stale = Self.known("CoworkFlow-Stale")
    static let idempotencyKey = Self.known("Idempotency-Key")
    static let requestID = Self.known("X-Request-ID")
    static let trace = Self.known("traceparent")
    static let link = Self.known("Link")
    static let referrerPolicy = Self.known("Referrer-Policy")
    static let forwardedFor = Self.known("X-Forwarded-For")

    private static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is no header name") }
        return name
    }
}

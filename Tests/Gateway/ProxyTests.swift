import Domain
import HTTP
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import Gateway

@Suite struct ProxyTests {
    private static let member = TestGateway.member

    @Test func `a command reaches its service with the signed identity and nothing that was smuggled in`() async throws {
        try await FakeServices.with(answering: { _ in .json("{}") }) { services, url in
            try await TestGateway.with(replicas: [url]) { gateway in
                // given
                let forged = gateway.signer.sign(TestGateway.admin)

                // when
                let response = try await gateway.send(
                    .post,
                    "/api/reservations?dry=1",
                    as: Self.member,
                    headers: [
                        .identity: forged, .idempotencyKey: "k-1", .requestID: "r-1", .acceptLanguage: "en", .forwardedFor: "1.2.3.4",
                        .trace: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", .connection: "close", .cookie: "a=b",
                    ],
                    json: #"{"space_id":"é"}"#
                )

                // then
                #expect(response.status == .ok)
                #expect(response.headers[.requestID] == "r-1")
                let received = try #require(services.received.first)
                #expect(services.received.count == 1)
                #expect(received.method == .post)
                #expect(received.path == "/reservations")
                #expect(received.query == "dry=1")
                #expect(received.body == #"{"space_id":"é"}"#)
                #expect(received.headers[values: .identity].count == 1)
                #expect(received.headers[.identity].flatMap { gateway.signer.verify($0) } == Self.member)
                #expect(received.headers[.idempotencyKey] == "k-1")
                #expect(received.headers[.requestID] == "r-1")
                #expect(received.headers[.acceptLanguage] == "en")
                #expect(received.headers[.trace] == "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                #expect(received.headers[.contentType] == "application/json")
                #expect(received.headers[.authorization] == nil)
                #expect(received.headers[.cookie] == nil)
                #expect(received.headers[.forwardedFor] == nil)
            }
        }
    }

    @Test func `whoever has not signed in carries no identity, a forged one included`() async throws {
        try await FakeServices.with(answering: { _ in .json("{}") }) { services, url in
            try await TestGateway.with(replicas: [url]) { gateway in
                for path in ["/auth/signup", "/pricing/calc"] {
                    _ = try await gateway.send(.post, path, headers: [.identity: gateway.signer.sign(TestGateway.admin)], json: "{}")
                }
                #expect(services.received.map(\.path) == ["/auth/signup", "/pricing/calc"])
                #expect(services.received.allSatisfy { $0.headers[.identity] == nil })
            }
        }
    }

    @Test func `status, headers and body come back as the service gave them`() async throws {
        let problem = #"{"code":"outside_opening_hours","status":422}"#
        try await FakeServices.with(answering: { received in
            guard received.method == .post else {
                return Response(
                    status: .unprocessableContent,
                    headers: [.contentType: "application/problem+json", .retryAfter: "7", .server: "secret"],
                    body: .init(byteBuffer: ByteBuffer(string: problem))
                )
            }
            return .json(#"{"id":"1"}"#, .created, headers: [.position: "42"])
        }) { _, url in
            try await TestGateway.with(replicas: [url]) { gateway in
                // when
                let made = try await gateway.send(.post, "/spaces", as: TestGateway.admin, json: "{}")
                let refused = try await gateway.send(.delete, "/spaces/019a2f3c", as: TestGateway.admin)

                // then
                #expect(made.status == .created)
                #expect(made.headers[.position] == "42")
                #expect(String(buffer: made.body) == #"{"id":"1"}"#)
                #expect(refused.status == .unprocessableContent)
                #expect(refused.headers[.contentType] == "application/problem+json")
                #expect(refused.headers[.retryAfter] == "7")
                #expect(refused.headers[.server] == nil)
                #expect(String(buffer: refused.body) == problem)
            }
        }
    }

    @Test func `an error that is no problem document is not shown`() async throws {
        try await FakeServices.with(answering: { _ in .json(#"{"trace":"secret"}"#, .internalServerError) }) { _, url in
            try await TestGateway.with(replicas: [url]) { gateway in
                let response = try await gateway.send(.post, "/units", as: TestGateway.admin, json: "{}")
                #expect(response.status == .badGateway)
                #expect(try response.json["code"] == .string("bad_gateway"))
                #expect(!String(buffer: response.body).contains("secret"))
            }
        }
    }

    @Test func `a body beyond the limit is refused here`() async throws {
        try await FakeServices.with(answering: { _ in .json("{}") }) { services, url in
            try await TestGateway.with(replicas: [url]) { gateway in
                let body = #"{"notes":"\#(String(repeating: "x", count: Request.jsonLimit))"}"#
                let response = try await gateway.send(.post, "/reservations", as: Self.member, json: body)
                #expect(response.status == .contentTooLarge)
                #expect(try response.json["code"] == .string("body_too_large"))
                #expect(services.received.isEmpty)
            }
        }
    }

    @Test(arguments: CommandRoute.passedThrough.filter { $0.audience == .members } + [.logout])
    func `a command of members is refused without a token, and with a bad one`(_ route: CommandRoute) async throws {
        try await FakeServices.with(answering: { _ in .json("{}") }) { services, url in
            try await TestGateway.with(replicas: [url]) { gateway in
                for headers: HTTPFields in [[:], [.authorization: "Bearer x.y.z"], [.authorization: "Basic YTpi"]] {
                    let response = try await gateway.send(route.method, route.template, headers: headers, json: "{}")
                    #expect(response.status == .unauthorized)
                    #expect(response.headers[.contentType] == "application/problem+json")
                    #expect(response.headers[.wwwAuthenticate] == "Bearer")
                }
                #expect(services.received.isEmpty)
            }
        }
    }

    @Test(arguments: ["..", "%2e%2e", "a%2Fb", "a;b", "a%20b", String(repeating: "a", count: 129)])
    func `nothing but a name goes where an id does`(_ id: String) async throws {
        try await FakeServices.with(answering: { _ in .json("{}") }) { services, url in
            try await TestGateway.with(replicas: [url]) { gateway in
                let response = try await gateway.send(.put, "/reservations/\(id)", as: Self.member, json: "{}")
                #expect(response.status == .notFound)
                #expect(services.received.isEmpty)
            }
        }
    }

    @Test func `a service that is down is 503, and nothing was done`() async throws {
        try await TestGateway.with { gateway in
            let response = try await gateway.send(.post, "/reservations", as: Self.member, headers: [.idempotencyKey: "k"], json: "{}")
            #expect(response.status == .serviceUnavailable)
            #expect(response.headers[.retryAfter] == "1")
            #expect(response.headers[.contentType] == "application/problem+json")
            #expect(try response.json["code"] == .string("unavailable"))
        }
    }

    @Test func `a replica that is down is passed over`() async throws {
        try await FakeServices.with(answering: { _ in .json("{}") }) { services, url in
            try await TestGateway.with(replicas: [TestGateway.nowhere, url]) { gateway in
                for _ in 1...4 {
                    let response = try await gateway.send(.post, "/reservations", as: Self.member, json: "{}")
                    #expect(response.status == .ok)
                }
                #expect(services.received.count == 4)
            }
        }
    }

    @Test func `a service that does not answer in time leaves the outcome unknown`() async throws {
        let gate = Gate()
        try await FakeServices.with(answering: { _ in
            await gate.wait()
            return .json("{}")
        }) { services, url in
            try await TestGateway.with(replicas: [url, url], adjust: { $0.requestTimeout = .seconds(1) }) { gateway in
                // when
                let response = try await gateway.send(.post, "/reservations", as: Self.member, headers: [.idempotencyKey: "k"], json: "{}")
                gate.open()

                // then
                #expect(response.status == .serviceUnavailable)
                #expect(response.headers[.retryAfter] == "1")
                #expect(try response.json["code"] == .string("outcome_unknown"))
                #expect(services.received.count == 1)
            }
        }
    }

    /// A connection that breaks in the middle of the answer.
    private static let broken: @Sendable (FakeServices.Received) async throws -> Response = { _ in
        Response(
            status: .ok,
            headers: [.contentType: "application/json"],
            body: ResponseBody(contentLength: 100) { writer in
                try await writer.write(ByteBuffer(string: "{"))
                throw CancellationError()
            }
        )
    }

    @Test func `a command that may have arrived is not sent again unless its key makes that harmless`() async throws {
        try await FakeServices.with(answering: Self.broken) { broken, brokenURL in
            try await FakeServices.with(answering: { _ in .json("{}") }) { sound, soundURL in
                try await TestGateway.with(replicas: [brokenURL, soundURL]) { gateway in
                    // when
                    let unkeyed = try await gateway.send(.post, "/reservations", as: Self.member, json: "{}")

                    // then
                    #expect(unkeyed.status == .serviceUnavailable)
                    #expect(try unkeyed.json["code"] == .string("outcome_unknown"))
                    #expect(broken.received.count == 1)
                    #expect(sound.received.isEmpty)
                }
                try await TestGateway.with(replicas: [brokenURL, soundURL]) { gateway in
                    // when
                    let keyed = try await gateway.send(.post, "/reservations", as: Self.member, headers: [.idempotencyKey: "k"], json: "{}")

                    // then
                    #expect(keyed.status == .ok)
                    #expect(broken.received.count == 2)
                    #expect(sound.received.count == 1)
                }
            }
        }
    }

    @Test func `ready says what is missing`() async throws {
        try await FakeServices.with(answering: { _ in .json("{}") }) { _, url in
            try await TestDatabase.with { database in
                try await TestGateway.with(pool: database.gateway, replicas: [url]) { gateway in
                    let response = try await gateway.send(.get, "/ready")
                    #expect(response.status == .ok)
                }
                try await TestGateway.with(
                    pool: database.gateway, replicas: [url], adjust: { $0.services[.precos] = [TestGateway.nowhere] }
                ) { gateway in
                    let response = try await gateway.send(.get, "/ready")
                    #expect(response.status == .serviceUnavailable)
                    #expect(try response.json["violations"].array.map { $0["field"] } == [.string("precos")])
                }
            }
            try await TestGateway.with(replicas: [url]) { gateway in
                let response = try await gateway.send(.get, "/ready")
                #expect(response.status == .serviceUnavailable)
                #expect(try response.json["violations"].array.map { $0["field"] } == [.string("database")])
                #expect(try await gateway.send(.get, "/health").status == .ok)
            }
        }
    }
}

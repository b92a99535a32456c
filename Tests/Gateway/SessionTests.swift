import Domain
import HTTP
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Postgres
import Projections
import Testing

@testable import Gateway

@Suite struct SessionTests {
    private static let member = TestGateway.member

    private static let usuarios: @Sendable (FakeServices.Received) async throws -> Response = { received in
        switch received.path {
        case "/auth/login":
            .json(
                #"{"user_id":"\#(member.user.texto)","role":"membro","session_id":"\#(member.session.texto)"}"#,
                headers: [.position: "9"]
            )
        default: .json(#"{"message":"Sessão encerrada."}"#, headers: [.position: "10"])
        }
    }

    /// A gateway whose member 1 has an account and a session, and what else is said.
    private func with(
        _ history: (inout History) throws -> Void = { _ in },
        _ test: @Sendable @escaping (TestGateway, FakeServices, TestDatabase) async throws -> Void
    ) async throws {
        var log = History()
        try log.signUp(1, name: "Ana")
        try log.openSession(of: 1)
        try history(&log)
        let complete = log
        try await TestDatabase.with { database in
            try await complete.project(into: database)
            try await FakeServices.with(answering: Self.usuarios) { services, url in
                try await TestGateway.with(pool: database.gateway, replicas: [url]) { gateway in
                    try await test(gateway, services, database)
                }
            }
        }
    }

    private func logIn(_ gateway: TestGateway) async throws -> JSONValue {
        let response = try await gateway.send(.post, "/auth/login", json: #"{"email":"ana@example.com","password":"secret"}"#)
        #expect(response.status == .ok)
        #expect(response.headers[.cacheControl] == "no-store")
        #expect(response.headers[.position] == "9")
        return try response.json
    }

    private func refresh(_ gateway: TestGateway, _ token: String?) async throws -> (status: HTTPResponse.Status, body: JSONValue) {
        let response = try await gateway.send(.post, "/auth/refresh", json: #"{"refresh_token":"\#(token ?? "")"}"#)
        return (response.status, try response.json)
    }

    @Test func `signing in gives tokens that open the gateway`() async throws {
        try await with { gateway, services, _ in
            // when
            let tokens = try await logIn(gateway)

            // then
            #expect(Set(tokens.object.keys) == ["token", "refresh_token", "role", "user_id", "expires_in"])
            #expect(tokens["role"] == .string("membro"))
            #expect(tokens["user_id"] == .string(Self.member.user.texto))
            #expect(tokens["expires_in"] == .number(900))
            let me = try await gateway.send(.get, "/users/me", headers: [.authorization: "bearer \(tokens["token"].string ?? "")"])
            #expect(me.status == .ok)
            #expect(try me.json["email"] == .string("ana@example.com"))
            #expect(me.headers[.cacheControl] == "no-store")
            #expect(services.received.map(\.path) == ["/auth/login"])
        }
    }

    @Test func `an old token is no hindrance to signing in`() async throws {
        try await with { gateway, _, _ in
            let response = try await gateway.send(.post, "/auth/login", headers: [.authorization: "Bearer old"], json: "{}")
            #expect(response.status == .ok)
        }
    }

    @Test func `a refusal to sign in passes through`() async throws {
        try await FakeServices.with(answering: { _ in
            Response(
                status: .unauthorized, headers: [.contentType: "application/problem+json"], body: .init(byteBuffer: .init(string: "{}")))
        }) { _, url in
            try await TestGateway.with(replicas: [url]) { gateway in
                let response = try await gateway.send(.post, "/auth/login", json: "{}")
                #expect(response.status == .unauthorized)
                #expect(String(buffer: response.body) == "{}")
            }
        }
    }

    @Test func `a refresh takes effect once and brings the role of today`() async throws {
        try await with({ try $0.promote(1, to: .gestor) }) { gateway, _, _ in
            // given
            let first = try await logIn(gateway)

            // when
            let second = try await refresh(gateway, first["refresh_token"].string)

            // then
            #expect(second.status == .ok)
            #expect(second.body["role"] == .string("gestor"))
            #expect(second.body["refresh_token"] != first["refresh_token"])
            let third = try await refresh(gateway, second.body["refresh_token"].string)
            #expect(third.status == .ok)
        }
    }

    @Test func `a refresh brings the units of today, which services are told`() async throws {
        try await with({ try $0.promote(1, to: .gestor, in: [Samples.id(2)]) }) { gateway, services, _ in
            // given
            let first = try await logIn(gateway)
            let second = try await refresh(gateway, first["refresh_token"].string)

            // when
            let headers: HTTPFields = [.authorization: "Bearer \(second.body["token"].string ?? "")"]
            let response = try await gateway.send(.post, "/auth/logout", headers: headers)

            // then
            #expect(response.status == .ok)
            let asker = services.received.last?.headers[.identity].flatMap { gateway.signer.verify($0) }
            #expect(asker?.role == .gestor)
            #expect(asker?.units == [Samples.id(2)])
        }
    }

    @Test func `a copied refresh token ends the session for both holders`() async throws {
        try await with { gateway, services, _ in
            // given
            let first = try await logIn(gateway)
            let second = try await refresh(gateway, first["refresh_token"].string)

            // when
            let copied = try await refresh(gateway, first["refresh_token"].string)

            // then
            #expect(copied.status == .unauthorized)
            #expect(try await refresh(gateway, second.body["refresh_token"].string).status == .unauthorized)
            let call = try #require(services.received.last)
            #expect(call.path == "/internal/sessions/\(Self.member.session.texto)/revoke")
            #expect(call.body == #"{"reason":"reuso_de_token"}"#)
            #expect(call.headers[.identity].flatMap { gateway.signer.verify($0) } == Self.member)
            #expect(services.received.count == 2)
        }
    }

    @Test func `of concurrent refreshes with one token one succeeds`() async throws {
        try await with { gateway, _, _ in
            // given
            let token = try await logIn(gateway)["refresh_token"].string

            // when
            let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for _ in 1...5 { group.addTask { try await refresh(gateway, token).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            // then
            #expect(statuses.filter { $0 == .ok }.count == 1)
            #expect(statuses.filter { $0 == .unauthorized }.count == 4)
        }
    }

    @Test func `a blocked member gets no further`() async throws {
        try await with({ try $0.block(1) }) { gateway, _, database in
            let tokens = try await logIn(gateway)
            #expect(try await refresh(gateway, tokens["refresh_token"].string).status == .unauthorized)
            #expect(try await database.pool.withConnection { try $0.query("select 1 from volatile.refresh_tokens").isEmpty })
        }
    }

    @Test func `an ended session gets no further`() async throws {
        try await with({ try $0.revokeSession(of: 1) }) { gateway, _, database in
            let tokens = try await logIn(gateway)
            #expect(try await refresh(gateway, tokens["refresh_token"].string).status == .unauthorized)
            #expect(try await database.pool.withConnection { try $0.query("select 1 from volatile.refresh_tokens").isEmpty })
        }
    }

    @Test func `a session that the read model has yet to hear of is worth another try with the same token`() async throws {
        try await TestDatabase.with { database in
            // given
            var log = History()
            try log.createUnit(1)
            try await log.project(into: database)
            try await FakeServices.with(answering: Self.usuarios) { _, url in
                try await TestGateway.with(pool: database.gateway, replicas: [url]) { gateway in
                    let tokens = try await logIn(gateway)

                    // when
                    let early = try await refresh(gateway, tokens["refresh_token"].string)

                    // then
                    #expect(early.status == .serviceUnavailable)
                    let known = try await database.gateway.withConnection {
                        try $0.query("select used_at is null from volatile.refresh_tokens")[0].get(0, Bool.self)
                    }
                    #expect(known)
                }
            }
        }
    }

    @Test(arguments: ["", "abc", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"])
    func `an unknown refresh token is refused`(_ token: String) async throws {
        try await with { gateway, _, _ in
            let answer = try await refresh(gateway, token)
            #expect(answer.status == .unauthorized)
        }
    }

    @Test(arguments: ["{}", "[]", "{", #"{"refresh_token":1}"#])
    func `a refresh without a token is malformed`(_ body: String) async throws {
        try await TestGateway.with { gateway in
            let response = try await gateway.send(.post, "/auth/refresh", json: body)
            #expect(response.status == .badRequest)
        }
    }

    @Test func `signing out ends the family`() async throws {
        try await with { gateway, services, _ in
            // given
            let tokens = try await logIn(gateway)

            // when
            let response = try await gateway.send(.post, "/auth/logout", as: Self.member)

            // then
            #expect(response.status == .ok)
            #expect(response.headers[.position] == "10")
            #expect(services.received.last?.path == "/auth/logout")
            #expect(try await refresh(gateway, tokens["refresh_token"].string).status == .unauthorized)
        }
    }

    @Test func `a database that is away is 503`() async throws {
        try await TestGateway.with { gateway in
            let token = RefreshToken().text
            let response = try await gateway.send(.post, "/auth/refresh", json: #"{"refresh_token":"\#(token)"}"#)
            #expect(response.status == .serviceUnavailable)
            #expect(response.headers[.retryAfter] == "1")
            #expect(try response.json["code"] == .string("unavailable"))
        }
    }

    @Test(arguments: [(HTTPRequest.Method.delete, "/users/me", TestGateway.member), (.post, "/admin/users/ID/block", TestGateway.admin)])
    func `what ends an account ends its tokens`(_ method: HTTPRequest.Method, _ path: String, _ asker: Identity) async throws {
        try await with { gateway, services, _ in
            // given
            let tokens = try await logIn(gateway)
            #expect(try await gateway.send(.get, "/users/me", as: Self.member).status == .ok)
            let uri = path.replacing("ID", with: Self.member.user.texto)

            // when
            let answer = try await gateway.send(method, uri, as: asker, json: #"{"password":"secret"}"#)

            // then
            #expect(answer.status == .ok)
            #expect(answer.headers[.position] == "10")
            #expect(services.received.last?.path == uri)
            #expect(try await gateway.send(.get, "/users/me", as: Self.member).status == .unauthorized)
            #expect(try await gateway.send(.get, "/users/me", as: TestGateway.otherMember).status == .notFound)
            #expect(try await refresh(gateway, tokens["refresh_token"].string).status == .unauthorized)
        }
    }

    @Test func `a session that has ended elsewhere ends its access tokens here, and no other session's`() async throws {
        var log = History()
        try log.signUp(1, name: "Ana")
        try log.openSession(of: 1)
        try log.openSession(of: 2)
        try log.block(1)
        let complete = log
        try await TestDatabase.with { database in
            let clock = TestClock()
            let ended = EndedSessions(
                contas: ContasQueries(pool: database.gateway), lifetime: 900, clock: { clock.microseconds }, logger: TestDatabase.logger
            )
            // given that nothing is known yet
            #expect(!ended.contains(TestGateway.member))
            // when it is looked up
            try await complete.project(into: database)
            try await ended.look()
            // then
            #expect(ended.contains(TestGateway.member))
            #expect(!ended.contains(TestGateway.otherMember))
            // when no token of it can hold any more, then it is forgotten
            clock.advance(seconds: 961)
            try await ended.look()
            #expect(!ended.contains(TestGateway.member))
        }
    }
}

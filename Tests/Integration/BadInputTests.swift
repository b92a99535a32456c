import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Testing

extension WholeSystem.OneSystem {
    @Suite(.serialized)
    struct BadInput {
        /// What is sent, by whom, and what it must be answered with.
        struct Case: Sendable, CustomTestStringConvertible {
            enum Who: Sendable { case nobody, member, administrator }

            let testDescription: String
            var who = Who.member
            var method = HTTPMethod.POST
            var path = "/reservations"
            var headers = ["Content-Type": "application/json"]
            let body: [UInt8]
            let status: Int
            let code: String

            init(
                _ name: String,
                _ body: String,
                _ status: Int,
                _ code: String,
                by who: Who = .member,
                _ method: HTTPMethod = .POST,
                _ path: String = "/reservations"
            ) {
                self.init(name, bytes: Array(body.utf8), status, code, by: who, method, path)
            }

            init(
                _ name: String,
                bytes: [UInt8],
                _ status: Int,
                _ code: String,
                by who: Who = .member,
                _ method: HTTPMethod = .POST,
                _ path: String = "/reservations"
            ) {
                testDescription = name
                self.who = who
                self.method = method
                self.path = path
                body = bytes
                self.status = status
                self.code = code
            }

            func with(_ header: String, _ value: String) -> Case {
                var copy = self
                copy.headers[header] = value
                return copy
            }
        }

        /// `ROOM`, `UNIT` and `SLOT` stand for a space, its unit and a start and end that are good.
        static let bookings: [Case] = [
            Case("malformed JSON", #"{"space_id":"ROOM","#, 400, "malformed_request"),
            Case("no JSON at all", "space_id=ROOM", 400, "malformed_request"),
            Case("an empty body", "", 400, "malformed_request"),
            Case("a list", "[]", 400, "invalid_field"),
            Case("null", "null", 400, "invalid_field"),
            Case("a number for a text", #"{"space_id":5,SLOT}"#, 400, "invalid_field"),
            Case("a text for a number", #"{"space_id":"ROOM",SLOT,"seats":"two"}"#, 400, "invalid_field"),
            Case("half a seat", #"{"space_id":"ROOM",SLOT,"seats":1.5}"#, 400, "malformed_request"),
            Case("more seats than numbers go", #"{"space_id":"ROOM",SLOT,"seats":99999999999999999999}"#, 400, "malformed_request"),
            Case("infinitely many seats", #"{"space_id":"ROOM",SLOT,"seats":1e400}"#, 400, "malformed_request"),
            Case("many seats", #"{"space_id":"ROOM",SLOT,"seats":9223372036854775807}"#, 422, "invalid_seats"),
            Case("no seat", #"{"space_id":"ROOM",SLOT,"seats":0}"#, 422, "invalid_seats"),
            Case("fewer than no seat", #"{"space_id":"ROOM",SLOT,"seats":-1}"#, 422, "invalid_seats"),
            Case("an object for a time", #"{"space_id":"ROOM","start_time":{},"end_time":"2030-01-01T10:00"}"#, 400, "invalid_field"),
            Case("a missing field", #"{"space_id":"ROOM","start_time":"2030-01-01T10:00"}"#, 400, "invalid_field"),
            Case("no time", #"{"space_id":"ROOM","start_time":"tomorrow","end_time":"2030-01-01T10:00"}"#, 400, "invalid_field"),
            Case(
                "a day that is none", #"{"space_id":"ROOM","start_time":"2030-02-30T10:00","end_time":"2030-03-01T10:00"}"#, 400,
                "invalid_field"),
            Case(
                "end before start", #"{"space_id":"ROOM","start_time":"2030-01-01T10:00","end_time":"2030-01-01T09:00"}"#, 422,
                "end_before_start"),
            Case(
                "end at start", #"{"space_id":"ROOM","start_time":"2030-01-01T10:00","end_time":"2030-01-01T10:00"}"#, 422,
                "end_before_start"),
            Case("the past", #"{"space_id":"ROOM","start_time":"2020-01-01T10:00","end_time":"2020-01-01T11:00"}"#, 422, "in_the_past"),
            Case(
                "the year 0000", #"{"space_id":"ROOM","start_time":"0000-01-01T00:00","end_time":"0000-01-01T01:00"}"#, 422, "in_the_past"),
            Case(
                "the year 9999", #"{"space_id":"ROOM","start_time":"9999-12-31T22:00","end_time":"9999-12-31T23:30"}"#, 422,
                "beyond_horizon"),
            Case(
                "eight thousand years", #"{"space_id":"ROOM","start_time":"2030-01-01T00:00","end_time":"9999-12-31T23:30"}"#, 422,
                "too_long"),
            Case("an unknown space", #"{"space_id":"00000000-0000-7000-8000-000000000000",SLOT}"#, 404, "space_not_found"),
            Case("an id that is none", #"{"space_id":"'; drop table log.events; --",SLOT}"#, 400, "invalid_field"),
            Case("a coupon there is not", #"{"space_id":"ROOM",SLOT,"coupon":"GRATIS"}"#, 422, "coupon_not_found"),
            Case(
                "too long a note", #"{"space_id":"ROOM",SLOT,"notes":""# + String(repeating: "n", count: 1_001) + #""}"#, 400,
                "invalid_field"),
            Case("a NUL in a note", #"{"space_id":"ROOM",SLOT,"notes":"a\u0000b"}"#, 400, "malformed_request"),
            Case("a bare NUL in a note", "{\"space_id\":\"ROOM\",SLOT,\"notes\":\"a\u{0}b\"}", 400, "malformed_request"),
            Case(
                "a NUL in a password", #"{"email":"a@exemplo.test","password":"senha-\u0000boa","name":"A"}"#, 400, "malformed_request",
                by: .nobody, .POST, "/auth/signup"),
            Case(
                "a NUL in an address", #"{"email":"a\u0000@exemplo.test","password":"senha-boa","name":"A"}"#, 400, "malformed_request",
                by: .nobody, .POST, "/auth/signup"),
            Case("half a surrogate pair", #"{"space_id":"ROOM",SLOT,"notes":"\ud800"}"#, 400, "malformed_request"),
            Case(
                "lists in lists, a thousand deep", String(repeating: "[", count: 1_000) + String(repeating: "]", count: 1_000), 400,
                "malformed_request"),
            Case(
                "a good booking with a field a thousand deep",
                #"{"space_id":"ROOM",SLOT,"x":"# + String(repeating: "[", count: 1_000) + String(repeating: "]", count: 1_000) + "}",
                400,
                "malformed_request"
            ),
            Case("a hundred thousand open brackets", String(repeating: "[", count: 100_000), 400, "malformed_request"),
            Case(
                "invalid UTF-8", bytes: Array(#"{"space_id":"ROOM","notes":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8), 400,
                "malformed_request"),
            Case("UTF-16", bytes: [0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00], 400, "malformed_request"),
            Case("an empty body with a length of 300 kB", String(repeating: " ", count: 300_000), 413, "body_too_large"),
            Case("text/plain", #"{"space_id":"ROOM",SLOT}"#, 415, "unsupported_media_type").with("Content-Type", "text/plain"),
            Case("a form", #"{"space_id":"ROOM",SLOT}"#, 415, "unsupported_media_type").with(
                "Content-Type", "application/x-www-form-urlencoded"),
            Case("no such path", "{}", 404, "not_found", .POST, "/reservation"),
            Case(
                "a cancellation with malformed JSON", "{", 400, "malformed_request", .DELETE,
                "/reservations/00000000-0000-7000-8000-000000000000"),
            Case("nothing of that id", "", 404, "not_found", .DELETE, "/reservations/42"),
        ]

        static let accounts: [Case] = [
            ("no at sign", #"{"email":"ana","password":"senha-boa","name":"Ana"}"#),
            ("two at signs", #"{"email":"a@b@c.test","password":"senha-boa","name":"Ana"}"#),
            ("a line break in an address", #"{"email":"a\r\nBcc: b@exemplo.test","password":"senha-boa","name":"Ana"}"#),
            (
                "a very long address",
                #"{"email":""# + String(repeating: "a", count: 10_000) + #"@exemplo.test","password":"senha-boa","name":"Ana"}"#
            ),
            ("a short password", #"{"email":"a@exemplo.test","password":"12345","name":"Ana"}"#),
            ("a very long password", #"{"email":"a@exemplo.test","password":""# + String(repeating: "p", count: 257) + #"","name":"Ana"}"#),
            ("a control character in a name", #"{"email":"a@exemplo.test","password":"senha-boa","name":"An\u0007a"}"#),
            ("an empty name", #"{"email":"a@exemplo.test","password":"senha-boa","name":"  "}"#),
            (
                "a very long name",
                #"{"email":"a@exemplo.test","password":"senha-boa","name":""# + String(repeating: "n", count: 100_000) + #""}"#
            ),
            ("no name", #"{"email":"a@exemplo.test","password":"senha-boa"}"#),
        ].map { name, body in Case(name, body, 400, "invalid_field", by: .nobody, .POST, "/auth/signup") }

        static let catalogue: [Case] = [
            Case(
                "a zone that is none", #"{"name":"U","timezone":"America/Sao_Paolo","address":"R"}"#, 400, "invalid_field",
                by: .administrator, .POST, "/units"),
            Case(
                "a file for a zone", #"{"name":"U","timezone":"../../../etc/passwd","address":"R"}"#, 400, "invalid_field",
                by: .administrator, .POST, "/units"),
            Case(
                "a NUL in a unit's name", #"{"name":"U\u0000","timezone":"America/Manaus","address":"R"}"#, 400, "malformed_request",
                by: .administrator, .POST, "/units"),
            Case(
                "a control character in an address", #"{"name":"U","timezone":"America/Manaus","address":"R\u001b[2J"}"#, 422,
                "invalid_field", by: .administrator, .POST, "/units"),
            Case(
                "fewer than no seat", #"{"unit_id":"UNIT","name":"S","type":"cabine","capacity":1,"seats":-1}"#, 422, "invalid_field",
                by: .administrator, .POST, "/spaces"),
            Case(
                "more seats than people", #"{"unit_id":"UNIT","name":"S","type":"cabine","capacity":1,"seats":2}"#, 422, "invalid_field",
                by: .administrator, .POST, "/spaces"),
            Case(
                "a type that is none", #"{"unit_id":"UNIT","name":"S","type":"castle","capacity":1}"#, 400, "invalid_field",
                by: .administrator, .POST, "/spaces"),
            Case(
                "a NUL in a space's name", #"{"unit_id":"UNIT","name":"S\u0000","type":"cabine","capacity":1}"#, 400, "malformed_request",
                by: .administrator, .POST, "/spaces"),
            Case(
                "a NUL in a description", #"{"unit_id":"UNIT","name":"S","type":"cabine","capacity":1,"description":"\u0000"}"#, 400,
                "malformed_request", by: .administrator, .POST, "/spaces"),
            Case(
                "a NUL in an amenity", #"{"unit_id":"UNIT","name":"S","type":"cabine","capacity":1,"amenities":["a\u0000"]}"#, 400,
                "malformed_request", by: .administrator, .POST, "/spaces"),
            Case(
                "a unit there is not", #"{"unit_id":"00000000-0000-7000-8000-000000000000","name":"S","type":"cabine","capacity":1}"#, 404,
                "unit_not_found", by: .administrator, .POST, "/spaces"),
            Case(
                "a very long name",
                #"{"unit_id":"UNIT","name":""# + String(repeating: "s", count: 200_000) + #"","type":"cabine","capacity":1}"#, 422,
                "invalid_field", by: .administrator, .POST, "/spaces"),
            Case("negative minutes", #"{"min_minutes":-30}"#, 400, "invalid_field", by: .administrator, .PUT, "/spaces/ROOM/rules"),
            Case(
                "minutes past all numbers", #"{"horizon_minutes":9223372036854775807}"#, 400, "invalid_field", by: .administrator, .PUT,
                "/spaces/ROOM/rules"),
            Case("steps of nothing", #"{"step_minutes":0}"#, 422, "invalid_field", by: .administrator, .PUT, "/spaces/ROOM/rules"),
            Case(
                "a weekday that is none", #"{"hours":{"monday":[]}}"#, 400, "invalid_field", by: .administrator, .PUT, "/spaces/ROOM/hours"),
            Case(
                "hours that overlap", #"{"hours":{"segunda":[{"opens":"08:00","closes":"12:00"},{"opens":"11:00","closes":"13:00"}]}}"#,
                400, "invalid_field", by: .administrator, .PUT, "/spaces/ROOM/hours"),
            Case(
                "a NUL in a closure's reason", #"{"from":"2030-01-01","to":"2030-01-02","reason":"a\u0000"}"#, 400, "malformed_request",
                by: .administrator, .PUT, "/spaces/ROOM/closures"),
            Case(
                "a negative price", #"{"valid_from":"2030-01-01","rates":[{"type":"cabine","hourly_cents":-1}]}"#, 422, "invalid_field",
                by: .administrator, .PUT, "/units/UNIT/tariff"),
            Case(
                "a price past all bounds", #"{"valid_from":"2030-01-01","rates":[{"type":"cabine","hourly_cents":9223372036854775807}]}"#,
                422, "invalid_field", by: .administrator, .PUT, "/units/UNIT/tariff"),
            Case(
                "a NUL in a multiplier's name",
                #"{"valid_from":"2030-01-01","rates":[{"type":"cabine","hourly_cents":1}],"multipliers":[{"name":"a\u0000","days":["segunda"],"from":"08:00","to":"09:00","per_mille":1000}]}"#,
                400, "malformed_request", by: .administrator, .PUT, "/units/UNIT/tariff"),
            Case(
                "a NUL in a plan's name", #"{"name":"a\u0000","discount_percent":0,"monthly_fee_cents":0}"#, 400, "malformed_request",
                by: .administrator, .PUT, "/plans/basic"),
            Case(
                "a role that is none", #"{"role":"imperador"}"#, 400, "invalid_field", by: .administrator, .POST,
                "/admin/promote/00000000-0000-7000-8000-000000000000"),
            Case(
                "somebody who is not", "", 404, "user_not_found", by: .administrator, .POST,
                "/admin/promote/00000000-0000-7000-8000-000000000000"),
        ]

        static let queries: [Case] = [
            ("/spaces/ROOM/availability?date=2030-02-30", 400), ("/spaces/ROOM/availability?date=%00", 400),
            ("/spaces?limit=0", 400), ("/spaces?limit=201", 400), ("/spaces?limit=99999999999999999999", 400),
            ("/spaces?cursor=nonsense", 400), ("/spaces?cursor=%00", 400), ("/spaces?type=castle", 400),
            ("/spaces?unit=1%20or%201=1", 400), ("/spaces?capacity=-1", 400), ("/spaces?free_from=2030-01-01T10:00:00Z", 400),
            ("/calendar?from=2030-01-02&to=2030-01-01", 400), ("/calendar?from=2030-01-01&to=2031-01-01", 400),
            ("/spaces/ROOM%00", 404), ("/spaces/..%2f..%2fetc%2fpasswd", 404), ("/units/UNIT/tariff?date=x", 400),
        ].map { path, status in
            Case("GET \(path)", "", status, status == 404 ? "not_found" : "invalid_field", by: .nobody, .GET, path)
        }

        @Test("Bad bookings", arguments: bookings)
        func booking(_ bad: Case) async throws { try await check(bad) }

        @Test("Bad sign-ups", arguments: accounts)
        func account(_ bad: Case) async throws { try await check(bad) }

        @Test("Bad commands on the catalogue", arguments: catalogue)
        func place(_ bad: Case) async throws { try await check(bad) }

        @Test("Bad queries", arguments: queries)
        func query(_ bad: Case) async throws { try await check(bad) }

        @Test(
            "A text that Postgres cannot hold is no server's error in a query",
            arguments: [
                "/spaces?amenities=a%00b", "/spaces?free_from=%00&free_to=%00", "/reservations?status=%00", "/admin/users?search=a%00b",
                "/audit/logs?actor=a%00b", "/audit/logs?action=a%00b",
            ])
        func nulInQuery(path: String) async throws {
            let system = try TestSystem.current()
            try await system.administrator().client.get(path).expectProblem(400, "invalid_field")
        }

        @Test(
            "Ten megabytes are refused, whether their length is told or not",
            arguments: ["/reservations", "/auth/signup", "/auth/login", "/pricing/calc"])
        func tenMegabytes(path: String) async throws {
            let system = try TestSystem.current()
            let member = try await system.member()
            let head = try await system.head()
            let chunk = ByteBuffer(repeating: UInt8(ascii: "x"), count: 1 << 20)
            let bodies: [HTTPClientRequest.Body] = [
                .bytes(ByteBuffer(repeating: UInt8(ascii: "x"), count: 10 << 20)),
                .stream(Array(repeating: chunk, count: 10).async, length: .unknown),
            ]
            for body in bodies {
                do {
                    let answer = try await member.client.send(.POST, path, headers: ["Content-Type": "application/json"], body: body)
                    answer.expectProblem(413, "body_too_large")
                } catch let error as HTTPClientError where error == .remoteConnectionClosed {
                    // The server may hang up on a sender that does not listen; that is a refusal as well.
                }
            }
            #expect(try await system.head() == head)
        }

        private func check(_ bad: Case) async throws {
            let system = try TestSystem.current()
            let stage = try await Stage.of(system)
            let client =
                switch bad.who {
                case .nobody: system.visitor
                case .member: stage.member.client
                case .administrator: stage.administrator.client
                }
            let slot = #""start_time":"\#(system.time(day: 20, minute: 600))","end_time":"\#(system.time(day: 20, minute: 660))""#
            func filled(_ text: String) -> String {
                text.replacing("ROOM", with: stage.room).replacing("UNIT", with: stage.unit).replacing("SLOT", with: slot)
            }
            // What is no UTF-8 has nothing to be filled in.
            let body = String(validating: bad.body, as: UTF8.self).map { Array(filled($0).utf8) } ?? bad.body
            let head = try await system.head()

            let answer = try await client.send(
                bad.method,
                filled(bad.path),
                headers: bad.headers,
                body: body.isEmpty ? nil : .bytes(ByteBuffer(bytes: body))
            )

            answer.expectProblem(bad.status, bad.code)
            if bad.code == "invalid_field", bad.status == 400 { #expect(!answer["violations"].items.isEmpty, "\(answer)") }
            #expect(try await system.head() == head, "something was recorded")
        }
    }
}

/// What all cases of bad input play on, made once.
private struct Stage: Sendable {
    let room: String
    let unit: String
    let member: Member
    let administrator: Member

    private actor Kept {
        private var stages: [String: Stage] = [:]

        func stage(of system: TestSystem) async throws -> Stage {
            if let stage = stages[system.name] { return stage }
            let unit = try await system.unit()
            let stage = Stage(
                room: try await system.space(in: unit),
                unit: unit,
                member: try await system.member(),
                administrator: try await system.administrator()
            )
            stages[system.name] = stage
            return stage
        }
    }

    private static let kept = Kept()

    static func of(_ system: TestSystem) async throws -> Stage { try await kept.stage(of: system) }
}

extension Array where Element: Sendable {
    fileprivate var async: AsyncStream<Element> {
        AsyncStream { continuation in
            for element in self { continuation.yield(element) }
            continuation.finish()
        }
    }
}

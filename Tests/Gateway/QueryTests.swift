import Domain
import EventStore
import HTTP
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Postgres
import Projections
import Testing

@testable import Gateway

@Suite struct QueryTests {
    private static let member = TestGateway.member
    private static let spaceID = (Samples.id(1) as EspacoID).texto
    private static let unitID = (Samples.id(1) as UnidadeID).texto

    /// Two units, three active spaces and one that is not, bookings 11 of member 1 and 12 of member 2.
    private func with(_ test: @Sendable @escaping (TestGateway, Int64) async throws -> Void) async throws {
        var log = History()
        try log.signUp(1, name: "Ana")
        try log.signUp(2, name: "Bia")
        try log.createUnit(1)
        try log.createUnit(2, zone: "America/Manaus")
        try log.createSpace(1, in: 1, Samples.card("Araucária", amenities: ["tv", "wifi"]))
        try log.createSpace(2, in: 1, Samples.card("Braúna", type: .auditorio, capacity: 60))
        try log.createSpace(3, in: 2, Samples.card("Cedro", amenities: ["wifi"]))
        try log.createSpace(4, in: 2, Samples.card("Dedaleiro"))
        try log.deactivateSpace(4)
        try log.publishTariff(of: 1, hourlyCents: 8_050)
        try log.book(11, by: 1, space: 1, unit: 1, from: 24, to: 26)
        try log.book(12, by: 2, space: 1, unit: 1, from: 48, to: 50)
        let complete = log
        try await TestDatabase.with { database in
            try await complete.project(into: database)
            try await TestGateway.with(pool: database.gateway) { gateway in
                try await test(gateway, complete.head.rawValue)
            }
        }
    }

    private func names(_ response: TestResponse) throws -> [String] {
        try response.json.array.compactMap { $0["name"].string }
    }

    private func ids(_ response: TestResponse) throws -> [String] {
        try response.json.array.compactMap { $0["id"].string }
    }

    private static func booking(_ number: Int) -> String { (Samples.id(number) as ReservaID).texto }
    private static func user(_ number: Int) -> String { (Samples.id(number) as UsuarioID).texto }

    // MARK: Malformed

    static let malformed: [(uri: String, field: String)] = [
        ("/spaces?limit=0", "limit"), ("/spaces?limit=201", "limit"), ("/spaces?limit=ten", "limit"), ("/spaces?limit=1&limit=2", "limit"),
        ("/spaces?cursor=%25", "cursor"), ("/spaces?cursor=Zm9v", "cursor"), ("/spaces?unit=1", "unit"), ("/spaces?type=castle", "type"),
        ("/spaces?capacity=-1", "capacity"), ("/spaces?free_from=2026-03-02T10:00:00Z", "free_to"),
        ("/spaces?free_to=2026-03-02T10:00:00Z", "free_from"), ("/spaces?free_from=soon&free_to=2026-03-02T10:00:00Z", "free_from"),
        ("/spaces?free_from=2026-03-02T10:00&free_to=2026-03-02T11:00", "free_from"),
        ("/spaces?free_from=2026-03-02T10:00:00Z&free_to=2026-03-02T10:00:00Z", "free_to"),
        ("/spaces?free_from=2026-03-02T10:00:00Z&free_to=2027-03-02T10:00:00Z", "free_to"), ("/spaces?seats=0", "seats"),
        ("/spaces?include_inactive=yes", "include_inactive"), ("/spaces?amenities=\(String(repeating: "x", count: 201))", "amenities"),
        ("/spaces/\(spaceID)/availability?date=2026-02-30", "date"), ("/spaces/\(spaceID)/availability?date=1999-12-31", "date"),
        ("/calendar?from=x", "from"), ("/calendar?from=2026-03-02&to=2026-03-01", "to"), ("/calendar?from=2026-03-02&to=2026-05-01", "to"),
        ("/units/\(unitID)/tariff?date=today", "date"), ("/reservations?status=lost", "status"), ("/reservations?from=2026-03-02", "from"),
        ("/reservations?space_id=1", "space_id"), ("/reservations?user_id=me", "user_id"), ("/admin/users?role=root", "role"),
        ("/admin/users?blocked=1", "blocked"), ("/audit/logs?to=now", "to"), ("/audit/logs?limit=1e2", "limit"),
        ("/analytics/usage?from=x", "from"), ("/analytics/usage?from=2026-03-02&to=2026-03-01", "to"),
        ("/analytics/heatmap?from=2026-03-02&to=2027-03-03", "to"), ("/analytics/dashboard?space=1", "space"),
        ("/analytics/dashboard?as_of=-1", "as_of"), ("/analytics/dashboard?as_of=2026-03-02", "as_of"),
        ("/analytics/dashboard?as_of=1&to=x", "to"),
    ]

    @Test(arguments: malformed)
    func `a parameter that says nothing sensible is refused by name`(_ uri: String, _ field: String) async throws {
        try await TestGateway.with { gateway in
            let response = try await gateway.send(.get, uri, as: TestGateway.admin)
            #expect(response.status == .badRequest)
            #expect(response.headers[.contentType] == "application/problem+json")
            #expect(try response.json["violations"][0]["field"] == .string(field))
        }
    }

    @Test(arguments: ["-1", "1.5", "", "x", "99999999999999999999", "+1"])
    func `a position that is none is refused`(_ position: String) async throws {
        try await TestGateway.with { gateway in
            let response = try await gateway.send(.get, "/units", headers: [.after: position])
            #expect(response.status == .badRequest)
            #expect(try response.json["violations"][0]["field"] == .string("CoworkFlow-After"))
        }
    }

    @Test(arguments: [
        "/nothing", "/spaces/1", "/units/x", "/reservations/1", "/reservations/user/x", "/api/nothing", "/docs", "/docs/swagger-ui.css",
    ])
    func `what there is not is 404`(_ uri: String) async throws {
        try await TestGateway.with { gateway in
            let response = try await gateway.send(.get, uri, as: Self.member)
            #expect(response.status == .notFound)
            #expect(response.headers[.contentType] == "application/problem+json")
            #expect(try response.json["code"] == .string("not_found"))
        }
    }

    // MARK: What all have in common

    @Test func `an answer that the caller has already is not sent again`() async throws {
        try await with { gateway, _ in
            // given
            let first = try await gateway.send(.get, "/units")
            let tag = try #require(first.headers[.eTag])
            #expect(tag.hasPrefix("W/\""))

            for known in [tag, "\"other\", \(tag)", String(tag.dropFirst(2)), "*"] {
                // when
                let again = try await gateway.send(.get, "/units", headers: [.ifNoneMatch: known])

                // then
                #expect(again.status == .notModified)
                #expect(again.headers[.eTag] == tag)
                #expect(again.body.readableBytes == 0)
            }
            #expect(try await gateway.send(.get, "/units", headers: [.ifNoneMatch: "\"other\""]).status == .ok)
            #expect(try await gateway.send(.get, "/plans").headers[.eTag] != tag)
        }
    }

    @Test func `a query waits for what was written, and says so when it could not`() async throws {
        try await with { gateway, head in
            let fresh = try await gateway.send(.get, "/spaces/\(Self.spaceID)/availability", headers: [.after: "\(head)"])
            #expect(fresh.status == .ok)
            #expect(fresh.headers[.stale] == nil)
            let late = try await gateway.send(.get, "/spaces/\(Self.spaceID)/availability", headers: [.after: "\(head + 1)"])
            #expect(late.status == .ok)
            #expect(late.headers[.stale] == "agenda,catalogo")
            // A 404 may only mean that the read model does not know yet.
            let unknown = try await gateway.send(.get, "/spaces/01a20044-64f6-74f1-b4e5-000000000000", headers: [.after: "\(head + 1)"])
            #expect(unknown.status == .notFound)
            #expect(unknown.headers[.stale] == "catalogo")
        }
    }

    @Test func `pages follow each other until the end`() async throws {
        try await with { gateway, _ in
            var uri = "/api/spaces?limit=2&type=sala_de_reuniao"
            var found: [[String]] = []
            while found.count < 5 {
                let page = try await gateway.send(.get, uri)
                found.append(try names(page))
                guard let link = page.headers[.link] else { break }
                #expect(link.hasPrefix("</api/spaces?limit=2&type=sala_de_reuniao&cursor="))
                #expect(link.hasSuffix(">; rel=\"next\""))
                uri = String(link.dropFirst().prefix { $0 != ">" })
            }
            #expect(found == [["Araucária", "Cedro"]])
            let first = try await gateway.send(.get, "/spaces?limit=1")
            #expect(try names(first) == ["Araucária"])
            let link = try #require(first.headers[.link])
            let second = try await gateway.send(.get, String(link.dropFirst().prefix { $0 != ">" }))
            #expect(try names(second) == ["Braúna"])
            let foreign = try await gateway.send(
                .get, "/admin/users?\(link.split(separator: "&").last?.prefix { $0 != ">" } ?? "")", as: TestGateway.admin)
            #expect(foreign.status == .badRequest)
        }
    }

    @Test func `every answer carries the headers that keep browsers from guessing`() async throws {
        try await TestGateway.with { gateway in
            for uri in ["/health", "/nothing", "/openapi.json"] {
                let response = try await gateway.send(.get, uri)
                #expect(response.headers[.xContentTypeOptions] == "nosniff")
                #expect(response.headers[.referrerPolicy] == "no-referrer")
                #expect(response.headers[.contentSecurityPolicy]?.contains("frame-ancestors 'none'") == true)
                #expect(response.headers[.requestID]?.isEmpty == false)
                #expect(response.headers[.accessControlAllowOrigin] == nil)
                #expect(response.headers[.cacheControl] == "no-cache")
            }
            #expect(try await gateway.send(.get, "/users/me", as: Self.member).headers[.cacheControl] == "no-store")
        }
    }

    @Test func `what can be got can be asked about without its body`() async throws {
        try await TestGateway.with { gateway in
            let whole = try await gateway.send(.get, "/openapi.json")
            let head = try await gateway.send(.head, "/openapi.json")
            #expect(head.status == .ok)
            #expect(head.headers[.contentLength] == "\(whole.body.readableBytes)")
            #expect(head.body.readableBytes == 0)
        }
    }

    // MARK: Catalogue

    @Test func `spaces are found by what they are`() async throws {
        try await with { gateway, _ in
            for (query, expected) in [
                ("", ["Araucária", "Braúna", "Cedro"]),
                ("?unit=\(Self.unitID)", ["Araucária", "Braúna"]),
                ("?type=auditorio", ["Braúna"]),
                ("?capacity=50", ["Braúna"]),
                ("?amenities=wifi", ["Araucária", "Cedro"]),
                ("?amenities=wifi,tv", ["Araucária"]),
                // Araucária is taken from 09:00 to 11:00 in São Paulo on the 3rd.
                ("?free_from=2026-03-03T10:00:00-03:00&free_to=2026-03-03T12:00:00-03:00", ["Braúna", "Cedro"]),
                ("?free_from=2026-03-03T11:00&free_to=2026-03-03T12:00&unit=\(Self.unitID)", ["Araucária", "Braúna"]),
                // 20:00 in São Paulo is 19:00 in Manaus, where they are still open.
                ("?free_from=2026-03-03T20:00:00-03:00&free_to=2026-03-03T21:00:00-03:00", ["Cedro"]),
            ] {
                let response = try await gateway.send(.get, "/spaces\(query)")
                #expect(response.status == .ok)
                #expect(try names(response) == expected, "\(query)")
            }
        }
    }

    @Test func `spaces out of use are the staff's business`() async throws {
        try await with { gateway, _ in
            #expect(try await gateway.send(.get, "/spaces?include_inactive=true").status == .unauthorized)
            #expect(try await gateway.send(.get, "/spaces?include_inactive=true", as: Self.member).status == .forbidden)
            let all = try await gateway.send(.get, "/spaces?include_inactive=true", as: TestGateway.receptionist)
            #expect(try names(all) == ["Araucária", "Braúna", "Cedro", "Dedaleiro"])
        }
    }

    @Test func `a space shows its hours, its rules and what an hour costs today`() async throws {
        try await with { gateway, _ in
            // when
            let space = try await gateway.send(.get, "/spaces/\(Self.spaceID)").json

            // then
            #expect(space["unit_id"] == .string(Self.unitID))
            #expect(space["hourly_rate"] == .number(80.5))
            #expect(space["hourly_rate_cents"] == .number(8050))
            #expect(space["hours"]["segunda"] == .array([.object(["opens": .string("08:00"), "closes": .string("20:00")])]))
            #expect(space["rules"]["step_minutes"] == .number(Double(RegrasDeReserva.padrao.passo.valor)))
            #expect(space["active"] == .bool(true))
            let other = try await gateway.send(.get, "/spaces/\((Samples.id(3) as EspacoID).texto)").json
            #expect(other["hourly_rate"] == .null)
        }
    }

    @Test func `units, tariffs and plans`() async throws {
        try await with { gateway, _ in
            #expect(try names(try await gateway.send(.get, "/units")) == ["Unidade 1", "Unidade 2"])
            let unit = try await gateway.send(.get, "/units/\(Self.unitID)").json
            #expect(unit["timezone"] == .string("America/Sao_Paulo"))
            #expect(unit["created_at"] == .string("2026-03-02T09:00:00-03:00"))
            let tariff = try await gateway.send(.get, "/units/\(Self.unitID)/tariff").json
            #expect(tariff["rates"][0]["hourly_cents"] == .number(8050))
            #expect(try await gateway.send(.get, "/units/\(Self.unitID)/tariff?date=2026-03-01").status == .notFound)
            #expect(try await gateway.send(.get, "/units/\((Samples.id(2) as UnidadeID).texto)/tariff").status == .notFound)
            #expect(try await gateway.send(.get, "/plans").json == .array([]))
        }
    }

    // MARK: Calendar

    @Test func `a date shows slots that are free and times that are taken, in local time`() async throws {
        try await with { gateway, _ in
            // when
            let day = try await gateway.send(.get, "/spaces/\(Self.spaceID)/availability?date=2026-03-03").json

            // then
            #expect(day["available"] == .bool(true))
            #expect(
                day["open"][0]
                    == .object(["start_time": .string("2026-03-03T08:00:00-03:00"), "end_time": .string("2026-03-03T20:00:00-03:00")]))
            #expect(
                day["busy"]
                    == .array([
                        .object([
                            "start_time": .string("2026-03-03T09:00:00-03:00"), "end_time": .string("2026-03-03T11:00:00-03:00"),
                            "seats": .number(1),
                        ])
                    ])
            )
            let starts = day["slots"].array.compactMap { $0["start_time"].string }
            #expect(starts.contains("2026-03-03T08:00:00-03:00"))
            #expect(!starts.contains("2026-03-03T09:00:00-03:00"))
            #expect(!starts.contains("2026-03-03T10:30:00-03:00"))
            #expect(starts.contains("2026-03-03T11:00:00-03:00"))
            #expect(day["slots"].array.allSatisfy { $0["free_seats"] == .number(1) })
            let today = try await gateway.send(.get, "/spaces/\(Self.spaceID)/availability").json
            #expect(today["date"] == .string("2026-03-02"))
            let past = try await gateway.send(.get, "/spaces/\(Self.spaceID)/availability?date=2026-03-01").json
            #expect(past["available"] == .bool(false))
            let closed = try await gateway.send(.get, "/spaces/\((Samples.id(4) as EspacoID).texto)/availability").json
            #expect(closed["available"] == .bool(false))
            #expect(closed["slots"] == .array([]))
        }
    }

    @Test func `a calendar shows many spaces over some days`() async throws {
        try await with { gateway, _ in
            // when
            let week = try await gateway.send(.get, "/calendar?from=2026-03-02&to=2026-03-04")

            // then
            let spaces = try week.json
            #expect(try names(week) == ["Araucária", "Braúna", "Cedro"])
            #expect(spaces[0]["days"].array.compactMap { $0["date"].string } == ["2026-03-02", "2026-03-03", "2026-03-04"])
            #expect(spaces[0]["days"].array.map { $0["busy"].array.count } == [0, 1, 1])
            #expect(spaces[2]["days"][0]["open"][0]["start_time"] == .string("2026-03-02T08:00:00-04:00"))
            let one = try await gateway.send(.get, "/calendar?unit=\(Self.unitID)&limit=1")
            #expect(try one.json[0]["days"].array.count == 7)
            #expect(one.headers[.link] != nil)
        }
    }

    // MARK: Who sees what

    @Test func `members see their own bookings, staff see all`() async throws {
        try await with { gateway, _ in
            for (identity, uri, expected) in [
                (Self.member, "/reservations", [11]),
                (TestGateway.otherMember, "/reservations", [12]),
                (TestGateway.receptionist, "/reservations", [12, 11]),
                (TestGateway.receptionist, "/reservations?user_id=\(Self.user(1))", [11]),
                (Self.member, "/reservations?user_id=\(Self.user(1))", [11]),
                (Self.member, "/reservations/user/\(Self.user(1))", [11]),
                (TestGateway.receptionist, "/reservations/user/\(Self.user(2))", [12]),
                (TestGateway.admin, "/admin/reservations", [12, 11]),
                (TestGateway.admin, "/admin/reservations?status=cancelled", []),
                (TestGateway.admin, "/admin/reservations?from=2026-03-04T00:00:00Z", [12]),
            ] {
                let response = try await gateway.send(.get, uri, as: identity)
                #expect(response.status == .ok)
                #expect(try ids(response) == expected.map(Self.booking), "\(uri)")
            }
            let own = try await gateway.send(.get, "/reservations/\(Self.booking(11))", as: Self.member).json
            #expect(own["start_time"] == .string("2026-03-03T09:00:00-03:00"))
            #expect(own["status"] == .string("active"))
            #expect(own["total_price"] == .number(80.5))
            #expect(own["total_price_cents"] == .number(8050))
            #expect(own["quote"]["lines"][0]["amount_cents"] == .number(8050))
            #expect(try await gateway.send(.get, "/reservations/\(Self.booking(12))", as: TestGateway.receptionist).status == .ok)
        }
    }

    /// Staff of some units, and the bookings that there are for them: 11 and 12 are in unit 1, and 12 is member 2's.
    private static let staff: [(asker: Identity, bookings: [Int])] = [
        (TestGateway.identity(6, .recepcao, units: [Samples.id(1)]), [12, 11]),
        (TestGateway.identity(6, .gestor, units: [Samples.id(1), Samples.id(2)]), [12, 11]),
        (TestGateway.identity(6, .gestor, units: [Samples.id(2)]), []),
        (TestGateway.identity(6, .gestor, units: []), []),
        (TestGateway.identity(2, .gestor, units: [Samples.id(2)]), [12]),
    ]

    @Test(arguments: staff)
    func `staff of some units see what is there, and their own`(_ asker: Identity, _ bookings: [Int]) async throws {
        try await with { gateway, _ in
            #expect(try ids(try await gateway.send(.get, "/reservations", as: asker)) == bookings.map(Self.booking))
            for number in 11...12 {
                let status = try await gateway.send(.get, "/reservations/\(Self.booking(number))", as: asker).status
                #expect(status == (bookings.contains(number) ? .ok : .notFound), "\(number)")
            }
            let works = asker.actor.opera(em: Samples.id(1))
            for uri in ["/checkin/floor?unit=\(Self.unitID)", "/spaces/\(Self.spaceID)/day", "/analytics/usage?unit=\(Self.unitID)"] {
                #expect(try await gateway.send(.get, uri, as: asker).status == (works ? .ok : .notFound), "\(uri)")
            }
        }
    }

    @Test func `somebody else's booking is not there`() async throws {
        try await with { gateway, _ in
            for uri in [
                "/reservations/\(Self.booking(12))", "/reservations/\(Self.booking(99))", "/reservations/user/\(Self.user(2))",
                "/reservations?user_id=\(Self.user(2))",
            ] {
                let response = try await gateway.send(.get, uri, as: Self.member)
                #expect(response.status == .notFound)
                #expect(try response.json["code"] == .string("not_found"))
            }
        }
    }

    @Test(arguments: ["/admin/users", "/admin/reservations", "/admin/projections", "/admin/deadletters", "/audit/logs"])
    func `what is for administrators is for nobody else`(_ uri: String) async throws {
        try await with { gateway, _ in
            for (identity, status) in [
                (nil, .unauthorized), (Self.member, .forbidden), (TestGateway.receptionist, .forbidden), (TestGateway.manager, .forbidden),
                (TestGateway.admin, .ok),
            ] as [(Identity?, HTTPResponse.Status)] {
                let response = try await gateway.send(.get, uri, as: identity)
                #expect(response.status == status)
            }
        }
    }

    @Test func `administrators see accounts, what was done, and how far the read models are`() async throws {
        try await with { gateway, head in
            let users = try await gateway.send(.get, "/admin/users?search=an", as: TestGateway.admin)
            #expect(try names(users) == ["Ana"])
            let audit = try await gateway.send(.get, "/audit/logs?action=usuarios.UsuarioCadastrado&limit=1", as: TestGateway.admin)
            #expect(try audit.json[0]["action"] == .string("usuarios.UsuarioCadastrado"))
            #expect(audit.headers[.link] != nil)
            let models = try await gateway.send(.get, "/admin/projections", as: TestGateway.admin).json
            #expect(models.array.map { $0["position"] } == Array(repeating: .number(Double(head)), count: models.array.count))
            #expect(Set(models.array.compactMap { $0["name"].string }) == Set(Projections.models.map(\.name)))
        }
    }

    @Test func `administrators see which events could not be applied, page by page, and where a read model halted`() async throws {
        try await TestDatabase.with { database in
            // given two parked events of a policy, one of them skipped, one that only waits, and a halted read model
            try await database.pool.withConnection { connection in
                try connection.executeScript(
                    """
                    insert into subs.checkpoints (name) values ('prazos');
                    insert into read.checkpoints (name, definition, position) values ('agenda', '', 4);
                    insert into subs.dead_letters (subscription, position, event_id, stream, type, error, attempts)
                    values ('prazos', 2, gen_random_uuid(), 's', 'a.X', 'unknown event type a.X', 1),
                           ('prazos', 3, gen_random_uuid(), 's', 'a.Y', null, 0),
                           ('prazos', 7, gen_random_uuid(), 't', 'a.X', 'unknown event type a.X', 2);
                    update subs.dead_letters set skipped_at = now(), skipped_by = 'ana', skip_reason = 'why' where position = 7;
                    insert into read.dead_letters (subscription, position, event_id, stream, type, error, attempts)
                    values ('agenda', 5, gen_random_uuid(), 'u', 'a.Z', 'unknown event type a.Z', 3);
                    insert into subs.timers (command_id, kind, aggregate, due, cause, failures, last_error, set_aside_at)
                    values (gen_random_uuid(), 'prazos.expirar', 'r1', '2026-03-02T12:00:00Z', gen_random_uuid(), 20, 'broken', now()),
                           (gen_random_uuid(), 'prazos.expirar', 'r2', '2026-03-02T12:00:00Z', gen_random_uuid(), 21, 'broken', now()),
                           (gen_random_uuid(), 'prazos.expirar', 'r3', '2026-03-02T12:00:00Z', gen_random_uuid(), 19, 'broken', null);
                    """
                )
            }
            try await TestGateway.with(pool: database.gateway) { gateway in
                // when
                var uri = "/admin/deadletters?limit=1"
                var letters: [JSONValue] = []
                for _ in 0..<6 where !uri.isEmpty {
                    let response = try await gateway.send(.get, uri, as: TestGateway.admin)
                    letters += try response.json.array
                    uri = response.headers[.link].flatMap { $0.split(separator: ">").first.map { String($0.dropFirst()) } } ?? ""
                }
                // then
                #expect(letters.map { $0["position"] } == [.number(2), .number(7), .number(5), .null, .null])
                #expect(letters.map { $0["kind"].string } == ["policy", "policy", "read_model", "command", "command"])
                #expect(letters.prefix(3).map { $0["waiting_behind"] } == [.number(1), .number(0), .number(0)])
                #expect(letters.prefix(3).map { $0["skipped_by"] } == [.null, .string("ana"), .null])
                #expect(letters[2]["error"] == .string("unknown event type a.Z"))
                // and commands that failed too often
                #expect(Set(letters.suffix(2).compactMap { $0["aggregate"].string }) == ["r1", "r2"])
                #expect(letters[3]["subscription"] == .string("prazos.expirar") && letters[3]["error"] == .string("broken"))
                #expect(letters[3]["due"] == .string("2026-03-02T12:00:00Z"))
                let models = try await gateway.send(.get, "/admin/projections", as: TestGateway.admin).json
                #expect(models[0]["halted_at"] == .number(5))
                // and a cursor of another list is refused
                let response = try await gateway.send(.get, "/admin/deadletters?cursor=Zm9vCmJhcg", as: TestGateway.admin)
                #expect(response.status == .badRequest)
            }
        }
    }
}

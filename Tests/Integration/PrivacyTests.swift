import Crypto
import Domain
import FoundationEssentials
import Gateway
import HTTP
import TestSupport
import Testing

@testable import coworkflow

extension WholeSystem.OneSystem {
    @Suite(.serialized)
    struct Privacy {
        @Test("Somebody else's booking is not there: it can be neither seen nor changed")
        func somebodyElsesBooking() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let (owner, other) = (try await system.member(), try await system.member())
            let booked = try await owner.client.post(
                "/reservations",
                booking(room, system.time(day: 8, minute: 600), system.time(day: 8, minute: 660))
            ).expect(201)
            let (id, position) = (try booked.text("id"), try booked.position())
            let head = try await system.head()

            let move: JSONValue = [
                "start_time": .string(system.time(day: 8, minute: 720)), "end_time": .string(system.time(day: 8, minute: 780)),
            ]
            for answer in [
                try await other.client.get("/reservations/\(id)", after: position),
                try await other.client.put("/reservations/\(id)", move),
                try await other.client.delete("/reservations/\(id)"),
                try await other.client.post("/reservations/\(id)/confirm"),
                try await other.client.get("/reservations/user/\(owner.id)"),
                try await other.client.get("/reservations?user_id=\(owner.id)"),
            ] {
                #expect(answer.status == 404, "\(answer)")
                answer.expectProblemForm()
            }
            let list = try await other.client.get("/reservations", after: position).expect(200)
            #expect(list.json.items.isEmpty)
            #expect(try await system.head() == head)

            // The same words for what is not there at all
            let nothing = try await other.client.delete("/reservations/00000000-0000-7000-8000-000000000000")
            let foreign = try await other.client.delete("/reservations/\(id)")
            #expect(nothing["detail"] == foreign["detail"])

            // Nor can a member book in another's name, confirm their own, or set their refund
            let named = booking(room, system.time(day: 8, minute: 900), system.time(day: 8, minute: 960)).with("user_id", .string(owner.id))
            try await other.client.post("/reservations", named).expect(403)
            try await owner.client.post("/reservations/\(id)/confirm").expect(403)
            try await owner.client.delete("/reservations/\(id)", ["refund_percent": 100, "reason": "quero"]).expect(403)
            #expect(try await system.head() == head)

            // The desk sees it and may book for a member
            let desk = try await system.receptionist()
            try await desk.client.get("/reservations/\(id)").expect(200)
            let made = try await desk.client.post("/reservations", named).expect(201)
            #expect(made["user_id"].text == owner.id)
            try await owner.client.get("/reservations/\(try made.text("id"))", after: try made.position()).expect(200)
        }

        @Test("Whoever is named without right or reason gets no key, which an erased person must never have again")
        func noKeyForStrangers() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let slot = booking(room, system.time(day: 8, minute: 600), system.time(day: 8, minute: 660)).with("notes", "Nota")
            let stranger = "00000000-0000-7000-8000-00000000000a"
            let (member, desk) = (try await system.member(), try await system.receptionist())

            try await member.client.post("/reservations", slot.with("user_id", .string(stranger))).expect(403)
            try await desk.client.post("/reservations", slot.with("user_id", .string(stranger))).expectProblem(400, "invalid_field")

            #expect(try await system.hasKey(stranger) == false)
            #expect(try await system.hasKey(member.id))
        }

        @Test("A member has no business with administration")
        func administration() async throws {
            let system = try TestSystem.current()
            let unit = try await system.unit()
            let room = try await system.space(in: unit)
            let member = try await system.member()
            let head = try await system.head()
            let space: JSONValue = ["unit_id": .string(unit), "name": "Minha", "type": "cabine", "capacity": 1]
            let hours: JSONValue = ["hours": ["segunda": [["opens": "08:00", "closes": "09:00"]]]]
            let tariff: JSONValue = ["valid_from": "2018-01-01", "rates": [["type": "cabine", "hourly_cents": 0]]]

            for client in [member.client, try await system.receptionist().client] {
                let before = try await system.head()
                for answer in [
                    try await client.get("/admin/users"),
                    try await client.get("/admin/reservations"),
                    try await client.get("/admin/projections"),
                    try await client.get("/audit/logs"),
                    try await client.post("/admin/promote/\(member.id)"),
                    try await client.post("/admin/users/\(system.founder.id)/block"),
                    try await client.post("/units", ["name": "Minha", "timezone": "America/Manaus", "address": "Rua"]),
                    try await client.post("/spaces", space),
                    try await client.put("/spaces/\(room)", space.without("unit_id")),
                    try await client.delete("/spaces/\(room)"),
                    try await client.put("/spaces/\(room)/rules", ["min_minutes": 60]),
                    try await client.put("/spaces/\(room)/hours", hours),
                    try await client.put("/spaces/\(room)/closures", ["from": "2030-01-01", "to": "2030-01-02", "reason": "Festa"]),
                    try await client.put("/units/\(unit)/tariff", tariff),
                    try await client.put("/plans/basic", ["name": "Basic", "discount_percent": 100, "monthly_fee_cents": 0]),
                ] {
                    #expect(answer.status == 403, "\(answer)")
                    answer.expectProblemForm()
                }
                #expect(try await system.head() == before)
            }
            #expect(try await system.head() > head, "the receptionist was made one")
        }

        @Test(
            "Without a token there is nothing to see and nothing to do",
            arguments: [
                "/users/me", "/reservations", "/reservations/00000000-0000-7000-8000-000000000000", "/admin/users", "/audit/logs",
            ])
        func withoutToken(path: String) async throws {
            let system = try TestSystem.current()
            try await system.visitor.get(path).expectProblem(401, "unauthenticated")
            try await system.visitor.asking(with: "abc").get(path).expectProblem(401, "unauthenticated")
        }

        @Test("An identity that comes from outside counts for nothing, even one with a good signature")
        func forgedIdentity() async throws {
            let system = try TestSystem.current()
            let member = try await system.member()
            let victim = try #require(UsuarioID(system.founder.id))
            let signer = IdentitySigner(key: system.settings.secrets.identity, clock: { system.clock.now })
            let session = try #require(SessaoID("00000000-0000-7000-8000-000000000001"))
            let head = try await system.head()

            for assertion in [
                signer.sign(Identity(user: victim, role: .admin, units: nil, session: session)), "x;admin;y;9999999999;AAAA", "",
            ] {
                let headers = ["CoworkFlow-Identity": assertion]
                let unit: JSONValue = ["name": "Minha", "timezone": "America/Manaus", "address": "Rua"]
                try await system.visitor.post("/units", unit, headers).expect(401)
                try await system.visitor.get("/users/me", headers).expect(401)
                try await member.client.post("/units", unit, headers).expect(403)
                let me = try await member.client.get("/users/me", headers).expect(200)
                #expect(me["id"].text == member.id)
                // Where no token is needed, the identity goes on to the service no more than elsewhere
                let price = booking("00000000-0000-7000-8000-000000000000", system.time(day: 2, minute: 0), system.time(day: 2, minute: 60))
                try await system.visitor.post("/pricing/calc", price, headers).expect(404)
            }
            #expect(try await system.head() == head)
        }

        @Test("A service believes only what the gateway has signed, and only for a minute")
        func serviceDoor() async throws {
            let system = try TestSystem.current()
            let port = system.settings.servicePortBase + ServiceName.reservas.portOffset
            let service = Client(http: system.visitor.http, address: "http://127.0.0.1:\(port)")
            let member = try await system.member()
            let session = try #require(SessaoID("00000000-0000-7000-8000-000000000001"))
            let identity = Identity(user: try #require(UsuarioID(member.id)), role: .membro, units: nil, session: session)
            func signed(_ key: SymmetricKey, secondsAgo: Int64) -> String {
                IdentitySigner(key: key, clock: { system.clock.now - secondsAgo * 1_000_000 }).sign(identity)
            }
            let key = system.settings.secrets.identity
            let good = signed(key, secondsAgo: 0)
            let path = "/reservations/00000000-0000-7000-8000-000000000000/confirm"

            try await service.post(path, nil, ["CoworkFlow-Identity": good]).expectProblem(404, "reservation_not_found")
            let elevated = good.replacing(";membro;", with: ";admin;")
            for assertion in ["", elevated, signed(SymmetricKey(size: .bits256), secondsAgo: 0), signed(key, secondsAgo: 62)] {
                try await service.post(path, nil, ["CoworkFlow-Identity": assertion]).expectProblem(401, "unauthenticated")
            }
            try await service.post(path).expectProblem(401, "unauthenticated")
        }

        @Test("What leads into the services from inside has no door outside")
        func internalPaths() async throws {
            let system = try TestSystem.current()
            let member = try await system.member()
            for prefix in ["", "/api"] {
                let answer = try await member.client.post("\(prefix)/internal/sessions/\(member.id)/revoke", ["reason": "saida"])
                answer.expectProblem(404, "not_found")
            }
        }

        @Test("Self sign-up makes a plain member, whatever it says")
        func selfPromotion() async throws {
            let system = try TestSystem.current()
            let person = Person("esperta", system.confidential)
            let wishes = person.signUp.with("role", "admin").with("papel", "admin").with("is_admin", true)

            let signedUp = try await system.visitor.post("/auth/signup", wishes).expect(201)

            let login = try await system.visitor.post("/auth/login", person.credentials).expect(200)
            #expect(login["role"] == "membro")
            let client = system.visitor.asking(with: try login.text("token"))
            let me = try await client.get("/users/me", after: try signedUp.position()).expect(200)
            #expect(me["role"] == "membro")
            try await client.put("/users/me", ["name": .string(person.name), "role": "admin"]).expect(200)
            let again = try await system.visitor.post("/auth/login", person.credentials).expect(200)
            #expect(again["role"] == "membro")
        }

        /// A service's door as the gateway would come to it that has not heard of anything: with somebody's old identity.
        private func door(
            of service: ServiceName,
            for member: Member,
            as role: Papel,
            in system: TestSystem
        ) throws -> @Sendable (String, JSONValue?) async throws -> Answer {
            let port = system.settings.servicePortBase + service.portOffset
            let client = Client(http: system.visitor.http, address: "http://127.0.0.1:\(port)")
            let signer = IdentitySigner(key: system.settings.secrets.identity, clock: { system.clock.now })
            let session = try #require(SessaoID("00000000-0000-7000-8000-000000000001"))
            let identity = Identity(user: try #require(UsuarioID(member.id)), role: role, units: nil, session: session)
            return { path, body in try await client.post(path, body, ["CoworkFlow-Identity": signer.sign(identity)]) }
        }

        @Test("Blocked, a receptionist does nothing more, whatever door is asked with whatever old token, nor does a blocked member")
        func blockedAtTheServices() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let (receptionist, member) = (try await system.receptionist(), try await system.member())
            let slot = booking(room, system.time(day: 3, minute: 600), system.time(day: 3, minute: 660))
            let expense: JSONValue = ["category": "rent", "date": "2026-01-02", "amount_cents": 100]
            // Given that the doors work
            let desk = try door(of: .financeiro, for: receptionist, as: .recepcao, in: system)
            let bookings = try door(of: .reservas, for: member, as: .membro, in: system)
            try await desk("/financial/expenses", expense).expect(201)
            try await bookings("/reservations", slot).expect(201)

            let administrator = try await system.administrator().client
            for person in [receptionist, member] { try await administrator.post("/admin/users/\(person.id)/block").expect(200) }

            let head = try await system.head()
            try await desk("/financial/expenses", expense).expectProblem(403, "account_blocked")
            let later = booking(room, system.time(day: 4, minute: 600), system.time(day: 4, minute: 660))
            try await bookings("/reservations", later).expectProblem(403, "account_blocked")
            #expect(try await system.head() == head)
        }

        @Test("An administrator who is one no more promotes nobody with the old token, and does what the new role allows with a new one")
        func demoted() async throws {
            let system = try TestSystem.current()
            let accomplice = try await system.member()
            let founder = try await system.administrator().client
            let person = try await system.member()
            try await founder.post("/admin/promote/\(person.id)").expect(200)
            let admin = try await person.person.logIn(system.visitor, id: person.id)
            try await admin.client.post("/admin/promote/\(accomplice.id)", ["role": "recepcao"]).expect(200)

            let demotion = try await founder.post("/admin/promote/\(person.id)", ["role": "gestor"]).expect(200)

            let head = try await system.head()
            try await admin.client.post("/admin/promote/\(accomplice.id)").expectProblem(401, "role_changed")
            try await admin.client.post("/admin/users/\(accomplice.id)/block").expectProblem(401, "role_changed")
            try await admin.client.post("/units", ["name": "Minha", "timezone": "America/Manaus", "address": "Rua"])
                .expectProblem(401, "role_changed")
            #expect(try await system.head() == head)
            _ = try await founder.get("/admin/users", after: try demotion.position()).expect(200)
            let renewed = try await system.visitor.post("/auth/refresh", ["refresh_token": .string(admin.refreshToken)]).expect(200)
            let gestor = system.visitor.asking(with: try renewed.text("token"))
            try await gestor.post("/admin/promote/\(accomplice.id)").expectProblem(403, "forbidden")
            let room = try await system.space(in: try await system.unit())
            try await gestor.put("/spaces/\(room)/rules", ["min_minutes": 60]).expect(200)
            // Nobody is kept from leaving
            try await admin.client.post("/auth/logout").expect(200)
        }

        @Test("Another password ends all other sessions at once, and none that is opened with it")
        func passwordChange() async throws {
            let system = try TestSystem.current()
            let member = try await system.member()
            let thief = try await member.person.logIn(system.visitor, id: member.id)
            let other = try await system.member()
            let password = system.confidential.add(password: "Nova-senha-\(member.id)")
            let change: JSONValue = ["current_password": .string(member.person.password), "new_password": .string(password)]

            let changed = try await member.client.post("/users/me/password", change).expect(200)

            try await thief.client.get("/users/me").expectProblem(401, "unauthenticated")
            try await system.visitor.post("/auth/refresh", ["refresh_token": .string(thief.refreshToken)]).expect(401)
            let credentials: JSONValue = ["email": .string(member.person.email), "password": .string(password)]
            let anew = try await system.visitor.post("/auth/login", credentials).expect(200)
            try await system.visitor.asking(with: try anew.text("token")).get("/users/me").expect(200)
            // What the log tells says the same, at whatever gateway
            let taken = try await member.client.get("/users/me/export", after: try changed.position()).expect(200)
            #expect(taken["sessions"].items.count { $0["reason"] == "troca_de_senha" } == 1)
            try await member.client.get("/users/me").expect(200)
            for token in [member.refreshToken, try anew.text("refresh_token"), other.refreshToken] {
                try await system.visitor.post("/auth/refresh", ["refresh_token": .string(token)]).expect(200)
            }
        }

        @Test("Unblocked, an account is signed in to anew; what the block ended stays ended")
        func unblocked() async throws {
            let system = try TestSystem.current()
            let member = try await system.member()
            let administrator = try await system.administrator().client
            try await administrator.post("/admin/users/\(member.id)/block").expect(200)
            try await member.client.post("/admin/users/\(member.id)/unblock").expectProblem(401, "unauthenticated")
            let receptionist = try await system.receptionist().client
            try await receptionist.post("/admin/users/\(member.id)/unblock").expectProblem(403, "forbidden")

            let done = try await administrator.post("/admin/users/\(member.id)/unblock").expect(200)

            try await administrator.post("/admin/users/\(member.id)/unblock").expect(200)
            let anew = try await member.person.logIn(system.visitor, id: member.id)
            let me = try await anew.client.get("/users/me", after: try done.position()).expect(200)
            #expect(me["blocked"] == false)
            try await system.visitor.post("/auth/refresh", ["refresh_token": .string(member.refreshToken)]).expect(401)
            try await eventually("the token of before is refused") { try await member.client.get("/users/me").status == 401 }
        }

        @Test("A blocked account neither signs in nor goes on, nor does anything with the token that it has")
        func blocked() async throws {
            let system = try TestSystem.current()
            let member = try await system.member()
            let room = try await system.space(in: try await system.unit())
            try await member.client.get("/users/me").expect(200)
            let blocked = try await system.administrator().client.post("/admin/users/\(member.id)/block").expect(200)

            try await member.client.get("/users/me").expectProblem(401, "unauthenticated")
            let slot = booking(room, system.time(day: 3, minute: 600), system.time(day: 3, minute: 660))
            try await member.client.post("/reservations", slot).expectProblem(401, "unauthenticated")
            try await system.visitor.post("/auth/login", member.person.credentials).expect(403)
            let list = try await system.administrator().client.get("/admin/users?blocked=true&limit=200", after: try blocked.position())
            #expect(try list.expect(200).json.items.contains { $0["id"].text == member.id })
            try await system.visitor.post("/auth/refresh", ["refresh_token": .string(member.refreshToken)]).expect(401)
        }
    }
}

import Crypto
import Domain
import FoundationEssentials
import Gateway
import HTTP
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

            for assertion in [signer.sign(Identity(user: victim, role: .admin, session: session)), "x;admin;y;9999999999;AAAA", ""] {
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
            let identity = Identity(user: try #require(UsuarioID(member.id)), role: .membro, session: session)
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

        @Test("A blocked account neither signs in nor goes on")
        func blocked() async throws {
            let system = try TestSystem.current()
            let member = try await system.member()
            let blocked = try await system.administrator().client.post("/admin/users/\(member.id)/block").expect(200)

            try await system.visitor.post("/auth/login", member.person.credentials).expect(403)
            let list = try await system.administrator().client.get("/admin/users?blocked=true&limit=200", after: try blocked.position())
            #expect(try list.expect(200).json.items.contains { $0["id"].text == member.id })
            try await system.visitor.post("/auth/refresh", ["refresh_token": .string(member.refreshToken)]).expect(401)
        }
    }
}

import Foundation
import TestSupport
import Testing

extension WholeSystem.OneSystem {
    /// Staff who work for some units only: of the others they see and do what members do.
    @Suite(.serialized)
    struct UnitStaff {
        /// A unit with something of everything that belongs to one.
        struct Place: Sendable {
            let unit: String
            let room: String
            /// Held, and waits for payment.
            let pending: String
            let start: String
            let end: String
            /// Stands: it was paid at the desk.
            let paid: String
            let payment: String
            let series: String
            let waiting: String

            /// - Parameters:
            ///   - member: who books all of it.
            ///   - other: who has what the member waits for.
            init(_ system: TestSystem, _ member: Client, _ other: Client, _ admin: Client) async throws {
                func slot(_ room: String, _ minute: Int) -> JSONValue {
                    booking(room, system.time(day: 3, minute: minute), system.time(day: 3, minute: minute + 60))
                }
                unit = try await system.unit()
                room = try await system.space(in: unit)
                start = system.time(day: 3, minute: 600)
                end = system.time(day: 3, minute: 660)
                pending = try await member.post("/reservations", slot(room, 600)).expect(201).text("id")
                paid = try await member.post("/reservations", slot(room, 720)).expect(201).text("id")
                payment = try await admin.post("/payments/desk", ["reservation_id": .string(paid), "method": "cash"]).expect(200)
                    .text("payment_id")
                let daily = slot(room, 900).with("rrule", "FREQ=DAILY;COUNT=2")
                series = try await member.post("/reservations/series", daily).expect(201).text("id")
                try await other.post("/reservations", slot(room, 1_020)).expect(201)
                waiting = try await member.post("/reservations/waitlist", slot(room, 1_020)).expect(201).text("id")
            }
        }

        struct Team: Sendable {
            let system: TestSystem
            let member: Member
            let here: Place
            let there: Place
            let admin: Client
            /// Of all units.
            let everywhere: Client
            /// Of `here` only.
            let limited: Client

            init() async throws {
                system = try TestSystem.current()
                let other = try await system.member("outra")
                member = try await system.member()
                admin = try await system.administrator().client
                here = try await Place(system, member.client, other.client, admin)
                there = try await Place(system, member.client, other.client, admin)
                everywhere = try await system.staff("gestor").client
                limited = try await system.staff("gestor", of: [here.unit]).client
                // What is asked of read models comes after all of it.
                let head = try await system.head()
                for path in ["reservations/\(there.pending)", "reservations/\(there.pending)/calendar.ics", "spaces/\(there.room)/day"] {
                    try await admin.get("/\(path)", after: head).expect(200)
                }
            }
        }

        /// Something that is asked of one place.
        struct Question: Sendable, CustomTestStringConvertible {
            let testDescription: String
            /// What somebody is told who does not work there.
            let code: String
            let ask: @Sendable (Client, Place) async throws -> Answer

            init(_ name: String, _ code: String = "not_found", _ ask: @escaping @Sendable (Client, Place) async throws -> Answer) {
                testDescription = name
                self.code = code
                self.ask = ask
            }

            static func get(_ path: String, _ code: String = "not_found", _ of: @escaping @Sendable (Place) -> String) -> Question {
                Question("GET \(path)", code) { client, place in try await client.get(of(place)) }
            }
        }

        /// What is looked at.
        private static let looks: [Question] = [
            .get("booking") { "/reservations/\($0.pending)" },
            .get("history", "reservation_not_found") { "/reservations/\($0.pending)/history" },
            .get("calendar entry") { "/reservations/\($0.pending)/calendar.ics" },
            .get("entry code", "reservation_not_found") { "/reservations/\($0.paid)/qr" },
            .get("series") { "/reservations/series/\($0.series)" },
            .get("payment") { "/payments/\($0.payment)" },
            .get("floor") { "/checkin/floor?unit=\($0.unit)" },
            .get("day of a door") { "/spaces/\($0.room)/day" },
            .get("displays") { "/spaces/\($0.room)/displays" },
        ]

        private static let figures: [Question] = [
            "financial/ledger", "financial/ledger.csv", "financial/revenue", "financial/expenses", "financial/expenses/entries",
            "financial/statement", "financial/receivables", "financial/trial-balance", "analytics/dashboard", "analytics/usage",
            "analytics/heatmap", "analytics/series", "analytics/closings",
        ].map { path in Question.get(path) { "/\(path)?unit=\($0.unit)" } }

        /// What is done; each can be done again.
        private static let deeds: [Question] = [
            Question("check in", "reservation_not_found") { client, place in try await client.post("/checkin/\(place.paid)") },
            Question("check out", "reservation_not_found") { client, place in try await client.post("/checkout/\(place.paid)") },
            Question("move", "reservation_not_found") { client, place in
                try await client.put(
                    "/reservations/\(place.pending)", ["start_time": .string(place.start), "end_time": .string(place.end)]
                )
            },
            Question("guests", "reservation_not_found") { client, place in
                try await client.put("/reservations/\(place.paid)/guests", ["guests": []])
            },
            Question("approve", "reservation_not_found") { client, place in
                try await client.post("/reservations/\(place.paid)/approve")
            },
            Question("reject", "reservation_not_found") { client, place in
                try await client.post("/reservations/\(place.paid)/reject", ["reason": "Evento interno"])
            },
            Question("confirm", "reservation_not_found") { client, place in
                try await client.post("/reservations/\(place.paid)/confirm")
            },
            Question("desk payment of a booking", "reservation_not_found") { client, place in
                try await client.post("/payments/desk", ["reservation_id": .string(place.paid), "method": "cash"])
            },
            Question("desk payment of a charge", "payment_not_found") { client, place in
                try await client.post("/payments/desk", ["payment_id": .string(place.payment), "method": "cash"])
            },
            Question("charge", "payment_not_found") { client, place in
                try await client.post("/payments/charge", ["payment_id": .string(place.payment), "method": "pix"])
            },
            Question("refund", "payment_not_found") { client, place in
                try await client.post(
                    "/payments/refund", ["payment_id": .string(place.payment), "amount_cents": 100, "reason": "Barulho"]
                )
            },
            Question("rules", "space_not_found") { client, place in
                try await client.put("/spaces/\(place.room)/rules", ["horizon_minutes": 129_600])
            },
            Question("hours", "space_not_found") { client, place in
                try await client.put("/spaces/\(place.room)/hours", ["hours": ["segunda": [["opens": "00:00", "closes": "24:00"]]]])
            },
            Question("closure", "space_not_found") { client, place in
                try await client.put(
                    "/spaces/\(place.room)/closures", ["from": "2030-01-01", "to": "2030-01-02", "reason": "Obras"]
                )
            },
            Question("end of a closure", "space_not_found") { client, place in
                try await client.delete("/spaces/\(place.room)/closures/00000000-0000-7000-8000-000000000000")
            },
            Question("display", "space_not_found") { client, place in try await client.post("/spaces/\(place.room)/display") },
            Question("tariff", "unit_not_found") { client, place in
                try await client.put(
                    "/units/\(place.unit)/tariff",
                    ["valid_from": "2018-01-01", "rates": [["type": "sala_de_reuniao", "hourly_cents": 6_000]]]
                )
            },
            Question("end of a wait", "waitlist_entry_not_found") { client, place in
                try await client.delete("/reservations/waitlist/\(place.waiting)")
            },
            Question("end of a series", "series_not_found") { client, place in
                try await client.delete("/reservations/series/\(place.series)", ["scope": "all"])
            },
            Question("cancellation", "reservation_not_found") { client, place in
                try await client.delete("/reservations/\(place.pending)")
            },
        ]

        @Test("What is another unit's is not there, whatever is asked of it; their own units' is, and of all units for those of all")
        func everyEndpoint() async throws {
            let team = try await Team()
            for question in Self.looks + Self.figures + Self.deeds {
                // Before anybody else does it
                let refused = try await question.ask(team.limited, team.there)
                #expect(refused.status == 404 && refused["code"].text == question.code, "\(question.testDescription): \(refused)")
                let asked = [(team.limited, team.here)] + [team.everywhere, team.admin].flatMap { [($0, team.here), ($0, team.there)] }
                for (client, place) in asked {
                    let answer = try await question.ask(client, place)
                    let done = ![401, 403, 404].contains(answer.status) && answer.status < 500
                    #expect(done, "\(question.testDescription): \(answer)")
                }
            }
        }

        /// Lists, and what of an item tells which it is.
        private static let lists: [(path: String, id: @Sendable (Place) -> Set<String>)] = [
            ("/reservations?", { [$0.pending, $0.paid] }), ("/payments?", { [$0.payment] }), ("/reservations/series?", { [$0.series] }),
            ("/reservations/waitlist?", { [$0.waiting] }),
        ]

        @Test("Lists leave out what is another unit's, whatever they are filtered by")
        func lists() async throws {
            let team = try await Team()
            func ids(_ client: Client, _ path: String) async throws -> Set<String> {
                Set(try await client.get("\(path)limit=200").expect(200).json.items.compactMap { $0["id"].text })
            }
            for (path, known) in Self.lists {
                let (here, there) = (known(team.here), known(team.there))
                for filter in ["", "user_id=\(team.member.id)&"] {
                    let seen = try await ids(team.limited, path + filter)
                    #expect(seen.isSuperset(of: here) && seen.isDisjoint(with: there), "\(path)\(filter)")
                }
                for client in [team.everywhere, team.admin, team.member.client] {
                    let seen = try await ids(client, "\(path)user_id=\(team.member.id)&")
                    #expect(seen.isSuperset(of: here.union(there)), "\(path)")
                }
            }
            let ofMember = try await ids(team.limited, "/reservations/user/\(team.member.id)?")
            #expect(ofMember.isSuperset(of: [team.here.pending]) && !ofMember.contains(team.there.pending))
            for filter in ["unit_id=\(team.there.unit)&", "space_id=\(team.there.room)&"] {
                #expect(try await ids(team.limited, "/reservations?\(filter)").isEmpty)
            }
            #expect(try await ids(team.limited, "/payments?reservation_id=\(team.there.paid)&").isEmpty)
            // What is no unit's is any desk's
            try await team.limited.get("/subscriptions/\(team.member.id)").expect(200)
            try await team.limited.get("/coupons").expect(200)
        }

        @Test("For a member they book in their units only; elsewhere they book for themselves, as members do")
        func newBookings() async throws {
            let team = try await Team()
            func slot(_ place: Place, _ day: Int) -> JSONValue {
                booking(place.room, team.system.time(day: day, minute: 600), team.system.time(day: day, minute: 660))
            }
            let member = JSONValue.string(team.member.id)
            for (path, more) in [
                ("/reservations", [:]), ("/reservations/series", ["rrule": "FREQ=DAILY;COUNT=2"]),
                ("/reservations/series/preview", ["rrule": "FREQ=DAILY;COUNT=2"]), ("/reservations/waitlist", [:]),
            ] as [(String, [String: JSONValue])] {
                func body(_ place: Place) -> JSONValue {
                    more.reduce(slot(place, 10)) { $0.with($1.key, $1.value) }.with("user_id", member)
                }
                try await team.limited.post(path, body(team.there)).expectProblem(403, "forbidden")
                let own = try await team.limited.post(path, body(team.here))
                // The wait is for what is free, or was booked just now.
                #expect([200, 201, 409].contains(own.status), "\(path): \(own)")
            }
            let desk = slot(team.there, 14).with("payment", "desk")
            try await team.limited.post("/reservations", desk).expectProblem(403, "forbidden")
            try await team.limited.post("/reservations", desk.with("space_id", .string(team.here.room))).expect(201)

            let mine = try await team.limited.post("/reservations", slot(team.there, 16)).expect(201)
            let id = try mine.text("id")
            try await team.limited.get("/reservations/\(id)", after: try mine.position()).expect(200)
            #expect(try await team.limited.get("/reservations").expect(200).json.items.contains { $0["id"].text == id })
            try await team.limited.post("/reservations/\(id)/confirm").expectProblem(403, "forbidden")
            try await team.limited.post("/payments/desk", ["reservation_id": .string(id), "method": "cash"])
                .expectProblem(403, "staff_only")
            try await team.limited.delete("/reservations/\(id)", ["refund_percent": 100, "reason": "amiga"])
                .expectProblem(403, "forbidden")
            try await team.limited.delete("/reservations/\(id)").expect(200)
        }

        @Test("A code that is shown at another unit's desk opens nothing")
        func codes() async throws {
            let team = try await Team()
            for (place, status, code) in [(team.there, 404, "reservation_not_found"), (team.here, 400, "too_early")] {
                let shown = try await team.member.client.get("/reservations/\(place.paid)/qr").expect(200).text("code")
                for action in ["in", "out"] where action == "in" || status == 404 {
                    try await team.limited.post("/checkin/scan", ["code": .string(shown), "action": .string(action)])
                        .expectProblem(status, code)
                }
            }
        }

        @Test("Money: they record, take back and see what is their units'; what is the whole business's takes staff of all units")
        func money() async throws {
            let team = try await Team()
            func expense(_ unit: String?) -> JSONValue {
                let rent: JSONValue = ["category": "rent", "date": "2026-01-02", "amount_cents": 100]
                return unit.map { rent.with("unit_id", .string($0)) } ?? rent
            }
            let own = try await team.limited.post("/financial/expenses", expense(team.here.unit)).expect(201)
            for unit in [team.there.unit, nil] {
                try await team.limited.post("/financial/expenses", expense(unit)).expectProblem(403, "other_unit")
                let theirs = try await team.everywhere.post("/financial/expenses", expense(unit)).expect(201).text("id")
                try await team.limited.post("/financial/expenses/\(theirs)/reverse").expectProblem(404, "expense_not_found")
                try await team.everywhere.post("/financial/expenses/\(theirs)/reverse").expect(200)
                try await team.limited.post("/financial/expenses/\(theirs)/reverse").expectProblem(404, "expense_not_found")
            }
            // Whoever works for one unit means that one
            let entries = try await team.limited.get("/financial/expenses/entries", after: try await team.system.head()).expect(200)
            #expect(entries.json.items.map { $0["id"] } == [own["id"]])
            try await team.limited.post("/financial/expenses/\(try own.text("id"))/reverse").expect(200)
            // Whoever works for several has to say
            let both = try await team.system.staff("gestor", of: [team.here.unit, team.there.unit]).client
            for path in ["financial/trial-balance", "financial/revenue", "financial/ledger", "analytics/dashboard", "analytics/closings"] {
                try await team.limited.get("/\(path)").expect(200)
                try await both.get("/\(path)").expectProblem(403, "other_unit")
                for place in [team.here, team.there] { try await both.get("/\(path)?unit=\(place.unit)").expect(200) }
                try await team.everywhere.get("/\(path)").expect(200)
            }
            let code = "UNID\(UUID().uuidString.prefix(6))"
            let coupon: JSONValue = ["code": .string(code), "percent": 10]
            try await both.post("/coupons", coupon).expectProblem(403, "other_unit")
            try await team.everywhere.post("/coupons", coupon).expect(201)
            try await both.delete("/coupons/\(code)").expectProblem(403, "other_unit")
            let plan: JSONValue = ["name": "Basic", "discount_percent": 0, "monthly_fee_cents": 0]
            try await both.put("/plans/basic", plan).expectProblem(403, "other_unit")
            try await team.everywhere.put("/plans/basic", plan).expect(200)
            try await both.post("/financial/close/2020-01").expectProblem(403, "other_unit")
            try await both.get("/admin/reservations").expectProblem(403, "forbidden")
        }

        @Test("A role is given for units that there are, and is shown with them")
        func promotion() async throws {
            let system = try TestSystem.current()
            let admin = try await system.administrator().client
            let (unit, member) = (try await system.unit(), try await system.member())
            let path = "/admin/promote/\(member.id)"
            func role(_ role: String, _ units: JSONValue) -> JSONValue { ["role": .string(role), "unit_ids": units] }
            let nowhere: JSONValue = ["00000000-0000-7000-8000-000000000000"]
            try await admin.post(path, role("recepcao", nowhere)).expectProblem(404, "unit_not_found")
            try await admin.post(path, role("recepcao", [])).expectProblem(422, "invalid_units")
            try await admin.post(path, role("recepcao", ["x"])).expectProblem(400, "invalid_field")
            for other in ["membro", "admin"] {
                try await admin.post(path, role(other, [.string(unit)])).expectProblem(422, "role_without_units")
            }
            let given = try await admin.post(path, role("recepcao", [.string(unit), .string(unit)])).expect(200)
            func shown(_ position: Int) async throws -> JSONValue {
                let accounts = try await admin.get("/admin/users?role=recepcao&limit=200", after: position).expect(200).json.items
                return try #require(accounts.first { $0["id"].text == member.id })["unit_ids"]
            }
            #expect(try await shown(try given.position()) == [.string(unit)])
            let mine = try await member.person.logIn(system.visitor, id: member.id).client
            let me = try await mine.get("/users/me", after: try given.position()).expect(200)
            #expect(me["role"] == "recepcao" && me["unit_ids"] == [.string(unit)])
            let all = try await admin.post(path, ["role": "recepcao"]).expect(200)
            #expect(try await shown(try all.position()) == .null)
        }

        @Test("Moved to another unit, staff do nothing more with their old token, and refreshed they work where they are")
        func moved() async throws {
            let team = try await Team()
            let desk = try await team.system.staff("recepcao", of: [team.here.unit])
            try await desk.client.post("/reservations/\(team.here.paid)/confirm").expect(200)
            let units: JSONValue = ["role": "recepcao", "unit_ids": [.string(team.there.unit)]]
            let moved = try await team.admin.post("/admin/promote/\(desk.id)", units).expect(200)
            let nobody: JSONValue = ["guests": []]
            try await desk.client.put("/reservations/\(team.here.paid)/guests", nobody).expectProblem(401, "role_changed")
            // So that the read model knows
            try await team.admin.get("/users/me", after: try moved.position()).expect(200)
            let tokens = try await team.system.visitor.post("/auth/refresh", ["refresh_token": .string(desk.refreshToken)]).expect(200)
            let fresh = team.system.visitor.asking(with: try tokens.text("token"))
            try await fresh.put("/reservations/\(team.here.paid)/guests", nobody).expectProblem(404, "reservation_not_found")
            try await fresh.put("/reservations/\(team.there.paid)/guests", nobody).expect(200)
            try await fresh.get("/reservations/\(team.here.paid)").expectProblem(404, "not_found")
        }
    }
}

extension TestSystem {
    /// Somebody with a role.
    ///
    /// - Parameter units: that the role is for; nil for all.
    func staff(_ role: String, of units: [String]? = nil) async throws -> Member {
        let member = try await member(role)
        var body: JSONValue = ["role": .string(role)]
        if let units { body = body.with("unit_ids", .array(units.map { .string($0) })) }
        try await administrator().client.post("/admin/promote/\(member.id)", body).expect(200)
        return try await member.person.logIn(visitor, id: member.id)
    }
}

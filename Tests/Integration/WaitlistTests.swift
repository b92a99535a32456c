import Postgres
import TestSupport
import Testing

extension WholeSystem.OneSystem {
    @Suite(.serialized)
    struct Waitlist {
        private func status(_ member: Member) async throws -> [String] {
            try await member.client.get("/reservations/waitlist").expect(200).json.items.compactMap { $0["status"].text }
        }

        @Test("Who waited first is offered what is freed, and it goes on to the next when they give it up")
        func line() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let slot = booking(room, system.time(day: 3, minute: 600), system.time(day: 3, minute: 720))
            let (owner, first, second) = (try await system.member(), try await system.member(), try await system.member())

            // Nobody waits for what is free
            try await first.client.post("/reservations/waitlist", slot).expectProblem(409, "slot_free")
            let taken = try await owner.client.post("/reservations", slot).expect(201)
            let joined = try await first.client.post("/reservations/waitlist", slot, key: "join").expect(201)
            #expect(try await first.client.post("/reservations/waitlist", slot, key: "join").expect(201)["id"] == joined["id"])
            try await first.client.post("/reservations/waitlist", slot).expectProblem(409, "already_waiting")
            // The second waits for half of it
            let half = booking(room, system.time(day: 3, minute: 660), system.time(day: 3, minute: 720))
            let later = try await second.client.post("/reservations/waitlist", half).expect(201)
            let seen = try await second.client.get("/reservations/waitlist", after: try later.position()).expect(200)
            #expect(seen.json.items.map { $0["place"] } == [2])
            #expect(seen.json.items.map { $0["id"] } == [later["id"]])

            // When the booking is given up
            try await owner.client.delete("/reservations/\(try taken.text("id"))").expect(200)

            // Then the first has it, and nobody else
            try await eventually("the first is offered it") { try await status(first) == ["offered"] }
            #expect(try await status(second) == ["waiting"])
            let offer = try #require(try await first.client.get("/reservations/waitlist").json.items.first)
            let held = try await first.client.get("/reservations/\(offer["reservation_id"].text ?? "")").expect(200)
            #expect(held["status"] == "pending")
            #expect(held["start_time"] == slot["start_time"] || held["start_time"].text != nil)
            #expect(held["user_id"].text == first.id)
            try await owner.client.post("/reservations", slot).expectProblem(409, "slot_taken")

            // When they leave the line, the offer goes on
            try await second.client.delete("/reservations/waitlist/\(try joined.text("id"))").expectProblem(404, "waitlist_entry_not_found")
            try await first.client.delete("/reservations/waitlist/\(try joined.text("id"))").expect(200)
            try await eventually("the second is offered it") { try await status(second) == ["offered"] }
            #expect(try await status(first) == ["withdrawn"])

            // When the desk confirms it, the wait is over
            let hold = try #require(try await second.client.get("/reservations/waitlist").json.items.first?["reservation_id"].text)
            try await system.administrator().client.post("/reservations/\(hold)/confirm").expect(200)
            try await eventually("the wait is over") { try await status(second) == ["booked"] }
        }

        @Test("However many wait and however much is freed at once, each span is offered once, in the order of the line")
        func race() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let owner = try await system.member()
            let slots = (0..<4).map { hour in
                booking(room, system.time(day: 4, minute: 600 + hour * 60), system.time(day: 4, minute: 660 + hour * 60))
            }
            var booked: [String] = []
            for slot in slots { booked.append(try await owner.client.post("/reservations", slot).expect(201).text("id")) }
            var members: [Member] = []
            for number in 0..<8 { members.append(try await system.member("espera\(number)")) }
            // Two wait for each slot, in order
            for (number, member) in members.enumerated() {
                try await member.client.post("/reservations/waitlist", slots[number % 4]).expect(201)
            }

            // When all are freed at once
            _ = try await concurrently(booked, atATime: 4) { id in try await owner.client.delete("/reservations/\(id)").expect(200) }

            // Then the first of each has it
            try await eventually("four are offered theirs") {
                var offered = 0
                for member in members[..<4] where try await status(member) == ["offered"] { offered += 1 }
                return offered == 4
            }
            for member in members[4...] { #expect(try await status(member) == ["waiting"]) }
        }
    }

    /// Nobody gave anything up, but there is more to have.
    @Suite(.serialized)
    struct MoreToHave {
        private let day = 4
        private static let weekdays = ["segunda", "terca", "quarta", "quinta", "sexta", "sabado", "domingo"]

        private func slot(_ system: TestSystem, _ room: String, day: Int? = nil) -> JSONValue {
            booking(room, system.time(day: day ?? self.day, minute: 600), system.time(day: day ?? self.day, minute: 660))
        }

        private func statuses(_ members: [Member]) async throws -> [String] {
            var statuses: [String] = []
            for member in members {
                statuses += try await member.client.get("/reservations/waitlist").expect(200).json.items.compactMap { $0["status"].text }
            }
            return statuses
        }

        private func hours(_ opens: String, _ closes: String) -> JSONValue {
            let span: JSONValue = ["opens": .string(opens), "closes": .string(closes)]
            return ["hours": .object(Dictionary(uniqueKeysWithValues: Self.weekdays.map { ($0, .array([span])) }))]
        }

        private func update(_ system: TestSystem, _ room: String, seats: Int) async throws {
            let admin = try await system.administrator().client
            let seats = JSONValue.number(Double(seats))
            let body: JSONValue = ["name": "Sala", "type": "sala_de_reuniao", "capacity": seats, "seats": seats]
            try await admin.put("/spaces/\(room)", body).expect(200)
        }

        @Test("More seats go to who joined first, each once, on whatever day; the rest wait on")
        func seats() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let owner = try await system.member()
            // Two days far apart, three who wait for each, by turns
            for day in [day, day + 9] { try await owner.client.post("/reservations", slot(system, room, day: day)).expect(201) }
            var waiting: [Member] = []
            for number in 0..<6 {
                let member = try await system.member("fila\(number)")
                let day = number.isMultiple(of: 2) ? day : day + 9
                try await member.client.post("/reservations/waitlist", slot(system, room, day: day)).expect(201)
                waiting.append(member)
            }

            try await update(system, room, seats: 3)

            try await eventually("two of each day are offered theirs") {
                try await statuses(waiting) == ["offered", "offered", "offered", "offered", "waiting", "waiting"]
            }
            try await system.settled()
            #expect(try await statuses(waiting) == ["offered", "offered", "offered", "offered", "waiting", "waiting"])
            // The log shows the order: who joined first was offered theirs first
            let order = try await system.pool.withConnection { connection in
                try connection.query(
                    "select convert_from(payload, 'UTF8')::jsonb ->> 'usuario' from log.events "
                        + "where type = 'reservas.EsperaOferecida' and stream like 'espera-' || $1 || '%' order by position",
                    room
                ).map { try $0.get(0, String.self) }
            }
            #expect(order.count == 4)
            let first = order.filter { id in waiting.enumerated().contains { $0.offset.isMultiple(of: 2) && $0.element.id == id } }
            #expect(first == [waiting[0].id, waiting[2].id])
            let second = order.filter { id in waiting.enumerated().contains { !$0.offset.isMultiple(of: 2) && $0.element.id == id } }
            #expect(second == [waiting[1].id, waiting[3].id])
        }

        @Test("Many are offered theirs in the order in which they joined, though not in one append")
        func many() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let owner = try await system.member()
            try await owner.client.post("/reservations", slot(system, room)).expect(201)
            let admin = try await system.administrator().client
            var joined: [String] = []
            for number in 0..<25 {
                let member = try await system.member("muitos\(number)")
                try await admin.post("/reservations/waitlist", slot(system, room).with("user_id", .string(member.id))).expect(201)
                joined.append(member.id)
            }
            try await update(system, room, seats: 24)
            try await system.settled()
            let offered = try await system.pool.withConnection { connection in
                try connection.query(
                    "select convert_from(payload, 'UTF8')::jsonb ->> 'usuario', command_id::text from log.events "
                        + "where type = 'reservas.EsperaOferecida' and stream like 'espera-' || $1 || '%' order by position",
                    room
                ).map { (user: try $0.get(0, String.self), command: try $0.get(1, String.self)) }
            }
            #expect(offered.map(\.user) == Array(joined.prefix(23)))
            #expect(Set(offered.map(\.command)).count == 2)
        }

        @Test(
            "Who waits is offered the slot when the space takes bookings again",
            arguments: ["closure", "hours", "rules", "reactivation"]
        )
        func takesBookingsAgain(what: String) async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let admin = try await system.administrator().client
            let (owner, waiting) = (try await system.member(), try await system.member("espera"))
            let taken = try await owner.client.post("/reservations", slot(system, room)).expect(201).text("id")
            try await waiting.client.post("/reservations/waitlist", slot(system, room)).expect(201)
            func date(_ day: Int) -> JSONValue { .string(String(system.time(day: day, minute: 0).prefix(10))) }
            // The space takes none, when the slot is freed
            var closure = ""
            switch what {
            case "hours": try await admin.put("/spaces/\(room)/hours", hours("00:00", "01:00")).expect(200)
            case "rules": try await admin.put("/spaces/\(room)/rules", ["horizon_minutes": 1_440]).expect(200)
            default:
                closure = try await admin.put(
                    "/spaces/\(room)/closures",
                    ["from": date(day - 1), "to": date(day + 1), "reason": "Obras"]
                ).expect(201).text("id")
            }
            try await owner.client.delete("/reservations/\(taken)").expect(200)
            try await system.settled()
            #expect(try await statuses([waiting]) == ["waiting"])
            // And then it does
            switch what {
            case "hours": try await admin.put("/spaces/\(room)/hours", hours("00:00", "24:00")).expect(200)
            case "rules": try await admin.put("/spaces/\(room)/rules", ["horizon_minutes": 129_600]).expect(200)
            case "reactivation":
                try await admin.delete("/spaces/\(room)").expect(200)
                try await admin.delete("/spaces/\(room)/closures/\(closure)").expect(200)
                try await system.settled()
                #expect(try await statuses([waiting]) == ["waiting"])
                try await admin.post("/spaces/\(room)/reactivate").expect(200)
            default: try await admin.delete("/spaces/\(room)/closures/\(closure)").expect(200)
            }
            try await eventually("it is offered") { try await statuses([waiting]) == ["offered"] }
        }
    }

    @Suite(.serialized)
    struct Attendance {
        @Test("Where a space wants approval, a booking waits for it, and then for payment; a refusal says why and frees the slot")
        func approval() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let admin = try await system.administrator().client
            try await admin.put("/spaces/\(room)/rules", ["approval_minutes": 1_440, "horizon_minutes": 129_600]).expect(200)
            let (member, desk) = (try await system.member(), try await system.receptionist())
            let slot = booking(room, system.time(day: 5, minute: 600), system.time(day: 5, minute: 660))

            let asked = try await member.client.post("/reservations", slot).expect(201)
            let id = try asked.text("id")
            #expect(asked["status"] == "pending")
            let seen = try await member.client.get("/reservations/\(id)", after: try asked.position()).expect(200)
            #expect(seen["approval_until"] == seen["expires_at"])

            // It is not for the desk to confirm, nor for the member to approve
            try await desk.client.post("/reservations/\(id)/confirm").expectProblem(409, "approval_pending")
            try await desk.client.post("/reservations/\(id)/approve").expectProblem(403, "manager_only")
            try await member.client.post("/reservations/\(id)/approve").expectProblem(403, "manager_only")
            let approved = try await admin.post("/reservations/\(id)/approve").expect(200)
            #expect(approved["status"] == "pending")
            let held = try await member.client.get("/reservations/\(id)", after: try approved.position()).expect(200)
            #expect(held["approval_until"] == .null)
            try await admin.post("/reservations/\(id)/approve").expectProblem(409, "approval_not_pending")
            try await desk.client.post("/reservations/\(id)/confirm").expect(200)

            // Another is refused
            let other = booking(room, system.time(day: 6, minute: 600), system.time(day: 6, minute: 660))
            let second = try await member.client.post("/reservations", other).expect(201).text("id")
            try await admin.post("/reservations/\(second)/reject", ["reason": ""]).expectProblem(422, "reason_required")
            let reason = system.confidential.add("Evento interno de \(member.person.name)")
            let refused = try await admin.post("/reservations/\(second)/reject", ["reason": .string(reason)]).expect(200)
            #expect(refused["status"] == "cancelled")
            let shown = try await member.client.get("/reservations/\(second)", after: try refused.position()).expect(200)
            #expect(shown["cancellation"]["reason"] == "nao_aprovada")
            #expect(shown["cancellation"]["note"].text == reason)
            // Whoever may approve needs no approval
            try await admin.post("/reservations", other.with("payment", "desk")).expect(201)
        }

        @Test("The desk books for a visitor, takes the money, and sets rules aside with a reason; a member does none of it")
        func desk() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit(), .init(minimum: 60))
            let (member, desk) = (try await system.member(), try await system.receptionist())
            let short = booking(room, system.time(day: 5, minute: 600), system.time(day: 5, minute: 615))
            let visitor = system.confidential.add("Visitante \(desk.person.name)")
            let extras =
                short.with("payment", "desk").with("visitor", ["name": .string(visitor)])
                .with("override_reason", .string(system.confidential.add("Visita rápida de \(visitor)")))

            try await member.client.post("/reservations", extras).expectProblem(403, "forbidden")
            try await desk.client.post("/reservations", short).expectProblem(422, "too_short")
            let booked = try await desk.client.post("/reservations", extras).expect(201)
            #expect(booked["status"] == "active")
            let seen = try await desk.client.get("/reservations/\(try booked.text("id"))", after: try booked.position()).expect(200)
            #expect(seen["visitor"]["name"].text == visitor)
            #expect(seen["payment"] == "desk")
            // Seats are never set aside
            try await desk.client.post("/reservations", extras).expectProblem(409, "slot_taken")
        }

        @Test("Guests are named by who booked, seen by them and staff, and are as many as there is room for")
        func guests() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit(), .init(seats: 2))
            let (member, other) = (try await system.member(), try await system.member())
            let slot = booking(room, system.time(day: 5, minute: 600), system.time(day: 5, minute: 660), seats: 2)
            let id = try await member.client.post("/reservations", slot).expect(201).text("id")
            func named(_ count: Int) -> JSONValue {
                .object(["guests": .array((0..<count).map { ["name": .string(system.confidential.add("Convidada \($0) \(id)"))] })])
            }

            try await member.client.put("/reservations/\(id)/guests", named(3)).expectProblem(422, "too_many_guests")
            try await other.client.put("/reservations/\(id)/guests", named(1)).expectProblem(404, "reservation_not_found")
            try await member.client.put("/reservations/\(id)/guests", named(2)).expect(200)
            let fewer = try await member.client.put("/reservations/\(id)/guests", named(1)).expect(200)
            let seen = try await member.client.get("/reservations/\(id)", after: try fewer.position()).expect(200)
            #expect(seen["guests"].items.map { $0["name"].text } == ["Convidada 0 \(id)"])
            let history = try await member.client.get("/reservations/\(id)/history").expect(200)
            #expect(!history.description.contains("Convidada 0"))
        }
    }
}

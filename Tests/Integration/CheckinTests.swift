import Domain
import TestSupport
import Testing

extension WholeSystem.OwnClock {
    /// Coming, leaving and staying away, through the gateway.
    @Suite(.serialized)
    struct Checkin {
        /// A confirmed booking of a member, two days from now from ten to noon (UTC).
        struct Stay {
            let system: TestSystem
            let unit: String
            let room: String
            let member: Member
            let id: String
            let start: String
            let end: String

            /// With a token that holds now.
            func owner() async throws -> Client { try await member.person.logIn(system.visitor, id: member.id).client }
            func desk() async throws -> Client { try await system.administrator().client }

            init(_ sketch: SpaceSketch = .init(noShowGrace: 15)) async throws {
                system = try TestSystem.current()
                unit = try await system.unit()
                room = try await system.space(in: unit, sketch)
                member = try await system.member()
                start = system.time(day: 2, minute: 600)
                end = system.time(day: 2, minute: 720)
                id = try await member.client.post("/reservations", booking(room, start, end)).expect(201).text("id")
                try await system.administrator().client.post("/reservations/\(id)/confirm").expect(200)
            }

            func status() async throws -> JSONValue {
                try await owner().get("/reservations/\(id)", after: try await system.head()).expect(200)["status"]
            }
        }

        @Test("A member comes and leaves early; the rest of the slot is free, and the booking is completed at its end")
        func comingAndLeaving() async throws {
            let stay = try await Stay()
            try await stay.owner().post("/checkin/\(stay.id)").expectProblem(400, "too_early")
            try await stay.system.proceed(to: stay.start, plus: -15)
            let owner = try await stay.owner()
            try await stay.system.member("outra").client.post("/checkin/\(stay.id)").expectProblem(404, "reservation_not_found")
            try await owner.post("/checkout/\(stay.id)").expectProblem(400, "not_checked_in")

            let entered = try await owner.post("/checkin/\(stay.id)", key: "in").expect(200)
            #expect(entered["reservation_id"].text == stay.id)
            #expect(entered["already_done"] == false)
            let again = try await owner.post("/checkin/\(stay.id)").expect(200)
            #expect(again["already_done"] == true && again["checkin_time"] == entered["checkin_time"])

            try await stay.system.proceed(to: stay.start, plus: 30)
            let left = try await stay.owner().post("/checkout/\(stay.id)").expect(200)
            #expect(left["freed_from"] == left["checkout_time"])
            #expect(left["overtime"] == .null)
            // The first answer stays what it was
            #expect(try await stay.owner().post("/checkin/\(stay.id)", key: "in").expect(200)["checkin_time"] == entered["checkin_time"])

            // Somebody else may have what is left
            let other = try await stay.system.member("depois")
            let half = stay.system.time(day: 0, minute: 660)
            try await other.client.post("/reservations", booking(stay.room, half, stay.end)).expect(201)

            try await stay.system.proceed(to: stay.end, plus: 1)
            let later = try await stay.owner()
            try await eventually("the booking is completed") {
                try await later.get("/reservations/\(stay.id)")["status"] == "completed"
            }
            let history = try await stay.owner().get("/reservations/\(stay.id)/history").expect(200)
            let types = history["steps"].items.flatMap { $0["events"].items.compactMap { $0["type"].text } }
            #expect(types.contains("checkin.CheckinRealizado") && types.contains("checkin.CheckoutRealizado"))
        }

        @Test("Nobody comes: the slot is given up, the booking is a no-show, and coming later is too late")
        func absence() async throws {
            let stay = try await Stay()
            try await stay.system.proceed(to: stay.start, plus: 15)
            let owner = try await stay.owner()
            try await eventually("the booking is missed") { try await owner.get("/reservations/\(stay.id)")["status"] == "no_show" }
            let answer = try await owner.post("/checkin/\(stay.id)")
            answer.expectProblem(400, "no_show")
            let seen = try await owner.get("/reservations/\(stay.id)", after: try await stay.system.head()).expect(200)
            #expect(seen["missed_at"].text != nil)
            let half = stay.system.time(day: 0, minute: 630)
            try await stay.system.member("depois").client.post("/reservations", booking(stay.room, half, stay.end)).expect(201)
            let missed = try await stay.desk().get("/reservations?status=no_show&space_id=\(stay.room)").expect(200)
            #expect(missed.json.items.compactMap { $0["id"].text } == [stay.id])
        }

        @Test("Staying on costs every step begun; who never leaves is taken to have left")
        func overtime() async throws {
            let stay = try await Stay()
            try await stay.system.proceed(to: stay.start)
            try await stay.owner().post("/checkin/\(stay.id)").expect(200)
            try await stay.system.proceed(to: stay.end, plus: 40)
            let owner = try await stay.owner()
            try await eventually("the booking is completed") { try await owner.get("/reservations/\(stay.id)")["status"] == "completed" }
            let code = try await owner.get("/reservations/\(stay.id)/qr").expect(200).text("code")
            let left = try await stay.desk().post("/checkin/scan", ["code": .string(code), "action": "out"]).expect(200)
            #expect(left["overtime"]["steps"] == 2)
            #expect(left["overtime"]["amount_cents"] == 6_000)

            let forgotten = try await Stay()
            try await forgotten.system.proceed(to: forgotten.start)
            try await forgotten.owner().post("/checkin/\(forgotten.id)").expect(200)
            try await forgotten.system.proceed(to: forgotten.end, plus: 120)
            let desk = try await forgotten.desk()
            try await eventually("the presence is closed") {
                try await desk.get("/checkin/floor?unit=\(forgotten.unit)")["overdue"].items.isEmpty
            }
            let done = try await forgotten.owner().post("/checkout/\(forgotten.id)").expect(200)
            #expect(done["already_done"] == true && done["overtime"] == .null)
        }

        @Test("A code opens once, at the desk, and for minutes")
        func codes() async throws {
            let stay = try await Stay()
            let owner = try await stay.owner()
            let answer = try await owner.get("/reservations/\(stay.id)/qr").expect(200)
            #expect(answer.header("Cache-Control")?.contains("no-store") == true)
            let picture = try await owner.get("/reservations/\(stay.id)/qr.png").expect(200)
            #expect(picture.header("Content-Type") == "image/png" && picture.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            try await stay.system.member("outra").client.get("/reservations/\(stay.id)/qr.png").expectProblem(404, "reservation_not_found")
            try await stay.system.member("outra").client.get("/reservations/\(stay.id)/qr").expectProblem(404, "reservation_not_found")
            try await stay.system.proceed(to: stay.start, plus: -10)
            let desk = try await stay.desk()
            try await desk.post("/checkin/scan", ["code": .string(try answer.text("code"))]).expectProblem(400, "code_expired")

            let code = try await stay.owner().get("/reservations/\(stay.id)/qr").expect(200).text("code")
            try await stay.owner().post("/checkin/scan", ["code": .string(code)]).expectProblem(403, "forbidden")
            let forged = String(code.dropLast(2)) + (code.hasSuffix("AA") ? "BB" : "AA")
            try await desk.post("/checkin/scan", ["code": .string(forged)]).expectProblem(400, "invalid_code")
            let entered = try await desk.post("/checkin/scan", ["code": .string(code)]).expect(200)
            #expect(entered["reservation_id"].text == stay.id && entered["already_done"] == false)
            #expect(try await desk.post("/checkin/scan", ["code": .string(code)]).expect(200)["already_done"] == true)
            try await desk.post("/checkin/scan", ["code": .string(code), "action": "out"]).expectProblem(409, "code_used")
            let next = try await stay.owner().get("/reservations/\(stay.id)/qr").expect(200).text("code")
            try await desk.post("/checkin/scan", ["code": .string(next), "action": "out"]).expect(200)
        }

        @Test("Twenty scans at once record one check-in")
        func race() async throws {
            let stay = try await Stay()
            try await stay.system.proceed(to: stay.start)
            let desk = try await stay.desk()
            let code = try await stay.owner().get("/reservations/\(stay.id)/qr").expect(200).text("code")
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<20 { group.addTask { try await desk.post("/checkin/scan", ["code": .string(code)]) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0.status == 200 })
            #expect(answers.filter { $0["already_done"] == false }.count == 1)
        }

        @Test("A display is set up once however often it is asked for, listed without its token, and taken back alone, at once")
        func displays() async throws {
            let stay = try await Stay()
            let (system, desk, visitor) = (stay.system, try await stay.desk(), stay.system.visitor)
            let path = "/spaces/\(stay.room)/display"
            func shows(_ token: String) async throws -> Int {
                try await visitor.get("/spaces/\(stay.room)/day", ["CoworkFlow-Display": token]).status
            }
            let (one, other) = (try await desk.post(path, key: "painel").expect(201), try await desk.post(path).expect(201))
            #expect(try await desk.post(path, key: "painel").expect(201).json == one.json)
            #expect(try await shows(try one.text("token")) == 200)
            let list = try await desk.get("/spaces/\(stay.room)/displays", after: try other.position()).expect(200)
            #expect(list.json.items.map { $0["id"] } == [other["id"], one["id"]])
            #expect(list.json.items.allSatisfy { $0["token"] == .null && $0["revoked_at"] == .null })
            let reception = try await system.receptionist().client
            #expect(try await reception.get("/spaces/\(stay.room)/displays").expect(200).json.items.count == 2)
            try await stay.owner().get("/spaces/\(stay.room)/displays").expectProblem(403, "forbidden")

            let id = try one.text("id")
            try await reception.delete("/spaces/\(stay.room)/displays/\(id)").expectProblem(403, "forbidden")
            let elsewhere = try await system.space(in: stay.unit)
            try await desk.delete("/spaces/\(elsewhere)/displays/\(id)").expectProblem(404, "display_not_found")
            try await desk.delete("/spaces/\(stay.room)/displays/\(id)").expect(200)
            try await eventually("it shows nothing", within: .seconds(1)) { try await shows(try one.text("token")) == 401 }
            #expect(try await shows(try other.text("token")) == 200)
            let after = try await desk.get("/spaces/\(stay.room)/displays", after: try await system.head()).expect(200)
            #expect(after.json.items.map { $0["revoked_at"] == .null } == [true, false])
        }

        @Test("The floor shows who is in, expected and late; a door shows its day with initials only, to staff and to its display")
        func floorAndDoor() async throws {
            let stay = try await Stay(.init(noShowGrace: 60))
            try await stay.system.proceed(to: stay.start, plus: -30)
            var desk = try await stay.desk()
            var floor = try await desk.get("/checkin/floor?unit=\(stay.unit)", after: try await stay.system.head()).expect(200)
            #expect(floor["expected"].items.compactMap { $0["reservation_id"].text } == [stay.id])
            #expect(floor["expected"].items.first?["user_name"].text == stay.member.person.name)
            let token = try await desk.post("/spaces/\(stay.room)/display").expect(201).text("token")

            try await stay.system.proceed(to: stay.start, plus: 5)
            desk = try await stay.desk()
            floor = try await desk.get("/checkin/floor?unit=\(stay.unit)").expect(200)
            #expect(floor["late"].items.first?["late_minutes"] == 5)
            let entered = try await stay.owner().post("/checkin/\(stay.id)").expect(200)
            floor = try await desk.get("/checkin/floor?unit=\(stay.unit)", after: try entered.position()).expect(200)
            #expect(floor["present"].items.count == 1 && floor["late"].items.isEmpty)
            try await stay.owner().get("/checkin/floor?unit=\(stay.unit)").expectProblem(403, "forbidden")

            let visitor = stay.system.visitor
            let door = try await visitor.get("/spaces/\(stay.room)/day", ["CoworkFlow-Display": token]).expect(200)
            #expect(door["free"] == false)
            #expect(door["now"].items.first?["presence"] == "in")
            #expect((door["now"].items.first?["initials"].text?.count ?? 9) <= 2)
            #expect(!door.description.contains(stay.member.person.name))
            try await visitor.get("/spaces/\(stay.room)/day").expectProblem(401, "unauthenticated")
            try await visitor.get("/spaces/\(stay.room)/day", ["CoworkFlow-Display": token + "x"]).expectProblem(401, "unauthenticated")
            let other = try await stay.system.space(in: stay.unit)
            try await visitor.get("/spaces/\(other)/day", ["CoworkFlow-Display": token]).expectProblem(401, "unauthenticated")
            #expect(try await desk.get("/spaces/\(stay.room)/day").expect(200)["bookings"].items.count == 1)
        }
    }
}

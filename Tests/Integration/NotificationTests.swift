import Foundation
import TestSupport
import Testing

extension WholeSystem {
    /// What members are told, in the app, by mail and by calendar.
    @Suite(.serialized, .system(sendsMail: true))
    struct Notifications {
        private func bookedCabin(_ system: TestSystem, _ member: Member, day: Int = 3) async throws -> String {
            let cabin = try await system.space(in: try await system.unit(), .init(type: "cabine"))
            let answer = try await member.client.post(
                "/reservations", booking(cabin, system.time(day: day, minute: 600), system.time(day: day, minute: 690))
            ).expect(201)
            return try answer.text("id")
        }

        private func notices(_ member: Member, count: Int, _ query: String = "") async throws -> [JSONValue] {
            var found: [JSONValue] = []
            try await eventually("\(count) notices") {
                found = try await member.client.get("/notifications\(query)").expect(200).json.items
                return found.count == count
            }
            return found
        }

        private func mails(_ system: TestSystem, to member: Member, count: Int) async throws -> [String] {
            let server = try #require(system.mail)
            var found: [String] = []
            try await eventually("\(count) mails") {
                found = try server.messages().filter { $0.contains("<\(member.person.email)>") }
                return found.count == count
            }
            return found
        }

        @Test("Whoever books is told in the app and by mail, once; and told again when they cancel, and nobody else is")
        func told() async throws {
            let system = try TestSystem.current()
            let (member, other) = (try await system.member(), try await system.member())
            let id = try await bookedCabin(system, member)

            let first = try #require(try await notices(member, count: 1).first)
            #expect(first["kind"] == "booking_confirmed")
            #expect(first["reservation_id"].text == id)
            #expect(first["read_at"] == .null)
            #expect(first["title"].text?.hasPrefix("Reserva confirmada: Sala, ") == true)
            let mail = try #require(try await mails(system, to: member, count: 1).first)
            #expect(mail.contains("Message-ID: <") && mail.contains("@coworkflow.test>"))
            #expect(mail.contains("multipart/mixed"))
            #expect(mail.contains("method=REQUEST"))

            try await member.client.delete("/reservations/\(id)").expect(200)
            let both = try await notices(member, count: 2)
            #expect(both.first?["kind"] == "booking_cancelled")
            #expect(try await mails(system, to: member, count: 2).contains { $0.contains("method=CANCEL") })

            // When one is read, it is read
            let notice = try #require(both.last?["id"].text)
            try await other.client.post("/notifications/\(notice)/read").expectProblem(404, "notification_not_found")
            let read = try await member.client.post("/notifications/\(notice)/read").expect(200)
            let unread = try await member.client.get("/notifications?unread=true", after: try read.position()).expect(200)
            #expect(unread.json.items.map { $0["kind"] } == ["booking_cancelled"])
            #expect(try await other.client.get("/notifications").expect(200).json.items.isEmpty)
        }

        @Test("People choose language, channels and hours of silence")
        func preferences() async throws {
            let system = try TestSystem.current()
            let member = try await system.member()
            let before = try await member.client.get("/notifications/preferences").expect(200)
            #expect(before["language"] == "pt-BR")
            #expect(before["kinds"].items.count == 20)
            let required = before["kinds"].items.filter { $0["required"] == true }.compactMap { $0["kind"].text }
            #expect(required.contains("payment_received") && !required.contains("booking_confirmed"))

            let phone = system.confidential.add("+5511987654321")
            let set = try await member.client.put(
                "/notifications/preferences",
                [
                    "language": "en", "phone": .string(phone),
                    "kinds": [["kind": "booking_confirmed", "channels": ["app"]], ["kind": "booking_cancelled", "channels": []]],
                    "quiet_hours": ["from": "22:00", "to": "07:00", "timezone": "America/Sao_Paulo"],
                ]
            ).expect(200)
            let after = try await member.client.get("/notifications/preferences", after: try set.position()).expect(200)
            #expect(after["language"] == "en")
            #expect(after["phone"].text == phone)
            #expect(after["quiet_hours"]["from"] == "22:00")

            let id = try await bookedCabin(system, member)
            let notice = try #require(try await notices(member, count: 1).first)
            #expect(notice["title"].text?.hasPrefix("Booking confirmed: Sala, ") == true)
            try await member.client.delete("/reservations/\(id)").expect(200)

            for (field, body) in [
                ("language", ["language": "fr"]), ("phone", ["phone": "123"]),
                ("kinds.0.kind", ["kinds": [["kind": "nothing", "channels": []]]]),
                ("quiet_hours.timezone", ["quiet_hours": ["from": "22:00", "to": "07:00", "timezone": "Nowhere"]]),
            ] as [(String, JSONValue)] {
                let refused = try await member.client.put("/notifications/preferences", body)
                refused.expectProblem(400, "invalid_field")
                #expect(refused["violations"].items.first?["field"].text == field)
            }
            #expect(try await mails(system, to: member, count: 0).isEmpty)
            #expect(try await notices(member, count: 1).count == 1)
        }

        @Test("A booking is a calendar file, and all of them a calendar that can be followed until it is withdrawn")
        func calendars() async throws {
            let system = try TestSystem.current()
            let (member, other) = (try await system.member(), try await system.member())
            let id = try await bookedCabin(system, member)
            let file = try await member.client.get("/reservations/\(id)/calendar.ics", after: try await system.head()).expect(200)
            #expect(file.header("Content-Type") == "text/calendar; charset=utf-8")
            let text = String(decoding: file.bytes, as: UTF8.self)
            for part in ["BEGIN:VTIMEZONE", "UID:\(id)@coworkflow", "STATUS:CONFIRMED", "METHOD:PUBLISH"] {
                #expect(text.contains(part), "\(part)")
            }
            try await other.client.get("/reservations/\(id)/calendar.ics").expectProblem(404, "not_found")

            let shared = try await member.client.post("/users/me/calendar").expect(201)
            let path = try shared.text("path")
            let followed = try await system.visitor.get(path, after: try shared.position()).expect(200)
            #expect(String(decoding: followed.bytes, as: UTF8.self).contains("UID:\(id)@coworkflow"))
            let second = try await member.client.post("/users/me/calendar").expect(201)
            try await system.visitor.get(path, after: try second.position()).expect(404)
            let withdrawn = try await member.client.delete("/users/me/calendar").expect(200)
            try await system.visitor.get(try second.text("path"), after: try withdrawn.position()).expect(404)
            try await system.visitor.get("/calendar/short.ics").expect(404)
        }

        @Test("The desk writes to people; members do not, and a line break begins no header")
        func desk() async throws {
            let system = try TestSystem.current()
            let (member, desk) = (try await system.member(), try await system.receptionist())
            let words: JSONValue = ["to": .string(member.person.email), "subject": "Aviso: ação", "body": "Obras na sexta.\nAté logo."]
            let accepted = try await desk.client.post("/notify/email", words, key: "obras").expect(202)
            let repeated = try await desk.client.post("/notify/email", words, key: "obras").expect(202)
            #expect(accepted["id"] == repeated["id"])
            #expect(try await mails(system, to: member, count: 1).count == 1)

            let stranger = system.confidential.add("estranho@exemplo.test")
            try await desk.client.post("/notify/email", words.with("to", .string(stranger))).expect(202)
            let server = try #require(system.mail)
            try await eventually("the stranger has mail") { try server.messages().contains { $0.contains("<\(stranger)>") } }

            try await member.client.post("/notify/email", words).expectProblem(403, "forbidden")
            try await desk.client.post("/notify/email", words.with("subject", "a\r\nBcc: x@y.z")).expectProblem(400, "invalid_field")
            try await desk.client.post("/notify/sms", ["phone": "+5511987654321", "message": "oi"]).expectProblem(
                422, "channel_unavailable")
            try await desk.client.post("/notify/push", ["user_id": .string(member.id), "title": "Oi", "message": "Venha"]).expect(202)
            #expect(try await notices(member, count: 1).first?["title"] == "Oi")
        }
    }
}

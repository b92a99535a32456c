import Foundation
import TestSupport
import Testing

extension WholeSystem {
    /// What members are told of all that happens to them: each thing once.
    @Suite(.serialized, .system(startsAt: "2026-03-02T12:00:00Z", sendsMail: true))
    struct Notices {
        private func kinds(_ member: Member) async throws -> [String] {
            let fresh = try await member.person.logIn(try TestSystem.current().visitor, id: member.id).client
            return try await fresh.get("/notifications?limit=200").expect(200).json.items.compactMap { $0["kind"].text }.sorted()
        }

        /// Waits until somebody was told of just these, whatever more time they had.
        private func told(_ member: Member, _ expected: [String]) async throws {
            let system = try TestSystem.current()
            var seen: [String] = []
            try await eventually("they are told of \(expected)") {
                seen = try await kinds(member)
                return seen.count >= expected.count
            }
            try await system.settled()
            seen = try await kinds(member)
            #expect(seen == expected.sorted())
        }

        /// A mail with its parts as their readers see them.
        private static func readable(_ mail: String) -> String {
            mail.replacing("\r\n", with: "\n").components(separatedBy: "\n\n").map { block in
                let lines = block.split(separator: "\n").prefix { !$0.hasPrefix("--") }
                return Data(base64Encoded: lines.joined()).map { String(decoding: $0, as: UTF8.self) + "\n" + block } ?? block
            }.joined(separator: "\n\n")
        }

        private func mail(_ system: TestSystem, to member: Member, _ part: String) async throws -> String {
            let server = try #require(system.mail)
            var found: [String] = []
            try await eventually("a mail with \(part)") {
                found = try server.messages().map(Self.readable)
                    .filter { $0.contains("<\(member.person.email)>") && $0.contains(part) }
                return !found.isEmpty
            }
            #expect(found.count == 1)
            return found.first ?? ""
        }

        @Test("Paid: a receipt and a confirmation; refused: why; given back: how much; and the receipt is a mail of text and HTML")
        func money() async throws {
            let system = try TestSystem.current()
            let hold = try await system.hold()
            try await system.behave(["charges": "refuse"])
            #expect(try await hold.charge("card", token: "tok_naopassa").expect(200)["status"] == "refused")
            try await told(hold.member, ["payment_refused"])

            try await system.behave(["charges": "approve"])
            let charge = try await hold.charge("card", token: "tok_passa1234").expect(200)
            #expect(charge["status"] == "approved")
            try await system.behave([:])
            try await told(hold.member, ["payment_refused", "payment_received", "booking_confirmed"])
            let notices = try await hold.member.client.get("/notifications").expect(200).json.items
            let receipt = try #require(notices.first { $0["kind"] == "payment_received" })
            #expect(receipt["title"] == "Pagamento recebido: R$\u{A0}60,00")
            #expect(receipt["reservation_id"].text == hold.id)
            let letter = try await mail(system, to: hold.member, try charge.text("transaction_id"))
            #expect(letter.contains("text/plain") && letter.contains("text/html") && !letter.contains("text/calendar"))

            try await hold.member.client.delete("/reservations/\(hold.id)").expect(200)
            try await hold.paymentBecomes("refunded")
            try await told(
                hold.member, ["payment_refused", "payment_received", "booking_confirmed", "booking_cancelled", "refund_done"]
            )
        }

        @Test("What is held and not paid is told of once, when it is lost; who waited for it is told until when it is theirs")
        func holds() async throws {
            let system = try TestSystem.current()
            let hold = try await system.hold()
            try await hold.charge().expect(200)
            let waiting = try await system.member("espera")
            let slot = booking(hold.room, system.time(day: 2, minute: 600), system.time(day: 2, minute: 660))
            try await waiting.client.post("/reservations/waitlist", slot).expect(201)
            try await system.settled()
            try system.jump(to: try hold.answer.text("expires_at"), plus: 1)
            try await told(hold.member, ["booking_expired"])
            try await told(waiting, ["waitlist_offer"])
            let fresh = try await waiting.person.logIn(system.visitor, id: waiting.id).client
            let offer = try #require(try await fresh.get("/notifications").expect(200).json.items.first)
            let booked = try await fresh.get("/reservations/\(offer["reservation_id"].text ?? "")").expect(200)
            #expect(booked["status"] == "pending")
            // The end of the hold, on the unit's wall clock
            let until = try booked.text("expires_at").dropFirst(11).prefix(5)
            #expect(offer["message"].text?.contains(", \(until) para confirmar.") == true, "\(offer)")
        }

        @Test("Approval is asked for, granted or refused, and each is told of")
        func approval() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let admin = try await system.administrator().client
            try await admin.put("/spaces/\(room)/rules", ["approval_minutes": 1_440, "horizon_minutes": 129_600]).expect(200)
            let member = try await system.member()
            func ask(_ day: Int) async throws -> String {
                let slot = booking(room, system.time(day: day, minute: 600), system.time(day: day, minute: 660))
                return try await member.client.post("/reservations", slot).expect(201).text("id")
            }
            let (first, second) = (try await ask(5), try await ask(6))
            try await told(member, ["approval_requested", "approval_requested"])
            try await admin.post("/reservations/\(first)/approve").expect(200)
            try await admin.post("/reservations/\(second)/reject", ["reason": "Evento interno"]).expect(200)
            try await told(member, ["approval_requested", "approval_requested", "booking_approved", "booking_not_approved"])
        }

        @Test("Who stays away, and who stays too long, is told so")
        func presence() async throws {
            let system = try TestSystem.current()
            func stay(_ member: Member, minute: Int) async throws -> (id: String, start: String, end: String) {
                let room = try await system.space(in: try await system.unit(), .init(noShowGrace: 15))
                let (start, end) = (system.time(day: 1, minute: minute), system.time(day: 1, minute: minute + 60))
                let id = try await member.client.post("/reservations", booking(room, start, end)).expect(201).text("id")
                try await system.administrator().client.post("/reservations/\(id)/confirm").expect(200)
                return (id, start, end)
            }
            let (away, late) = (try await system.member(), try await system.member())
            _ = try await stay(away, minute: 600)
            let long = try await stay(late, minute: 600)
            try await told(away, ["booking_confirmed"])
            try await told(late, ["booking_confirmed"])
            try await system.proceed(to: long.start)
            try await late.person.logIn(system.visitor, id: late.id).client.post("/checkin/\(long.id)").expect(200)
            try await system.proceed(to: long.end, plus: 40)
            try await late.person.logIn(system.visitor, id: late.id).client.post("/checkout/\(long.id)").expect(200)
            try await told(away, ["booking_confirmed", "no_show"])
            try await told(late, ["booking_confirmed", "overtime"])
        }

        @Test("A subscription is told of when it begins and when it ends; what must be told cannot be turned off")
        func subscriptions() async throws {
            let system = try TestSystem.current()
            let member = try await system.member()
            try await member.client.put("/notifications/preferences", ["kinds": [["kind": "subscription_started", "channels": []]]])
                .expectProblem(422, "notice_required")
            try await member.client.put("/notifications/preferences", ["kinds": [["kind": "subscription_started", "channels": ["app"]]]])
                .expect(200)
            try await member.client.post("/subscriptions", ["plan": "premium"]).expect(201)
            try await told(member, ["subscription_started"])
            try await member.client.delete("/subscriptions/me").expect(200)
            try await told(member, ["subscription_started", "subscription_ended"])
            _ = try await mail(system, to: member, "Plano: Premium")
        }
    }
}

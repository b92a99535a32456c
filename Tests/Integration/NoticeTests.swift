import Domain
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
            let unit = try await system.unit()
            let room = try await system.space(in: unit)
            let admin = try await system.administrator().client
            try await admin.put("/spaces/\(room)/rules", ["approval_minutes": 1_440, "horizon_minutes": 129_600]).expect(200)
            let member = try await system.member()
            func ask(_ day: Int) async throws -> String {
                let slot = booking(room, system.time(day: day, minute: 600), system.time(day: day, minute: 660))
                return try await member.client.post("/reservations", slot).expect(201).text("id")
            }
            let (manager, former, silent) = (try await system.member("gestor"), try await system.member(), try await system.member())
            for who in [manager, former, silent] { try await admin.post("/admin/promote/\(who.id)", ["role": "gestor"]).expect(200) }
            let (here, elsewhere) = (
                try await system.staff("gestor", of: [unit]), try await system.staff("gestor", of: [try await system.unit()])
            )
            try await admin.post("/admin/promote/\(former.id)", ["role": "recepcao"]).expect(200)
            try await silent.person.logIn(system.visitor, id: silent.id).client.put(
                "/notifications/preferences", ["kinds": [["kind": "approval_to_decide", "channels": []]]]
            ).expect(200)
            let (first, second) = (try await ask(5), try await ask(6))
            try await told(member, ["approval_requested", "approval_requested"])
            // Whoever may approve it, wants to know, and once each
            for who in [manager, here] { try await told(who, ["approval_to_decide", "approval_to_decide"]) }
            for who in [former, silent, elsewhere] { try await told(who, []) }
            let fresh = try await manager.person.logIn(system.visitor, id: manager.id).client
            let asked = try await fresh.get("/notifications").expect(200).json.items
            #expect(Set(asked.compactMap { $0["reservation_id"].text }) == [first, second])
            #expect(asked.allSatisfy { $0["title"].text?.hasPrefix("Reserva a aprovar: Sala, ") == true }, "\(asked)")
            for id in [first, second] { #expect(try await mail(system, to: manager, id).contains("espera a sua decis")) }
            try await admin.post("/reservations/\(first)/approve").expect(200)
            try await admin.post("/reservations/\(second)/reject", ["reason": "Evento interno"]).expect(200)
            try await told(member, ["approval_requested", "approval_requested", "booking_approved", "booking_not_approved"])
            try await told(manager, ["approval_to_decide", "approval_to_decide"])

            // When nobody answers
            _ = try await ask(7)
            try await system.settled()
            let last = try await member.client.get("/reservations?limit=200", after: try await system.head()).expect(200).json.items
            let waiting = try #require(last.first { $0["status"] == "pending" && $0["id"].text != first })
            try system.jump(to: waiting["expires_at"].text ?? "", plus: 1)
            try await eventually("they are told that nobody did") {
                let owner = try await member.person.logIn(system.visitor, id: member.id).client
                return try await owner.get("/notifications").expect(200).json.items.contains {
                    $0["kind"] == "booking_expired" && $0["message"].text?.contains("Ninguém aprovou") == true
                }
            }
        }

        @Test("Who has credits left is told a week before they expire, once a lot; not who used them, nor who turned that off")
        func credits() async throws {
            let system = try TestSystem.current()
            let desk = try await system.receptionist()
            let (owner, spender, silent) = (try await system.member(), try await system.member(), try await system.member())
            let now = Instante(microssegundos: system.clock.now)
            for who in [owner, spender, silent] {
                let grant: JSONValue = ["minutes": 60, "expires_at": .string((now + .horas(10 * 24)).texto)]
                try await desk.client.post("/subscriptions/\(who.id)/credits", grant).expect(201)
            }
            // Two that expire at one time are two
            let second: JSONValue = ["minutes": 30, "expires_at": .string((now + .horas(10 * 24)).texto)]
            try await desk.client.post("/subscriptions/\(owner.id)/credits", second).expect(201)
            try await silent.client.put(
                "/notifications/preferences", ["kinds": [["kind": "credits_expiring", "channels": []]]]
            ).expect(200)
            let room = try await system.space(in: try await system.unit())
            let slot = booking(room, system.time(day: 1, minute: 600), system.time(day: 1, minute: 660))
            #expect(try await spender.client.post("/reservations", slot).expect(201)["total_price_cents"] == 0)
            try await system.settled()
            for who in [owner, silent] { try await told(who, []) }

            try system.jump(to: (now + .horas(3 * 24)).texto, plus: 1)
            try await told(owner, ["credits_expiring", "credits_expiring"])
            let fresh = try await owner.person.logIn(system.visitor, id: owner.id).client
            let titles = try await fresh.get("/notifications").expect(200).json.items.compactMap { $0["title"].text }.sorted()
            #expect(titles == ["Créditos a expirar: 1 h", "Créditos a expirar: 30 min"])
            _ = try await mail(system, to: owner, "Créditos: 30 min")
            try await told(silent, [])
            let spent = try await spender.person.logIn(system.visitor, id: spender.id).client
            #expect(try await !spent.get("/notifications").expect(200).json.items.contains { $0["kind"] == "credits_expiring" })
        }

        /// UID, SEQUENCE, METHOD and STATUS of the invitations that somebody has had, in order of their SEQUENCE.
        private func invitations(_ system: TestSystem, _ member: Member) throws -> [[String]] {
            try #require(system.mail).messages().map(Self.readable).filter { $0.contains("<\(member.person.email)>") }.compactMap { mail in
                let lines = mail.split(whereSeparator: \.isNewline).map(String.init)
                func value(_ name: String) -> String? {
                    lines.first { $0.hasPrefix("\(name):") }.map { String($0.dropFirst(name.count + 1)) }
                }
                guard let uid = value("UID"), let sequence = value("SEQUENCE"), let method = value("METHOD"), let status = value("STATUS")
                else { return nil }
                return [uid, sequence, method, status]
            }.sorted { (Int($0[1]) ?? 0) < (Int($1[1]) ?? 0) }
        }

        @Test("An invitation is called off whichever way its booking is lost, under its UID and with a higher SEQUENCE")
        func calledOff() async throws {
            let system = try TestSystem.current()
            // Given a booking that was paid and moved to a dearer time
            let stay = try await system.paid()
            let moved = try await stay.move(hours: 2).expect(200)
            try await system.settled()
            // And one that nobody will come to
            let room = try await system.space(in: try await system.unit(), .init(type: "cabine", noShowGrace: 15))
            let absent = try await system.member()
            let (start, end) = (system.time(day: 1, minute: 600), system.time(day: 1, minute: 660))
            let missed = try await absent.client.post("/reservations", booking(room, start, end)).expect(201).text("id")
            // And one of a series that is given up
            let regular = try await system.member()
            let desk = try await system.receptionist()
            let series = try await regular.client.post(
                "/reservations/series",
                booking(try await system.space(in: try await system.unit(), .init(type: "cabine")), start, end)
                    .with("rrule", "FREQ=DAILY;COUNT=2")
            ).expect(201)
            try await system.settled()
            let id = try series.text("id")
            try await desk.client.delete("/reservations/series/\(id)", ["reason": "obras"]).expect(200)

            // When the difference is not paid
            try system.jump(to: try moved.text("expires_at"), plus: 1)
            try await eventually("it is called off") { try invitations(system, stay.member).last?[2] == "CANCEL" }
            let sent = try invitations(system, stay.member)
            #expect(sent.map { $0[2] + " " + $0[3] } == ["REQUEST CONFIRMED", "REQUEST TENTATIVE", "CANCEL CANCELLED"], "\(sent)")
            #expect(Set(sent.map { $0[0] }) == ["\(stay.id)@coworkflow"])
            #expect(Set(sent.map { $0[1] }).count == 3)
            try await eventually("the series too") { try invitations(system, regular).filter { $0[2] == "CANCEL" }.count == 2 }
            #expect(try Set(invitations(system, regular).map { $0[0] }).count == 2)

            // And when nobody has come
            try await system.proceed(to: start, plus: 16)
            try await eventually("the slot is another's") { try invitations(system, absent).last?[2] == "CANCEL" }
            #expect(try invitations(system, absent).map { $0[0] } == ["\(missed)@coworkflow", "\(missed)@coworkflow"])
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

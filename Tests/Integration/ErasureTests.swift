import Configuration
import Domain
import EventStore
import Foundation
import Gateway
import Postgres
import ServiceLifecycle
import TestSupport
import Testing

@testable import coworkflow

extension WholeSystem {
    /// A person leaves nothing behind.
    @Suite(.serialized, .system(sendsMail: true))
    struct Erasure {
        /// Somebody whom one finds wherever they are.
        private struct Unmistakable {
            let unique = UUID().uuidString.prefix(8).lowercased()
            var name: String { "Zuleica Quintanilha \(unique)" }
            var newName: String { "Zuleica Xavier Quintanilha \(unique)" }
            var email: String { "zuleica.\(unique)@exemplo.test" }
            var newEmail: String { "zq-\(unique)@outro.test" }
            var phone: String { "+55 11 9\(unique.utf8.map { String($0 % 10) }.joined())" }
            var address: String { "203.0.113.77" }
            var browser: String { "Navegador-\(unique)/9" }
            var password: String { "Segredo-\(unique)" }
            var newPassword: String { "Outro-\(unique)" }
            var notes: String { "Ligar para \(phone), trazer cadeira para Zuleica" }
            var reason: String { "Zuleica mudou de planos \(unique)" }
            var guest: String { "Convidada de Zuleica \(unique)" }
            var notice: String { "Encomenda para Zuleica \(unique)" }
            var note: String { "Zuleica reclamou do ar \(unique)" }
            var device: String { "aparelho-\(unique)" }

            /// What must be found nowhere. The name's unique part is in most of them.
            var texts: [String] {
                [
                    name, newName, "Quintanilha", email, newEmail, phone, address, browser, password, newPassword, notes, reason,
                    guest, notice, note, device, phone.replacing(" ", with: ""), "Zuleica", String(unique),
                ]
            }

            var headers: [String: String] { ["User-Agent": browser, "X-Forwarded-For": address] }
        }

        /// Signs up, signs in, changes everything, books, is refused, cancels.
        private func live(_ person: Unmistakable, in system: TestSystem) async throws -> (client: Client, id: String, refresh: String) {
            let signUp: JSONValue = ["email": .string(person.email), "password": .string(person.password), "name": .string(person.name)]
            let id = try await system.visitor.post("/auth/signup", signUp, person.headers).expect(201).text("id")
            let login: JSONValue = ["email": .string(person.email), "password": .string(person.password)]
            let opened = try await system.visitor.post("/auth/login", login, person.headers).expect(200)
            let client = system.visitor.asking(with: try opened.text("token"))
            let change: JSONValue = ["name": .string(person.newName), "email": .string(person.newEmail)]
            try await client.put("/users/me", change).expect(200)
            let passwords: JSONValue = ["current_password": .string(person.password), "new_password": .string(person.newPassword)]
            try await client.post("/users/me/password", passwords).expect(200)

            let room = try await system.space(in: try await system.unit())
            let slot = booking(room, system.time(day: 6, minute: 600), system.time(day: 6, minute: 660))
            let booked = try await client.post("/reservations", slot.with("notes", .string(person.notes)), person.headers).expect(201)
            try await client.post("/reservations", slot.with("notes", .string(person.notes))).expect(409)
            // While it is booked, nobody is erased
            let head = try await system.head()
            let password: JSONValue = ["password": .string(person.newPassword)]
            try await client.delete("/users/me", password).expectProblem(409, "active_bookings")
            try await client.delete("/users/me", ["password": "errada-errada"]).expectProblem(401, "invalid_credentials")
            #expect(try await system.head() == head)
            let cancelled = try await client.delete("/reservations/\(try booked.text("id"))", ["reason": .string(person.reason)]).expect(
                200)
            _ = try await client.get("/users/me", after: try cancelled.position()).expect(200)
            try await furnish(person, client, id, in: system)
            return (client, id, try opened.text("refresh_token"))
        }

        /// Says how they want to be told things, brings a guest, is written to by the desk, and gets money back by its grace.
        private func furnish(_ person: Unmistakable, _ client: Client, _ id: String, in system: TestSystem) async throws {
            let desk = try await system.receptionist().client
            let wanted: JSONValue = ["phone": .string(person.phone), "push_token": .string(person.device)]
            try await client.put("/notifications/preferences", wanted).expect(200)
            let notice: JSONValue = ["user_id": .string(id), "title": "Recepção", "message": .string(person.notice)]
            try await desk.post("/notify/push", notice).expect(202)
            let cabin = try await system.space(in: try await system.unit(), .init(seats: 4))
            let slot = booking(cabin, system.time(day: 7, minute: 600), system.time(day: 7, minute: 660), seats: 2)
            let held = try await client.post("/reservations", slot).expect(201).text("id")
            try await client.put("/reservations/\(held)/guests", ["guests": [["name": .string(person.guest)]]]).expect(200)
            try await system.settled()
            let paid = try await desk.post("/payments/desk", ["reservation_id": .string(held), "method": "cash"]).expect(200)
            let refund: JSONValue = [
                "payment_id": .string(try paid.text("payment_id")), "amount": 1, "reason": .string(person.note),
            ]
            try await desk.post("/payments/refund", refund).expect(200)
            try await client.delete("/reservations/\(held)").expect(200)
            try await system.settled()
        }

        /// What replays leave beside the live models: replaced rows, and rows as they were.
        private func leaveBehind(_ models: [String], in system: TestSystem) async throws {
            for model in models {
                for arguments in [[model], [model, "--as-of", "\(try await system.head())"]] {
                    let outcome = try await Program.run(["replay"] + arguments, system.environment)
                    #expect(outcome.code == 0, "\(outcome)")
                }
            }
        }

        /// As autovacuum does it, and more: the statistics hold samples of what is in the tables. What new ones replace is a dead row of
        /// the catalogue, so it is cleaned after them.
        private func tidy(_ system: TestSystem) async throws {
            try await system.pool.withConnection { connection in
                try connection.executeScript("analyze")
                try connection.executeScript("vacuum full")
                try connection.executeScript("checkpoint")
            }
        }

        @Test("Erased, a person is found nowhere: no table, no file, no queue, no line of the program's log")
        func nowhere() async throws {
            let system = try TestSystem.current()
            let person = Unmistakable()
            let url = system.servers.postgresURL(system.name)
            try await system.servers.tap(system.name, exchange: "coworkflow.events", into: "tap")
            let (client, id, refresh) = try await live(person, in: system)
            let models = ["contas", "reservas", "pagamentos", "notificacoes"]
            try await leaveBehind(models, in: system)
            try await system.pool.withConnection { _ = try $0.executeScript("analyze; checkpoint") }

            // Given that they are found where they may be, and not in the log of events
            let shownThere = [
                person.newName, person.newEmail, person.notes, person.reason, person.guest, person.phone.replacing(" ", with: ""),
                person.notice, person.note, person.device,
            ]
            #expect(try await Dump(url, schemas: ["read"]).traces(of: shownThere).sorted() == shownThere.sorted())
            #expect(try await Dump(url, schemas: ["read_old"]).traces(of: shownThere).sorted() == shownThere.sorted())
            #expect(try await Dump(url, schemas: ["read_at_*"]).traces(of: shownThere).sorted() == shownThere.sorted())
            #expect(try await Dump(url, schemas: ["log", "subs", "keys", "volatile"]).traces(of: person.texts).isEmpty)
            #expect(try await system.files(with: [person.newName]).contains { $0.hasPrefix("read.") })
            let wrapped = try await system.wrappedKey(of: id)

            // When they are erased
            let erased = try await client.delete("/users/me", ["password": .string(person.newPassword)]).expect(200)

            // Then their key goes, and the read models have nothing left of them
            try await eventually("the key is deleted") { try await !system.hasKey(id) }
            let list = try await system.administrator().client.get("/admin/users?limit=200", after: try erased.position()).expect(200)
            let shown = try #require(list.json.items.first { $0["id"].text == id })
            #expect((shown["name"], shown["email"]) == ("[apagado]", "[apagado]"))
            #expect(shown["erased_at"].text != nil)
            try await system.administrator().client.get("/admin/reservations", after: try erased.position()).expect(200)

            // And their tokens are good for nothing, here at once
            try await client.get("/users/me").expectProblem(401, "unauthenticated")
            try await system.visitor.post("/auth/refresh", ["refresh_token": .string(refresh)]).expect(401)
            try await system.visitor.post(
                "/auth/login", ["email": .string(person.newEmail), "password": .string(person.newPassword)]
            ).expectProblem(401, "invalid_credentials")

            // And nothing of them is anywhere
            try await eventually("what replays left is dropped") {
                try await system.pool.withConnection { connection in
                    try connection.query(
                        "select from pg_tables where schemaname = 'read_old' or starts_with(schemaname, 'read_at_')"
                    ).isEmpty
                }
            }
            let dump = try await Dump(url)
            #expect(dump.traces(of: person.texts) == [])
            #expect(dump.traces(of: [wrapped]) == [])
            try await eventually("no file of the database has anything of them", within: .seconds(60)) {
                // Dead rows stay as long as somebody's transaction might still see them.
                try await tidy(system)
                return try await system.files(with: person.texts) == []
            }
            let messages = try await system.servers.messages(system.name)
            #expect(messages.contains { $0.contains("usuarios.UsuarioApagado") }, "the tap works")
            #expect(messages.filter { message in person.texts.flatMap { Traces.forms(of: $0) }.contains { message.contains($0) } } == [])
            let lines = system.journal.entries.map(\.text)
            #expect(lines.filter { line in person.texts.contains { line.localizedCaseInsensitiveContains($0) } } == [])
            // And the list that no backup reaches has their id
            #expect(try system.erasures.read().users.map(\.texto).contains(id))
        }

        @Test("An erased person's address is free again; a second erasure is none")
        func again() async throws {
            let system = try TestSystem.current()
            let member = try await system.member()
            let password: JSONValue = ["password": .string(member.person.password)]
            let first = try await member.client.delete("/users/me", password, key: "erase").expect(200)
            let head = try await system.head()

            // Whoever has the address may sign up with it, and is somebody else
            let other = try await system.visitor.post("/auth/signup", member.person.signUp).expect(201)
            #expect(other["id"].text != member.id)
            #expect(try await system.head() == head + 2)
            #expect(try first.position() == head)
            try await system.visitor.post("/auth/login", member.person.credentials).expect(200)
        }

        @Test("Nobody books with a token that outlived its owner, nor is anything written about them")
        func afterwards() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let member = try await system.member()
            let desk = try await system.receptionist()
            let slot = booking(room, system.time(day: 9, minute: 600), system.time(day: 9, minute: 660))
            // Given somebody who was erased, but whom the gateway does not know to be
            _ = try await system.compositions[0].eraseAgain([try #require(UsuarioID(member.id))])
            let head = try await system.head()

            // Then neither they nor the desk book for them, with notes or without
            for body in [slot, slot.with("notes", "Uma nota")] {
                let own = try await member.client.post("/reservations", body)
                #expect([401, 404].contains(own.status), "\(own)")
                try await desk.client.post("/reservations", body.with("user_id", .string(member.id))).expectProblem(404, "user_not_found")
            }
            #expect(try await system.head() == head)
            // And within seconds their access token is refused as such
            try await eventually("the token is refused", within: .seconds(10)) {
                try await member.client.get("/users/me").status == 401
            }
        }

        @Test("What was still booked for somebody erased by command is cancelled, and the slots are free")
        func leftovers() async throws {
            let system = try TestSystem.current()
            let unit = try await system.unit()
            let (room, cabin) = (try await system.space(in: unit), try await system.space(in: unit, .init(type: "cabine", seats: 3)))
            let member = try await system.member()
            func slot(_ space: String, _ minute: Int) -> JSONValue {
                booking(space, system.time(day: 7, minute: minute), system.time(day: 7, minute: minute + 60))
            }
            var ids: [String] = []
            for wish in [slot(room, 600).with("notes", "Nota"), slot(cabin, 600), slot(cabin, 660)] {
                ids.append(try await member.client.post("/reservations", wish).expect(201).text("id"))
            }

            _ = try await system.compositions[0].eraseAgain([try #require(UsuarioID(member.id))])

            let desk = try await system.receptionist().client
            for id in ids {
                try await eventually("\(id) is cancelled") { try await desk.get("/reservations/\(id)")["status"] == "cancelled" }
                let seen = try await desk.get("/reservations/\(id)").expect(200)
                #expect(seen["cancellation"]["reason"] == "conta_apagada")
                #expect(seen["notes"] == (id == ids[0] ? "[apagado]" : .null))
            }
            #expect(try await system.count(of: "reservas.ReservaCancelada", by: "reservas.prazos", for: ids) == 3)
            for wish in [slot(room, 600), slot(cabin, 600).with("seats", 3)] { try await desk.post("/reservations", wish).expect(201) }
        }

        @Test("Booking and erasing oneself at once: no open booking is left, and nothing is sealed for anybody after their erasure")
        func race() async throws {
            let system = try TestSystem.current()
            let cabin = try await system.space(in: try await system.unit(), .init(type: "cabine", seats: 50))
            let members = try await concurrently(Array(0..<10), atATime: 4) { _ in try await system.member() }

            let erased = try await concurrently(members, atATime: 5) { member in
                let slot = booking(cabin, system.time(day: 4, minute: 600), system.time(day: 4, minute: 660)).with("notes", "Nota")
                let password: JSONValue = ["password": .string(member.person.password)]
                async let first = member.client.post("/reservations", slot)
                async let second = member.client.delete("/users/me", password)
                async let third = member.client.post("/reservations", slot)
                let (one, deletion, three) = (try await first, try await second, try await third)
                for booked in [one, three] { #expect([201, 401, 404].contains(booked.status), "\(booked)") }
                #expect([200, 409].contains(deletion.status), "\(deletion)")
                return deletion.status == 200 ? member.id : nil
            }.compactMap(\.self)

            try await eventually("what is left is cancelled") { try await system.openBookings(of: erased) == 0 }
            #expect(try await system.sealedAfterErasure() == [])
        }

        @Test("An administrator hands the role over first; without a password nobody is erased")
        func refusals() async throws {
            let system = try TestSystem.current()
            let member = try await system.member()
            try await system.administrator().client.post("/admin/promote/\(member.id)", ["role": "admin"]).expect(200)
            let password: JSONValue = ["password": .string(member.person.password)]
            try await member.client.delete("/users/me", password).expectProblem(409, "still_admin")
            try await member.client.delete("/users/me", [:]).expectProblem(400, "invalid_field")
            try await system.administrator().client.post("/admin/promote/\(member.id)", ["role": "membro"]).expect(200)
            try await member.client.delete("/users/me", password).expect(200)
        }

        @Test("What an erased receptionist wrote in the books stays: it is the business's")
        func books() async throws {
            let system = try TestSystem.current()
            let (author, reader) = (try await system.receptionist(), try await system.receptionist())
            let memo = system.confidential.add("Conserto do ar \(author.id)")
            let reason = system.confidential.add("Lançada duas vezes \(author.id)")
            let expense: JSONValue = ["category": "maintenance", "date": "2026-01-10", "amount_cents": 12_300, "memo": .string(memo)]
            try await author.client.post("/financial/expenses", expense).expect(201)
            let double = try await author.client.post("/financial/expenses", expense).expect(201).text("id")
            try await author.client.post("/financial/expenses/\(double)/reverse", ["reason": .string(reason)]).expect(200)

            let erased = try await author.client.delete("/users/me", ["password": .string(author.person.password)]).expect(200)
            try await eventually("the key is deleted") { try await !system.hasKey(author.id) }

            let path = "/financial/expenses/entries?limit=200"
            let entries = try await reader.client.get(path, after: try erased.position()).expect(200).json.items
            #expect(entries.count { $0["memo"].text == memo } == 2)
            #expect(entries.compactMap { $0["reversal_reason"].text } == [reason])
            // From the log alone they are the same
            try await system.expectReadModelsEqualReplay(of: system.compositions[0])
        }

        /// What there may be of a person besides an account and a booking.
        private struct Belongings {
            let phone: String
            let guest: String
            let notice: String
            let series: String
            let place: String
        }

        private func furnish(_ member: Member, _ desk: Client, in system: TestSystem) async throws -> Belongings {
            let phone = system.confidential.add("+55119\(Int.random(in: 10_000_000...99_999_999))")
            let wanted: JSONValue = ["phone": .string(phone), "push_token": .string("aparelho-\(member.id)"), "language": "en"]
            try await member.client.put("/notifications/preferences", wanted).expect(200)
            try await member.client.post("/users/me/calendar").expect(201)
            let words = system.confidential.add("Encomenda para \(member.id)")
            let told: JSONValue = ["user_id": .string(member.id), "title": "Recepção", "message": .string(words)]
            try await desk.post("/notify/push", told).expect(202)
            try await system.administrator().client.put(
                "/plans/horas",
                ["name": "Horas", "discount_percent": 0, "monthly_fee_cents": 0, "included_minutes": 120, "credit_months": 1]
            ).expect(200)
            try await member.client.post("/subscriptions", ["plan": "horas"]).expect(201)
            try await desk.post("/subscriptions/\(member.id)/credits", ["minutes": 60]).expect(201)
            let unit = try await system.unit()
            let (cabin, room) = (try await system.space(in: unit, .init(type: "cabine", seats: 4)), try await system.space(in: unit))
            let slot = booking(cabin, system.time(day: 8, minute: 600), system.time(day: 8, minute: 660))
            let series = try await member.client.post("/reservations/series", slot.with("rrule", "FREQ=DAILY;COUNT=2")).expect(201)
            let with = try await member.client.post(
                "/reservations", booking(cabin, system.time(day: 12, minute: 600), system.time(day: 12, minute: 660), seats: 2)
            ).expect(201).text("id")
            let guest = system.confidential.add("Convidada de \(member.id)")
            try await member.client.put("/reservations/\(with)/guests", ["guests": [["name": .string(guest)]]]).expect(200)
            let taken = booking(room, system.time(day: 9, minute: 600), system.time(day: 9, minute: 660))
            try await desk.post("/reservations", taken).expect(201)
            let place = try await member.client.post("/reservations/waitlist", taken).expect(201).text("id")
            return Belongings(phone: phone, guest: guest, notice: words, series: try series.text("id"), place: place)
        }

        @Test("With whatever else there is of a person: how they are told things, notices, plan, credits, series, guests, places in line")
        func wholeExport() async throws {
            let system = try TestSystem.current()
            let (member, other) = (try await system.member(), try await system.member())
            let desk = try await system.receptionist().client
            let has = try await furnish(member, desk, in: system)
            let foreign = try await furnish(other, desk, in: system)

            let taken = try await member.client.get("/users/me/export", after: try await system.head()).expect(200)

            #expect(taken["preferences"]["phone"].text == has.phone)
            #expect(taken["preferences"]["push_token"].text == "aparelho-\(member.id)")
            #expect(taken["preferences"]["language"] == "en")
            #expect(taken["preferences"]["shares_calendar"] == true)
            #expect(taken["notifications"].items.contains { $0["message"].text == has.notice })
            #expect(taken["subscription"]["plan"] == "horas")
            #expect(taken["credits"].items.compactMap { $0["minutes"].number }.sorted() == [60, 120])
            #expect(taken["series"].items.map { $0["id"].text } == [has.series])
            #expect(taken["series"].items.first?["occurrences"].items.count == 2)
            #expect(taken["waitlist"].items.map { $0["id"].text } == [has.place])
            #expect(taken["reservations"].items.flatMap { $0["guests"].items }.compactMap { $0["name"].text } == [has.guest])
            let actions = Set(taken["audit"].items.compactMap { $0["action"].text })
            #expect(actions.isSuperset(of: ["notificacoes.PreferenciasDefinidas", "precos.CreditosConcedidos", "reservas.SerieCriada"]))
            let text = String(decoding: taken.bytes, as: UTF8.self)
            for secret in [foreign.phone, foreign.guest, foreign.notice, foreign.series, other.id] { #expect(!text.contains(secret)) }
        }

        @Test("A person takes away everything about themself, and nothing of anybody else's")
        func export() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let (member, other) = (try await system.member(), try await system.member())
            let notes = system.confidential.add("Nota de \(member.person.name)")
            let slot = booking(room, system.time(day: 5, minute: 600), system.time(day: 5, minute: 660))
            let booked = try await member.client.post("/reservations", slot.with("notes", .string(notes))).expect(201)
            let foreign = booking(room, system.time(day: 5, minute: 700 / 30 * 30), system.time(day: 5, minute: 780))
            try await other.client.post("/reservations", foreign).expect(201)
            let desk = try await system.receptionist()
            let confirmed = try await desk.client.post("/reservations/\(try booked.text("id"))/confirm").expect(200)

            let taken = try await member.client.get("/users/me/export", after: try confirmed.position()).expect(200)

            #expect(taken.header("Cache-Control") == "no-store")
            #expect(taken.header("Content-Disposition")?.hasPrefix("attachment") == true)
            #expect(taken["account"]["name"].text == member.person.name)
            #expect(taken["account"]["email"].text == member.person.email)
            #expect(taken["sessions"].items.count == 1)
            #expect(taken["reservations"].items.compactMap { $0["id"].text } == [try booked.text("id")])
            #expect(taken["reservations"].items.first?["notes"].text == notes)
            // What the policies of other services add comes when it comes.
            let actions = taken["audit"].items.compactMap { $0["action"].text }.filter { !$0.hasPrefix("pagamentos.") }
            #expect(
                actions == [
                    "reservas.ReservaConfirmada", "reservas.ReservaSolicitada", "usuarios.LoginRealizado", "usuarios.UsuarioCadastrado",
                ]
            )
            let text = String(decoding: taken.bytes, as: UTF8.self)
            for secret in [other.id, other.person.name, other.person.email, member.person.password] { #expect(!text.contains(secret)) }
            try await system.visitor.get("/users/me/export").expect(401)
        }

        @Test("A blocked account's tokens end at once, refresh tokens and access tokens")
        func block() async throws {
            let system = try TestSystem.current()
            let member = try await system.member()
            let again = try await member.person.logIn(system.visitor, id: member.id)
            #expect(try await system.refreshTokens(of: member.id) == 2)

            try await system.administrator().client.post("/admin/users/\(member.id)/block").expect(200)

            #expect(try await system.refreshTokens(of: member.id) == 0)
            for client in [member.client, again.client] { try await client.get("/users/me").expectProblem(401, "unauthenticated") }
        }

        @Test("A backup from before the erasure is put back: the list erases again, in log, keys and read models")
        func restore() async throws {
            let system = try TestSystem.current()
            let member = try await system.member()
            let stays = try await system.member()
            let before = try await member.client.get("/users/me", after: try await system.head()).expect(200)
            #expect(before["name"].text == member.person.name)
            let desk = try await system.receptionist().client
            let address = system.confidential.add("visita.\(Int.random(in: 0..<1_000_000_000))@exemplo.test")
            let words = system.confidential.add("Para quem não tem conta, \(address)")
            let mail: JSONValue = ["to": .string(address), "subject": "Recepção", "body": .string(words)]
            try await desk.post("/notify/email", mail).expect(202)
            try await system.settled()

            // Given a backup, and two erasures after it
            let backup = FileManager.default.temporaryDirectory.appending(path: "\(system.name).sql")
            defer { try? FileManager.default.removeItem(at: backup) }
            let url = system.servers.postgresURL(system.name)
            try Data(try await run("pg_dump", ["--dbname=\(url)"]).utf8).write(to: backup)
            try await member.client.delete("/users/me", ["password": .string(member.person.password)]).expect(200)
            try await eventually("the key is deleted") { try await !system.hasKey(member.id) }
            #expect(try await system.compositions[0].eraseAddress(address))

            // When the backup is put back elsewhere, where the person is there again
            let restored = "\(system.name)_restored"
            try await system.servers.createDatabase(restored)
            try await system.servers.createVirtualHost(restored)
            _ = try await run(
                "psql", ["--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--dbname=\(system.servers.postgresURL(restored))"],
                input: backup
            )
            #expect(try await Dump(system.servers.postgresURL(restored)).traces(of: [member.person.name]) == [member.person.name])
            // And the list is applied, twice
            let list = try system.erasures.read()
            #expect(list.unreadable.isEmpty)
            let composition = try system.composition(on: restored)
            let counts = try await composition.running([.eventStore, .projections]) {
                #expect(try await system.readable(in: composition).contains(words))
                var counts: [Int] = []
                for _ in 0..<2 { counts.append(try await composition.eraseAgain(list.users, addresses: list.addresses)) }
                #expect(try await !system.readable(in: composition).contains(words))
                try await system.expectReadModelsEqualReplay(of: composition)
                return counts
            }

            // Then they are gone there too, and nobody else is
            #expect(counts == [1, 0])
            let dump = try await Dump(system.servers.postgresURL(restored))
            #expect(dump.traces(of: [member.person.name, member.person.email]) == [])
            #expect(dump.traces(of: [stays.person.name]) == [stays.person.name])
            try await system.servers.deleteVirtualHost(restored)
            try await system.servers.dropDatabase(restored)
        }
    }
}

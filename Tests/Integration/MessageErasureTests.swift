import TestSupport
import Testing

@testable import coworkflow

extension WholeSystem {
    /// What the desk wrote by hand goes with the one whom it was written to.
    @Suite(.serialized, .system(sendsMail: true, relays: true))
    struct MessageErasure {
        private func number(_ system: TestSystem) -> String {
            system.confidential.add("+55119\(Int.random(in: 10_000_000...99_999_999))")
        }

        private func mail(_ desk: Client, to address: String, _ words: String) async throws {
            try await desk.post("/notify/email", ["to": .string(address), "subject": .string(words), "body": .string(words)]).expect(202)
        }

        private func text(_ desk: Client, to phone: String, _ words: String) async throws {
            try await desk.post("/notify/sms", ["phone": .string(phone), "message": .string(words)]).expect(202)
        }

        @Test("Erased, a person's messages go too: to their account, to the address that they had before, to every number of theirs")
        func erased() async throws {
            let system = try TestSystem.current()
            let relay = try #require(system.relay)
            relay.receiver.answer(202)
            let desk = try await system.receptionist().client
            let (member, other) = (try await system.member(), try await system.member())
            let address = system.confidential.add("novo.\(member.id)@exemplo.test")
            let (former, phone) = (number(system), number(system))
            try await member.client.put("/users/me", ["email": .string(address)]).expect(200)
            for each in [former, phone] { try await member.client.put("/notifications/preferences", ["phone": .string(each)]).expect(200) }
            let (words, others) = (system.confidential.add("Para ti \(member.id)"), system.confidential.add("Para outra \(other.id)"))
            for each in [member.person.email, address] { try await mail(desk, to: each, words) }
            for each in [former, phone] { try await text(desk, to: each, words) }
            try await mail(desk, to: other.person.email, others)
            try await eventually("the text messages are sent") { relay.receiver.deliveries.count { $0.json["message"].text == words } == 2 }
            // Given that all of it can be read by whoever has the keys
            let about = [member.person.name, member.person.email, address, former, phone, words]
            let before = try await system.readable()
            #expect(about.filter { text in !before.contains { $0.contains(text) } } == [])

            // When
            try await member.client.delete("/users/me", ["password": .string(member.person.password)]).expect(200)
            try await eventually("the key is deleted") { try await !system.hasKey(member.id) }

            // Then none of the keys that are left opens anything about them
            let after = try await system.readable()
            #expect(about.filter { text in after.contains { $0.contains(text) } } == [])
            #expect(after.contains(others))
            #expect(try system.erasures.read().addresses.count == 3)
            // And whoever has the number next can be written to
            let next = system.confidential.add("Para quem vem \(other.id)")
            try await text(desk, to: phone, next)
            try await eventually("it is sent") { relay.receiver.deliveries.contains { $0.json["message"].text == next } }
            #expect(try await system.readable().contains(next))
        }

        @Test("What was sent to an address without an account is erased by whoever knows the address, however it is written")
        func byAddress() async throws {
            let system = try TestSystem.current()
            let desk = try await system.receptionist().client
            let (phone, address) = (number(system), system.confidential.add("visita.\(Int.random(in: 0..<1_000_000_000))@exemplo.test"))
            let (words, others) = (system.confidential.add("Para \(phone)"), system.confidential.add("Para o outro de \(phone)"))
            try await text(desk, to: phone, words)
            try await mail(desk, to: address, words)
            try await text(desk, to: number(system), others)

            let composition = system.compositions[0]
            let spaced = "+55 (11) " + phone.dropFirst(5)
            let found = [try await composition.eraseAddress(spaced), try await composition.eraseAddress(spaced)]
            #expect(found == [true, false])
            #expect(try await composition.eraseAddress(" \(address.uppercased())"))

            let left = try await system.readable()
            #expect([phone, address, words].filter { text in left.contains(text) } == [])
            #expect(left.contains(others))
            // And a restored backup forgets it again
            let list = try system.erasures.read()
            #expect(list.addresses.count { $0.hasPrefix("phone-") } >= 1 && list.addresses.count { $0.hasPrefix("email-") } >= 1)
            #expect(list.unreadable.isEmpty)
        }
    }
}

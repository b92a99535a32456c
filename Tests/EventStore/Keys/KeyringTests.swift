import Crypto
import Domain
import FoundationEssentials
import Postgres
import TestSupport
import Testing

@testable import EventStore

@Suite struct KeyringTests {
    private static let master = SymmetricKey(data: [UInt8](repeating: 7, count: 32))

    private func keyring(_ world: TestWorld, master: SymmetricKey = master, memory: Duration = .seconds(60)) -> Keyring {
        Keyring(pool: world.pool(.keyring), master: MasterKeys(master), memory: memory)
    }

    private static func isUnreadable(_ error: any Error) -> Bool {
        if case .unreadable = error as? Keyring.Problem { true } else { false }
    }

    private static func isMasterMissing(_ error: any Error) -> Bool {
        if case .masterMissing = error as? Keyring.Problem { true } else { false }
    }

    private static func isErased(_ error: any Error) -> Bool {
        if case .erased = error as? Keyring.Problem { true } else { false }
    }

    @Test(arguments: ["Ana", "", "ação 🙂\u{0}\n\"", String(repeating: "x", count: 100_000)])
    func `what is sealed opens, here and in another process`(_ text: String) async throws {
        try await TestWorld.run(broker: false) { world in
            let sealed = try await keyring(world).seal(text, of: "u1", field: "nome")
            #expect(sealed.texto.hasPrefix("1.u1."))
            #expect(text.isEmpty || !sealed.texto.contains(text))
            #expect(try await keyring(world).open(sealed, field: "nome") == text)
            #expect(try await keyring(world).openOrErased(sealed, field: "nome") == text)
        }
    }

    @Test func `a sealed text that cannot be read is its event's fault and says why; a master key that is not there is nobody's`() {
        #expect(Poison.reason(for: Keyring.Problem.unreadable) == Keyring.Problem.unreadable.description)
        #expect(Poison.reason(for: Keyring.Problem.masterMissing(id: "7f")) == nil)
    }

    @Test func `the same text sealed twice looks different`() async throws {
        try await TestWorld.run(broker: false) { world in
            let keyring = keyring(world)
            let first = try await keyring.seal("Ana", of: "u1", field: "nome")
            #expect(try await keyring.seal("Ana", of: "u1", field: "nome") != first)
        }
    }

    @Test func `another field, another person, altered, another master key: nothing opens`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            let keyring = keyring(world)
            let sealed = try await keyring.seal("Ana", of: "u1", field: "nome")
            _ = try await keyring.seal("Rui", of: "u2", field: "nome")
            let box = String(sealed.texto.dropFirst("1.u1.".count))
            var bytes = try #require(Data(base64Encoded: box))
            bytes[bytes.count / 2] ^= 1
            // then
            await #expect(performing: { try await keyring.open(sealed, field: "email") }, throws: Self.isUnreadable)
            for text in [
                "1.u2.\(box)", "2.u1.\(box)", "1.u1.\(bytes.base64EncodedString())", "1.u1.", "1.u1", "", "1.u1.%%%",
                "1.u1.\(Data([1, 2, 3]).base64EncodedString())",
            ] {
                await #expect("\(text)", performing: { try await keyring.open(Selado(text), field: "nome") }, throws: Self.isUnreadable)
            }
            let other = self.keyring(world, master: SymmetricKey(size: .bits256))
            await #expect(performing: { try await other.open(sealed, field: "nome") }, throws: Self.isMasterMissing)
            await #expect(performing: { try await other.openOrErased(sealed, field: "nome") }, throws: Self.isMasterMissing)
        }
    }

    @Test func `without the key the text reads as erased, and reading makes no new key`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            let sealed = try await keyring(world).seal("Ana", of: "u1", field: "nome")
            try await world.admin.executeScript("delete from keys.personal")
            // then
            let keyring = keyring(world)
            await #expect(performing: { try await keyring.open(sealed, field: "nome") }, throws: Self.isErased)
            #expect(try await keyring.openOrErased(sealed, field: "nome") == Keyring.erasedText)
            #expect(try await world.number("select count(*) from keys.personal") == 0)
        }
    }

    @Test func `a key deleted elsewhere is forgotten here after a while`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            let keyring = keyring(world, memory: .milliseconds(300))
            let sealed = try await keyring.seal("Ana", of: "u1", field: "nome")
            try await world.admin.executeScript("delete from keys.personal")
            // then
            try await eventually("the key is forgotten") { try await keyring.openOrErased(sealed, field: "nome") == Keyring.erasedText }
        }
    }

    @Test func `first seals at once agree on one key`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given processes of their own
            let keyrings = (0..<6).map { _ in keyring(world) }
            // when
            let sealed = try await withThrowingTaskGroup(of: Selado.self) { group in
                for keyring in keyrings { group.addTask { try await keyring.seal("Ana", of: "u1", field: "nome") } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // then each opens what every other sealed
            #expect(try await world.number("select count(*) from keys.personal") == 1)
            for keyring in keyrings {
                for text in sealed { #expect(try await keyring.open(text, field: "nome") == "Ana") }
            }
        }
    }

    @Test func `the stored key is no use without the master key`() async throws {
        try await TestWorld.run(broker: false) { world in
            _ = try await keyring(world).seal("Ana", of: "u1", field: "nome")
            let stored = try await world.admin.run { try $0.query("select wrapped from keys.personal")[0].get(0, [UInt8].self) }
            // nonce, ciphertext and tag of a 256-bit key
            #expect(stored.count == 12 + 32 + 16)
            let open = try AES.GCM.open(AES.GCM.SealedBox(combined: stored), using: Self.master, authenticating: Array("u1".utf8))
            #expect(open.count == 32)
            #expect(throws: (any Error).self) {
                try AES.GCM.open(AES.GCM.SealedBox(combined: stored), using: Self.master, authenticating: Array("u2".utf8))
            }
        }
    }
}

import Crypto
import Domain
import Postgres
import TestSupport
import Testing

@testable import EventStore

/// The master key is replaced while everything runs.
@Suite struct MasterKeysTests {
    private let old = SymmetricKey(size: .bits256)
    private let new = SymmetricKey(size: .bits256)

    private func keyring(_ world: TestWorld, _ current: SymmetricKey, others: [SymmetricKey] = []) -> Keyring {
        Keyring(pool: world.pool(.keyring), master: MasterKeys(current, others: others), memory: .zero)
    }

    private func id(_ key: SymmetricKey) -> String { MasterKeys.id(of: key) }

    /// Texts of so many people, sealed under keys that the old master key wraps.
    private func people(_ count: Int, in world: TestWorld) async throws -> [Selado] {
        let keyring = keyring(world, old)
        var sealed: [Selado] = []
        for number in 0..<count { sealed.append(try await keyring.seal("Pessoa \(number)", of: "u\(number)", field: "nome")) }
        return sealed
    }

    private func expectReadable(_ sealed: [Selado], by keyring: Keyring, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        for (number, text) in sealed.enumerated() {
            #expect(try await keyring.open(text, field: "nome") == "Pessoa \(number)", sourceLocation: sourceLocation)
        }
    }

    @Test func `from the old to the new: all is readable at every step, and at the end without the old`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            let sealed = try await people(20, in: world)
            try await keyring(world, old).erase("u19")
            // when every process knows both, whichever it wraps with
            let (before, after) = (keyring(world, old, others: [new]), keyring(world, new, others: [old]))
            for keyring in [before, after] { try await expectReadable(Array(sealed.dropLast()), by: keyring) }
            let late = try await before.seal("Pessoa nova", of: "late", field: "nome")
            #expect(try await after.open(late, field: "nome") == "Pessoa nova")
            // and all is wrapped anew
            #expect(try await after.wrappings() == [.init(master: id(old), keys: 20, isConfigured: true)])
            #expect(try await after.rewrap() == 20)
            // then the old one is not needed
            let alone = keyring(world, new)
            try await expectReadable(Array(sealed.dropLast()), by: alone)
            #expect(try await alone.open(late, field: "nome") == "Pessoa nova")
            #expect(try await alone.wrappings() == [.init(master: id(new), keys: 20, isConfigured: true)])
            // and who was erased stays erased
            #expect(try await alone.openOrErased(sealed[19], field: "nome") == Keyring.erasedText)
            // and there is nothing more to do
            #expect(try await alone.rewrap() == 0)
        }
    }

    @Test func `a master key that is missing is named by its id, and nothing is changed`() async throws {
        try await TestWorld.run(broker: false) { world in
            let sealed = try await people(2, in: world)
            let alone = keyring(world, new)
            let missing = Keyring.Problem.masterMissing(id: id(old))
            await #expect(throws: missing) { try await alone.open(sealed[0], field: "nome") }
            await #expect(throws: missing) { try await alone.openOrErased(sealed[0], field: "nome") }
            await #expect(throws: missing) { try await alone.seal("x", of: "u0", field: "nome") }
            await #expect(throws: missing) { try await alone.rewrap() }
            #expect(try await alone.wrappings() == [.init(master: id(old), keys: 2, isConfigured: false)])
            #expect(missing.description.contains(id(old)) && missing.description.contains("COWORKFLOW_KEY_MASTERS_PREVIOUS"))
            #expect(!missing.description.contains("\n"))
            try await expectReadable(sealed, by: keyring(world, old))
        }
    }

    @Test func `stopped in between, it goes on where it was, while people come and go`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given more than two batches
            let sealed = try await people(3, in: world)
            try await multiply(1_200, in: world)
            // when it is stopped after its first batch
            let both = keyring(world, new, others: [old])
            let batches = Shared(0)
            let stopped = Task { try await both.rewrap { _ in batches.withLock { $0 += 1 } } }
            try await eventually("a batch is committed") { batches.value > 0 }
            stopped.cancel()
            let first = (try? await stopped.value) ?? 0
            // and begun again while somebody is erased and somebody new comes, at a process that has not changed over
            async let rest = both.rewrap()
            try await keyring(world, new, others: [old]).erase("v600")
            let late = try await keyring(world, old, others: [new]).seal("Pessoa nova", of: "zzz", field: "nome")
            let second = try await rest
            let third = try await both.rewrap()
            // then all is wrapped under the new one
            #expect(first + second + third <= 1_204 + 1)
            let alone = keyring(world, new)
            #expect(try await alone.wrappings() == [.init(master: id(new), keys: 1_203, isConfigured: true)])
            try await expectReadable(sealed, by: alone)
            #expect(try await alone.open(late, field: "nome") == "Pessoa nova")
        }
    }

    /// So many people, with keys of their own.
    private func multiply(_ count: Int, in world: TestWorld) async throws {
        let master = MasterKeys(old)
        let subjects = (0..<count).map { "v\($0)" }
        let wrapped = try subjects.map { try master.wrap(SymmetricKey(size: .bits256), of: $0) }
        try await world.admin.run { connection in
            _ = try connection.execute(
                "insert into keys.personal (subject, wrapped, master) select n.*, $3 from unnest($1::text[], $2::bytea[]) as n",
                PostgresArray(subjects),
                PostgresArray(wrapped),
                master.current
            )
        }
    }

    @Test func `what was wrapped before ids were written down is read, and gets one`() async throws {
        try await TestWorld.run(broker: false) { world in
            let sealed = try await people(2, in: world)
            try await world.admin.executeScript("update keys.personal set master = null")
            let both = keyring(world, new, others: [old])
            try await expectReadable(sealed, by: both)
            #expect(try await both.wrappings() == [.init(master: nil, keys: 2, isConfigured: true)])
            await #expect(throws: Keyring.Problem.unreadable) { try await keyring(world, new).open(sealed[0], field: "nome") }
            #expect(try await both.rewrap() == 2)
            try await expectReadable(sealed, by: keyring(world, new))
        }
    }

    @Test func `the id of a master key says nothing of it`() {
        let key = SymmetricKey(data: [UInt8](repeating: 1, count: 32))
        #expect(MasterKeys.id(of: key).count == 16)
        #expect(MasterKeys.id(of: key) == MasterKeys.id(of: SymmetricKey(data: [UInt8](repeating: 1, count: 32))))
        #expect(MasterKeys.id(of: old) != MasterKeys.id(of: new))
    }
}

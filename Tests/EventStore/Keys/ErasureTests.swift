import Crypto
import Domain
import FoundationEssentials
import Postgres
import Testing

@testable import EventStore

/// A deleted key never comes back.
@Suite struct ErasureTests {
    private static let master = MasterKeys(SymmetricKey(data: [UInt8](repeating: 7, count: 32)))

    private func keyring(_ world: TestWorld, memory: Duration = .zero) -> Keyring {
        Keyring(pool: world.pool(.keyring), master: Self.master, memory: memory)
    }

    @Test func `an erased person's texts read as erased, and nothing is sealed for them again`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            let (here, elsewhere) = (keyring(world, memory: .seconds(60)), keyring(world))
            let sealed = try await here.seal("Ana", of: "u1", field: "nome")
            let other = try await here.seal("Rui", of: "u2", field: "nome")
            // when, as often as one likes
            for _ in 0..<3 { try await here.erase("u1") }
            // then
            for keyring in [here, elsewhere] {
                #expect(try await keyring.openOrErased(sealed, field: "nome") == Keyring.erasedText)
                await #expect(throws: Keyring.Problem.erased) { try await keyring.open(sealed, field: "nome") }
                await #expect(throws: Keyring.Problem.erased) { try await keyring.seal("Ana", of: "u1", field: "nome") }
                #expect(try await keyring.open(other, field: "nome") == "Rui")
            }
            #expect(try await elsewhere.erasures().map(\.subject) == ["u1"])
            #expect(try await world.number("select count(*) from keys.personal where wrapped is not null") == 1)
        }
    }

    @Test func `who never had a key gets none after an erasure`() async throws {
        try await TestWorld.run(broker: false) { world in
            try await keyring(world).erase("u9")
            await #expect(throws: Keyring.Problem.erased) { try await keyring(world).seal("Ana", of: "u9", field: "nome") }
        }
    }

    @Test func `an address that was erased may be written to again, under another key`() async throws {
        try await TestWorld.run(broker: false) { world in
            let keyring = keyring(world)
            func erase(_ address: String) async throws -> [String] {
                let subjects = try await keyring.subjects(ofAddresses: [address])
                for subject in subjects { try await keyring.erase(subject) }
                return subjects
            }
            // given
            let other = try await keyring.seal("outra", ofAddress: "phone-ab", field: "texto")
            var earlier: [Selado] = []
            for round in 1...3 {
                // when
                let sealed = try await keyring.seal("oi \(round)", ofAddress: "phone-a", field: "texto")
                // then
                #expect(try await keyring.open(sealed, field: "texto") == "oi \(round)")
                earlier.append(sealed)
                #expect(try await erase("phone-a") == [round == 1 ? "phone-a" : "phone-a-\(round)"])
                #expect(try await erase("phone-a").isEmpty)
                for text in earlier { #expect(try await keyring.openOrErased(text, field: "texto") == Keyring.erasedText) }
            }
            #expect(try await keyring.open(other, field: "texto") == "outra")
            #expect(Keyring.subject(of: other) == "phone-ab")
            #expect(Keyring.subject(of: Selado("texto")) == nil)
            // and an address without a key has none to erase, and gets none by it
            #expect(try await erase("email-x").isEmpty)
        }
    }

    @Test(arguments: 0..<5)
    func `seals and erasures at once: in the end there is no key`(_ round: Int) async throws {
        try await TestWorld.run(broker: false) { world in
            let keyrings = (0..<6).map { _ in keyring(world) }
            await withTaskGroup(of: Void.self) { group in
                for (index, keyring) in keyrings.enumerated() {
                    group.addTask {
                        for step in 0..<10 where index + round != step {
                            _ = try? await keyring.seal("Ana", of: "u1", field: "nome")
                        }
                        if index == round { try? await keyring.erase("u1") }
                    }
                }
            }
            let erased = try await world.number("select count(*) from keys.personal where erased_at is not null and wrapped is null")
            #expect(erased == 1)
            await #expect(throws: Keyring.Problem.erased) { try await keyrings[0].seal("Ana", of: "u1", field: "nome") }
        }
    }

    @Test(arguments: [
        "update keys.personal set erased_at = null, wrapped = 'x' where subject = 'u1'",
        "update keys.personal set subject = 'u2' where subject = 'u1'",
        "delete from keys.personal where subject = 'u1'",
        "delete from keys.personal",
        "truncate keys.personal",
    ])
    func `nobody takes an erasure back, the superuser included`(_ sql: String) async throws {
        try await TestWorld.run(broker: false) { world in
            try await keyring(world).erase("u1")
            for replication in ["origin", "replica"] {
                try await world.admin.executeScript("set session_replication_role = \(replication)")
                let error = await #expect(throws: PostgresError.self) { try await world.admin.executeScript(sql) }
                #expect(error?.sqlState == "CW004")
            }
        }
    }

    // MARK: Decisions about people

    private static let user = UsuarioID(alto: 0, baixo: 1)

    private static func account() throws -> EventoDoDominio {
        let key = try #require(ChaveDeEmail(String(repeating: "0", count: 32)))
        return .usuarios(
            .usuarioCadastrado(
                UsuarioCadastrado(
                    usuario: user, nome: Selado("x"), email: Selado("x"), chaveDoEmail: key, senha: Selado("x"), papel: .membro,
                    origem: .proprio, em: Instante(microssegundos: someTime)
                )
            )
        )
    }

    private static let erasure = EventoDoDominio.usuarios(
        .usuarioApagado(UsuarioApagado(usuario: user, em: Instante(microssegundos: someTime)))
    )

    @Test func `a text sealed while its owner is erased is not recorded`() async throws {
        try await TestWorld.run { world in
            // given an account
            try await world.startRecorder()
            let executor = world.executor(try await world.startClient())
            let keyring = keyring(world, memory: .seconds(60))
            _ = try await executor.execute(.sample()) { _ in [EventosDoFluxo(.usuario(Self.user), [try Self.account()])] }
            let tries = Shared(0)
            // when its owner is erased between the sealing and the append
            await #expect(throws: RecusaDeUsuarios.naoEncontrado) {
                try await executor.execute(.sample()) { loader in
                    _ = try await loader.seal("Ana", of: Self.user, field: "notas", with: keyring)
                    if tries.withLock({
                        $0 += 1; return $0
                    }) == 1 {
                        _ = try await executor.execute(.sample()) { inner in
                            _ = try await inner.load(.usuario(Self.user))
                            return [EventosDoFluxo(.usuario(Self.user), [Self.erasure])]
                        }
                    }
                    return try await Seats.book(1, in: .room, loader)
                }
            }
            // then it was decided anew, and refused
            #expect(tries.value == 1)
            #expect(try await world.expectSoundLog().map(\.type) == [UsuarioCadastrado.tipo, UsuarioApagado.tipo])
        }
    }

    @Test func `nothing is sealed for somebody who never was`() async throws {
        try await TestWorld.run(broker: false) { world in
            let loader = StreamLoader(reader: world.reader)
            let keyring = keyring(world)
            await #expect(throws: RecusaDeUsuarios.naoEncontrado) {
                try await loader.seal("Ana", of: Self.user, field: "notas", with: keyring)
            }
            let keys = try await world.number("select count(*) from keys.personal")
            #expect(keys == 0)
        }
    }
}

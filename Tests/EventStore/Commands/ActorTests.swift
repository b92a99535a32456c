import Domain
import FoundationEssentials
import Testing

@testable import EventStore

/// In whose name a command is given is looked at when it is decided, and holds when it is recorded.
@Suite struct ActorTests {
    private static let ana = UsuarioID(alto: 0, baixo: 7)
    private static let time = Instante(microssegundos: someTime)

    /// What may happen to an account while a decision is taken.
    enum Blow: CaseIterable, Sendable {
        case block
        case demotion
        case erasure

        var event: EventoDoDominio {
            switch self {
            case .block: .usuarios(.usuarioBloqueado(UsuarioBloqueado(usuario: ana, em: time)))
            case .demotion: .usuarios(.papelAlterado(PapelAlterado(usuario: ana, de: .admin, para: .gestor, em: time)))
            case .erasure: .usuarios(.usuarioApagado(UsuarioApagado(usuario: ana, em: time)))
            }
        }

        var refusal: RecusaDeUsuarios {
            switch self {
            case .block: .contaBloqueada
            case .demotion: .papelPerdido
            case .erasure: .naoEncontrado
            }
        }
    }

    private static func command(of role: Papel = .admin) -> CommandEnvelope {
        CommandEnvelope(
            commandID: UUID(),
            fingerprint: [],
            mayRepeat: false,
            deadline: systemClock() + 20_000_000,
            metadata: EventMetadata(principal: ana.texto),
            actor: Ator(usuario: ana, papel: role)
        )
    }

    private func signUp(_ executor: CommandExecutor) async throws {
        let key = try #require(ChaveDeEmail(String(repeating: "a", count: 64)))
        let account = UsuarioCadastrado(
            usuario: Self.ana, nome: Selado("n"), email: Selado("e"), chaveDoEmail: key, senha: Selado("s"), papel: .admin,
            origem: .linhaDeComando, em: Self.time
        )
        _ = try await executor.execute(.sample()) { _ in [EventosDoFluxo(.usuario(Self.ana), [.usuarios(.usuarioCadastrado(account))])] }
    }

    @Test(arguments: Papel.allCases)
    func `who may act does, whatever the decision loads`(_ role: Papel) async throws {
        try await TestWorld.run { world in
            try await world.startRecorder()
            let executor = world.executor(try await world.startClient())
            try await signUp(executor)
            let loaded = try await executor.execute(Self.command(of: role)) { try await Seats.book(1, in: .room, $0) }
            let unloaded = try await executor.execute(Self.command(of: role)) { _ in [EventosDoFluxo(.other, [Seats.booking(2)])] }
            #expect(loaded.events + unloaded.events == [Seats.booking(1), Seats.booking(2)])
        }
    }

    @Test(arguments: Blow.allCases)
    func `after the event nothing is decided in their name, though it loads nothing or asks somebody else first`(_ blow: Blow) async throws
    {
        try await TestWorld.run { world in
            // given
            try await world.startRecorder()
            let executor = world.executor(try await world.startClient())
            try await signUp(executor)
            _ = try await executor.execute(.sample()) { loader in
                _ = try await loader.load(.usuario(Self.ana))
                return [EventosDoFluxo(.usuario(Self.ana), [blow.event])]
            }
            // when, then
            await #expect(throws: blow.refusal) {
                try await executor.execute(Self.command()) { loader in
                    let decided = try await Seats.book(1, in: .room, loader)
                    Issue.record("it was decided")
                    return decided
                }
            }
            await #expect(throws: blow.refusal) {
                try await executor.execute(Self.command()) { _ in [EventosDoFluxo(.other, [Seats.booking(2)])] }
            }
            await #expect(throws: blow.refusal) { try await executor.requireActor(of: Self.command()) }
            #expect(try await world.expectSoundLog().count == 2)
        }
    }

    @Test(arguments: Blow.allCases)
    func `what happens to them between decision and append comes first`(_ blow: Blow) async throws {
        try await TestWorld.run { world in
            // given
            try await world.startRecorder()
            let executor = world.executor(try await world.startClient())
            try await signUp(executor)
            // when
            await #expect(throws: blow.refusal) {
                try await executor.execute(Self.command()) { loader in
                    let decided = try await Seats.book(1, in: .room, loader)
                    _ = try await executor.execute(.sample()) { loader in
                        _ = try await loader.load(.usuario(Self.ana))
                        return [EventosDoFluxo(.usuario(Self.ana), [blow.event])]
                    }
                    return decided
                }
            }
            // then
            #expect(try await world.expectSoundLog().map(\.stream) == Array(repeating: NomeDeFluxo.usuario(Self.ana).texto, count: 2))
        }
    }
}

import Domain
import FoundationEssentials
import Postgres
import Testing

@testable import EventStore

@Suite struct WebhookOutboxTests {
    /// A log with one webhook, the outbox that follows it, and what it wrote down.
    private struct Scene {
        let world: TestWorld
        let decoded = DecodedEvents()
        let desk: DeadLetterDesk

        init(_ world: TestWorld) {
            self.world = world
            desk = DeadLetterDesk(policies: world.pool(.service), readModels: world.pool(.projector))
        }

        static let registered = EventoDoDominio.notificacoes(
            .webhookCadastrado(
                WebhookCadastrado(
                    webhook: WebhookID(alto: 0, baixo: 7), endereco: "https://example.com/",
                    tipos: ["reservas.*"].compactMap { FiltroDeEventos($0) }, segredo: Selado("s"),
                    por: UsuarioID(alto: 0, baixo: 1), em: Instante(microssegundos: someTime)
                )
            )
        )

        /// Position 2 registers the webhook; 1, 3 and 4 are what it wants to be told of.
        func record(isReadable: Bool = true) async throws {
            let coded = try CodecDeEventos.padrao.codificar(Self.registered)
            let registration = NewEvent(
                id: UUID(), type: coded.tipo, schemaVersion: Int16(coded.versaoDoEsquema),
                payload: isReadable ? coded.carga : Array("{}".utf8), metadata: Array("{}".utf8)
            )
            let request = AppendRequest(
                commandID: UUID(), fingerprint: [], deadline: .max,
                streams: [StreamAppend(stream: "webhook-7", expected: .none, events: [registration])]
            )
            try await world.record([.sample(["a": 0]), request, .sample(["a": 1]), .sample(["b": 0])])
        }

        func outbox() -> WebhookOutbox { WebhookOutbox(decoded: decoded, pool: world.pool(.service)) {} }

        /// Applies all that there is after the checkpoint.
        func catchUp(_ outbox: WebhookOutbox) async throws {
            let position = try #require(try await outbox.acquire())
            let page = try await world.reader.page(after: position, contexts: nil)
            if page.end > position { try await outbox.apply(page.events, after: position, through: page.end) }
        }

        var told: [Int64] {
            get async throws {
                try await world.admin.run { connection in
                    try connection.query("select position from subs.webhook_deliveries order by 1").map { try $0.get(0, Int64.self) }
                }
            }
        }
    }

    private func with(_ test: (Scene) async throws -> Void) async throws {
        try await TestWorld.run(broker: false) { try await test(Scene($0)) }
    }

    @Test func `a webhook is told of what it wants, from its registration on`() async throws {
        try await with { scene in
            let outbox = scene.outbox()
            try await scene.catchUp(outbox)
            try await scene.record()
            try await scene.catchUp(outbox)
            #expect(try await scene.told == [3, 4])
        }
    }

    @Test(arguments: [false, true])
    func `nothing that was recorded before an import is told again, and what comes later is`(_ hasRun: Bool) async throws {
        // given a log that was exported
        let file = Shared<[UInt8]>([])
        try await with { scene in
            try await scene.record()
            _ = try await LogExport(reader: scene.world.reader).run { bytes in file.withLock { $0 += bytes } }
        }
        try await with { scene in
            // and perhaps a database where the outbox has run on the empty log
            if hasRun {
                let first = scene.outbox()
                try await scene.catchUp(first)
                try await first.release()
            }
            // when
            let rest = Shared(file.value)
            _ = try await LogImport(database: scene.world.database, logger: quiet).run {
                rest.withLock { rest in
                    defer { rest = [] }
                    return rest
                }
            }
            try await scene.world.record([.sample(["b": 1])])
            let outbox = scene.outbox()
            try await scene.catchUp(outbox)
            // then, though nobody ran when it was recorded
            #expect(try await scene.told == [5])
            #expect(try await scene.world.number("select count(*) from subs.webhooks where active") == 1)
        }
    }

    @Test func `nothing is told again where the log was restored without what the policies had kept`() async throws {
        try await with { scene in
            // given
            try await scene.record()
            let outbox = scene.outbox()
            // when
            try await scene.catchUp(outbox)
            // then
            #expect(try await scene.told.isEmpty)
            try await scene.world.record([.sample(["b": 1])])
            try await scene.catchUp(outbox)
            #expect(try await scene.told == [5])
        }
    }

    @Test func `at an event of a webhook that cannot be applied it halts, where an operator sees it`() async throws {
        try await with { scene in
            // given
            let outbox = scene.outbox()
            try await scene.catchUp(outbox)
            try await scene.record(isReadable: false)
            // when
            let halt = await #expect(throws: SubscriptionHalted.self) { try await scene.catchUp(outbox) }
            // then
            #expect(halt?.position == Position(2))
            #expect(try await RecordingTarget.position(scene.world, outbox.name) == 1)
            let letter = try #require(try await scene.desk.letters().first)
            #expect(letter.kind == .policies && letter.subscription == outbox.name && letter.position == Position(2))
            #expect(letter.error?.hasPrefix("invalid payload of notificacoes.WebhookCadastrado") == true && letter.attempts == 1)
            #expect(try await !outbox.isReleased(from: try #require(halt)))
            // when it is skipped
            try await scene.desk.skip(outbox.name, at: Position(2), by: "me", because: "damaged")
            // then it goes on
            #expect(try await outbox.isReleased(from: try #require(halt)))
            try await scene.catchUp(outbox)
            #expect(try await RecordingTarget.position(scene.world, outbox.name) == 4)
            #expect(try await scene.world.number("select count(*) from subs.webhooks") == 0)
            // and is not promised what it cannot do
            await #expect(throws: DeadLetterDesk.Problem.skippedForGood(subscription: outbox.name)) {
                try await scene.desk.unskip(outbox.name, at: Position(2), by: "me", because: "it can be read now")
            }
        }
    }

    @Test func `an event that can be applied after all is nobody's dead letter any more`() async throws {
        try await with { scene in
            // given
            let outbox = scene.outbox()
            try await scene.catchUp(outbox)
            try await scene.record(isReadable: false)
            let halt = await #expect(throws: SubscriptionHalted.self) { try await scene.catchUp(outbox) }
            // when the program has learnt to read it, and somebody asks
            let event = try #require(try await scene.world.reader.events(from: Position(2), through: Position(2)).first)
            scene.decoded.remember(Scene.registered, as: event.id)
            #expect(try await scene.desk.retry(outbox.name) == 1)
            #expect(try await outbox.isReleased(from: try #require(halt)))
            try await scene.catchUp(outbox)
            // then
            #expect(try await scene.told == [3, 4])
            #expect(try await scene.desk.letters().isEmpty)
        }
    }
}

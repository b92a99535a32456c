import Domain
import Postgres
import Testing

@testable import EventStore

/// What a policy asks for of a log that was worked on in another database.
@Suite struct BeginningTests {
    /// Asks for the same to be recorded, and somebody outside to be asked: at once, and in ten years.
    private struct Questions: Policy {
        let name = "questions"
        let contexts: Set<String> = ["reservas"]

        func react(to event: EventoDoDominio) -> [ScheduledCommand] {
            guard case .reservas(.reservaConcluida(let done)) = event else { return [] }
            let time = done.em.microssegundos
            return [
                ScheduledCommand(kind: "record", aggregate: done.reserva.texto, due: time),
                ScheduledCommand(kind: "ask", aggregate: done.reserva.texto, due: time, leavesNoTrace: true),
                ScheduledCommand(
                    kind: "ask later", aggregate: done.reserva.texto, due: time + 3650 * 86_400_000_000, leavesNoTrace: true
                ),
            ]
        }
    }

    private func record(_ number: UInt64, in world: TestWorld) async throws {
        let coded = try CodecDeEventos.padrao.codificar(Seats.booking(number))
        var request = AppendRequest.sample(["s\(number)": 0])
        request.streams[0].events[0] = .sample(coded.tipo, payload: String(decoding: coded.carga, as: UTF8.self))
        try await world.record([request])
    }

    private func catchUp(_ world: TestWorld, _ target: PolicyTarget) async throws {
        let position = try #require(try await target.acquire())
        let page = try await world.reader.page(after: position, contexts: nil)
        if page.end > position { try await target.apply(page.events, after: position, through: page.end) }
    }

    private func asked(_ number: UInt64, _ world: TestWorld) async throws -> [String] {
        let aggregate = ReservaID(alto: 0, baixo: number).texto
        return try await world.admin.run { connection in
            try connection.query("select kind from subs.timers where aggregate = $1 order by 1", aggregate)
                .map { try $0.get(0, String.self) }
        }
    }

    private func target(_ world: TestWorld) -> PolicyTarget {
        let timers = TimerRunner(pool: world.pool(.service), handlers: [:], clock: { 0 }, logger: quiet)
        return PolicyTarget(Questions(), pool: world.pool(.service), timers: timers)
    }

    @Test func `what leaves no trace is not asked again for what lies long before the beginning`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given a log, and policies that never ran here
            try await record(1, in: world)
            let target = target(world)
            // when
            try await catchUp(world, target)
            try await record(2, in: world)
            try await catchUp(world, target)
            // then
            #expect(try await asked(1, world) == ["ask later", "record"])
            #expect(try await asked(2, world) == ["ask", "ask later", "record"])
        }
    }

    @Test func `the first policy to run says where all begin, a later one does not`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given a policy that has run since the first event
            let other = Checkpoint(table: .policies, name: "other", replica: .dns, lease: .seconds(5))
            _ = try await world.pool(.service).withConnection { try other.acquire($0) }
            try await record(1, in: world)
            // when another one is new
            try await catchUp(world, target(world))
            // then
            #expect(try await asked(1, world) == ["ask", "ask later", "record"])
        }
    }
}

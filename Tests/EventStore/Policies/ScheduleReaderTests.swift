import Domain
import Postgres
import Testing

@testable import EventStore

@Suite struct ScheduleReaderTests {
    /// Concerns a person with each event, which is named after them.
    private struct Visits: Policy {
        let name = "visits"
        let contexts: Set<String> = ["reservas"]

        func react(to event: EventoDoDominio) -> [ScheduledCommand] {
            guard case .reservas(.reservaConcluida(let done)) = event else { return [] }
            return [ScheduledCommand(kind: "visit", aggregate: done.reserva.texto, due: 5, subject: "ana")]
        }
    }

    private let schedule = ScheduleReader.Schedule(policy: "visits", kind: "visit", eventTypes: [ReservaConcluida.tipo])

    @Test func `what is scheduled for a person is found, and what the policy has not come to yet`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given an event that the policy has considered, and two that it has not
            try await world.record([.sample(["a": 0]), .sample(["b": 0]), .sample(["c": 0], type: "reservas.ReservaExpirada")])
            let pool = world.pool(.service)
            let timers = TimerRunner(pool: pool, handlers: [:], clock: { 0 }, logger: quiet)
            let target = PolicyTarget(Visits(), pool: pool, timers: timers)
            _ = try await target.acquire()
            let coded = try CodecDeEventos.padrao.codificar(Seats.booking(1))
            let event = RecordedEvent.sample(1, type: coded.tipo, payload: String(decoding: coded.carga, as: UTF8.self))
            try await target.apply([event], after: .start, through: Position(1))
            try await world.admin.executeScript(
                "insert into subs.timers (command_id, kind, aggregate, due, cause, subject) "
                    + "values (gen_random_uuid(), 'visit', 'x', now(), gen_random_uuid(), 'bia'), "
                    + "(gen_random_uuid(), 'other', 'y', now(), gen_random_uuid(), 'ana'), "
                    + "(gen_random_uuid(), 'visit', 'z', now(), gen_random_uuid(), null)"
            )
            // then
            let found = try await ScheduleReader(pool: pool).find(schedule, for: "ana")
            #expect(found.aggregates == [ReservaID(alto: 0, baixo: 1).texto])
            #expect(found.unseen == ["b"])
            #expect(try await ScheduleReader(pool: pool).find(schedule, for: "rui").aggregates.isEmpty)
        }
    }

    @Test func `what the policy has parked or skipped is found too, whoever it concerns`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given an event that no program can read, and one of another type behind it
            try await world.record([.sample(["a": 0]), .sample(["b": 0]), .sample(["b": 1], type: "reservas.ReservaExpirada")])
            let pool = world.pool(.service)
            let target = PolicyTarget(Visits(), pool: pool, timers: TimerRunner(pool: pool, handlers: [:], clock: { 0 }, logger: quiet))
            _ = try await target.acquire()
            try await target.apply(
                try await world.reader.events(from: Position(1), through: Position(3)), after: .start, through: Position(3))
            // then
            let reader = ScheduleReader(pool: pool)
            #expect(try await reader.find(schedule, for: "ana").unseen == ["a", "b"])
            // when an operator has one skipped, what it would have asked for is still not scheduled
            try await DeadLetterDesk(policies: pool, readModels: world.pool(.projector))
                .skip("visits", at: Position(1), by: "me", because: "damaged")
            #expect(try await reader.find(schedule, for: "ana").unseen == ["a", "b"])
        }
    }

    @Test func `a policy that never ran has seen nothing, and one too far behind cannot be asked`() async throws {
        try await TestWorld.run(broker: false) { world in
            try await world.record([.sample(["a": 0], events: 1000)])
            let reader = ScheduleReader(pool: world.pool(.service))
            #expect(try await reader.find(schedule, for: "ana").unseen.count == 1000)
            try await world.record([.sample(["b": 0])])
            await #expect(throws: ScheduleReader.TooFarBehind.self) { try await reader.find(schedule, for: "ana") }
        }
    }
}

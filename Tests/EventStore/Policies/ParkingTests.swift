import Domain
import FoundationEssentials
import Logging
import Postgres
import TestSupport
import Testing

@testable import EventStore

/// What a policy does with an event that it cannot apply.
@Suite struct ParkingTests {
    /// Asks for one command for each booking; for booking 13 (hexadecimal d) with a text that no database takes.
    private struct Reminders: Policy {
        let name = "reminders"
        let contexts: Set<String> = ["reservas"]

        func react(to event: EventoDoDominio) -> [ScheduledCommand] {
            guard case .reservas(.reservaConcluida(let done)) = event else { return [] }
            let aggregate = done.reserva.texto.hasSuffix("00d") ? "\0" : done.reserva.texto
            return [ScheduledCommand(kind: "remind", aggregate: aggregate, due: done.em.microssegundos)]
        }
    }

    /// A log of bookings and the policy that follows it.
    private struct Scene {
        let world: TestWorld
        let decoded = DecodedEvents()
        let desk: DeadLetterDesk
        private let versions = Shared<[String: Int32]>([:])

        init(_ world: TestWorld) {
            self.world = world
            desk = DeadLetterDesk(policies: world.pool(.service), readModels: world.pool(.projector))
        }

        /// Records a booking's end in a stream; one that is poison has a payload that no program can read.
        @discardableResult
        func record(_ stream: String, booking: UInt64, poison: Bool = false) async throws -> RecordedEvent {
            let coded = try CodecDeEventos.padrao.codificar(Seats.booking(booking))
            let version = versions.withLock { versions in
                defer { versions[stream, default: 0] += 1 }
                return versions[stream, default: 0]
            }
            let event = NewEvent(
                id: UUID(), type: coded.tipo, schemaVersion: 1, payload: poison ? Array("{}".utf8) : coded.carga,
                metadata: Array("{}".utf8)
            )
            let request = AppendRequest(
                commandID: UUID(), fingerprint: [], deadline: .max,
                streams: [StreamAppend(stream: stream, expected: StreamVersion(version), events: [event])]
            )
            return try #require(try await world.record([request]).events.first)
        }

        /// The program has learnt to read an event.
        func heal(_ event: RecordedEvent, booking: UInt64) {
            decoded.remember(Seats.booking(booking), as: event.id)
        }

        func target(maximumParked: Int = 100) -> PolicyTarget {
            let timers = TimerRunner(pool: world.pool(.service), handlers: [:], clock: { someTime }, logger: quiet)
            return PolicyTarget(
                Reminders(), decoded: decoded, pool: world.pool(.service), timers: timers, maximumParked: maximumParked
            )
        }

        /// The positions of the events for which something was asked, in order.
        var asked: [Int64] {
            get async throws {
                try await world.admin.run { connection in
                    try connection.query("select position from log.events join subs.timers on cause = event_id order by 1").map {
                        try $0.get(0, Int64.self)
                    }
                }
            }
        }

        var waiting: [Int64] {
            get async throws {
                try await world.admin.run { connection in
                    try connection.query("select position from subs.dead_letters where skipped_at is null order by 1").map {
                        try $0.get(0, Int64.self)
                    }
                }
            }
        }
    }

    private func with(_ test: (Scene) async throws -> Void) async throws {
        try await TestWorld.run(broker: false) { try await test(Scene($0)) }
    }

    @Test func `the stream of a poison event is parked, the other streams go on`() async throws {
        try await with { scene in
            // given
            var events = [try await scene.record("s", booking: 1), try await scene.record("s", booking: 2, poison: true)]
            events += [try await scene.record("s", booking: 3), try await scene.record("t", booking: 4)]
            let target = scene.target()
            #expect(try await target.acquire() == .start)
            // when
            try await target.apply(events, after: .start, through: Position(4))
            // then
            #expect(try await RecordingTarget.position(scene.world, "reminders") == 4)
            #expect(try await scene.asked == [1, 4])
            #expect(try await scene.waiting == [2, 3])
            // when more comes
            let more = [try await scene.record("t", booking: 5), try await scene.record("s", booking: 6)]
            try await target.apply(more, after: Position(4), through: Position(6))
            // then
            #expect(try await scene.asked == [1, 4, 5])
            let letter = try #require(try await scene.desk.letters(of: "reminders").first)
            #expect(letter.kind == .policies && letter.position == Position(2) && letter.stream == "s" && letter.waitingBehind == 2)
            #expect(letter.error == "invalid payload of reservas.ReservaConcluida v1 at 'reserva'" && letter.attempts == 1)
            #expect(try await scene.desk.letters().count == 1)
            #expect(try await scene.desk.letters(at: Position(3)).map(\.error) == [nil])
        }
    }

    @Test func `a retry works the stream off in order, up to the next event that cannot be applied`() async throws {
        try await with { scene in
            // given 2 and 4 poison
            let events = [
                try await scene.record("s", booking: 1), try await scene.record("s", booking: 2, poison: true),
                try await scene.record("s", booking: 3), try await scene.record("s", booking: 4, poison: true),
                try await scene.record("s", booking: 5),
            ]
            let target = scene.target()
            _ = try await target.acquire()
            try await target.apply(events, after: .start, through: Position(5))
            // when it is retried and nothing has changed
            #expect(try await scene.desk.retry("reminders", at: Position(2)) == 4)
            _ = try await target.acquire()
            // then
            #expect(try await scene.waiting == [2, 3, 4, 5])
            #expect(try await scene.desk.letters().map(\.attempts) == [2])
            #expect(try await scene.desk.letters().map(\.isRetryAsked) == [false])
            // when the program can read 2, and nobody asks, nothing happens
            scene.heal(events[1], booking: 2)
            _ = try await target.acquire()
            #expect(try await scene.waiting == [2, 3, 4, 5])
            // when somebody asks
            try await scene.desk.retry("reminders")
            _ = try await target.acquire()
            // then
            #expect(try await scene.asked == [1, 2, 3])
            #expect(try await scene.waiting == [4, 5])
            #expect(try await scene.desk.letters().map(\.position) == [Position(4)])
            // when 4 is skipped
            try await scene.desk.skip("reminders", at: Position(4), by: "ana", because: "nobody waits for it")
            _ = try await target.acquire()
            // then
            #expect(try await scene.asked == [1, 2, 3, 5])
            #expect(try await scene.waiting.isEmpty)
            #expect(try await scene.desk.letters().map(\.skip?.by) == ["ana"])
            // and the stream lives again
            try await target.apply([try await scene.record("s", booking: 6)], after: Position(5), through: Position(6))
            #expect(try await scene.asked == [1, 2, 3, 5, 6])
        }
    }

    @Test func `what comes between a skip and the next look does not wait for ever`() async throws {
        try await with { scene in
            // given
            let poison = try await scene.record("s", booking: 1, poison: true)
            let target = scene.target()
            _ = try await target.acquire()
            try await target.apply([poison], after: .start, through: Position(1))
            // when the poison is skipped, and the stream goes on before the policy has looked
            try await scene.desk.skip("reminders", at: Position(1), by: "ana", because: "no")
            try await target.apply([try await scene.record("s", booking: 2)], after: Position(1), through: Position(2))
            #expect(try await scene.waiting == [2])
            _ = try await target.acquire()
            // then
            #expect(try await scene.asked == [2])
        }
    }

    @Test func `a process that starts tries all that is parked`() async throws {
        try await with { scene in
            // given
            let poison = try await scene.record("s", booking: 1, poison: true)
            let first = scene.target()
            _ = try await first.acquire()
            try await first.apply([poison], after: .start, through: Position(1))
            try await first.release()
            // when a program starts that can read it
            scene.heal(poison, booking: 1)
            #expect(try await scene.target().acquire() == Position(1))
            // then
            #expect(try await scene.asked == [1])
            #expect(try await scene.waiting.isEmpty)
        }
    }

    @Test func `whoever lost the lease works nothing off and parks nothing`() async throws {
        try await with { scene in
            // given
            let poison = try await scene.record("s", booking: 1, poison: true)
            let (first, second) = (scene.target(), scene.target())
            _ = try await first.acquire()
            try await first.apply([poison], after: .start, through: Position(1))
            try await scene.world.admin.executeScript("update subs.checkpoints set lease_until = now() - interval '1 s'")
            #expect(try await second.acquire() == Position(1))
            // when
            let more = try await scene.record("t", booking: 2, poison: true)
            await #expect(throws: CheckpointMoved.self) { try await first.apply([more], after: Position(1), through: Position(2)) }
            // then
            #expect(try await scene.waiting == [1])
            #expect(try await first.acquire() == nil)
        }
    }

    @Test func `past its bound it halts rather than park more, and goes on when there is room`() async throws {
        try await with { scene in
            // given room for two
            let events = [
                try await scene.record("s", booking: 1, poison: true), try await scene.record("s", booking: 2),
                try await scene.record("s", booking: 3),
            ]
            let target = scene.target(maximumParked: 2)
            _ = try await target.acquire()
            try await target.apply(Array(events[..<2]), after: .start, through: Position(2))
            // when
            let halt = await #expect(throws: SubscriptionHalted.self) {
                try await target.apply([events[2]], after: Position(2), through: Position(3))
            }
            // then
            #expect(halt?.position == Position(3))
            #expect(try await RecordingTarget.position(scene.world, "reminders") == 2)
            #expect(try await target.isReleased(from: try #require(halt)) == false)
            // when
            try await scene.desk.skip("reminders", at: Position(1), by: "ana", because: "no")
            _ = try await target.acquire()
            // then
            #expect(try await target.isReleased(from: try #require(halt)))
            try await target.apply([events[2]], after: Position(2), through: Position(3))
            #expect(try await scene.asked == [2, 3])
        }
    }

    @Test(arguments: [1, 3, 6] as [UInt64])
    func `an event whose command cannot be written down is found in a batch, and when its stream is worked off`(
        _ place: UInt64
    ) async throws {
        try await with { scene in
            // given six events of six streams, one of which asks for the impossible
            var events: [RecordedEvent] = []
            for index in 1...6 as ClosedRange<UInt64> {
                events.append(try await scene.record("s\(index)", booking: index == place ? 13 : index + 20))
            }
            let target = scene.target()
            _ = try await target.acquire()
            // when
            try await target.apply(events, after: .start, through: Position(6))
            // then
            #expect(try await RecordingTarget.position(scene.world, "reminders") == 6)
            #expect(try await scene.waiting == [Int64(place)])
            #expect(try await scene.asked == (1...6).filter { $0 != Int64(place) })
            // and again when it is retried, with a good one behind it
            try await target.apply([try await scene.record("s\(place)", booking: 40)], after: Position(6), through: Position(7))
            try await scene.desk.retry("reminders")
            _ = try await target.acquire()
            #expect(try await scene.desk.letters().map(\.attempts) == [2])
            #expect(try await scene.waiting == [Int64(place), 7])
        }
    }

    @Test(arguments: [false, true])
    func `a skip that is taken back has the event handled late, also under load`(_ isIdle: Bool) async throws {
        try await with { scene in
            // given an event that was skipped, and the stream went on
            let poison = try await scene.record("s", booking: 1, poison: true)
            let target = scene.target()
            _ = try await target.acquire()
            try await target.apply([poison], after: .start, through: Position(1))
            try await scene.desk.skip("reminders", at: Position(1), by: "ana", because: "no")
            _ = try await target.acquire()
            try await target.apply([try await scene.record("s", booking: 2)], after: Position(1), through: Position(2))
            #expect(try await scene.asked == [2])
            await #expect(throws: DeadLetterDesk.Problem.notSetAside(subscription: "reminders", position: Position(2))) {
                try await scene.desk.unskip("reminders", at: Position(2), by: "ana", because: "no")
            }
            // when
            scene.heal(poison, booking: 1)
            #expect(try await scene.desk.unskip("reminders", at: Position(1), by: "rui", because: "it can be read now") == .policies)
            // then
            var position = Position(2)
            try await eventually("the event is handled") {
                if isIdle {
                    _ = try await target.acquire()
                } else {
                    try await target.apply([], after: position, through: position.next)
                    position = position.next
                }
                return try await scene.asked == [1, 2]
            }
            #expect(try await scene.desk.letters().isEmpty)
            #expect(try await scene.desk.decisions(about: Position(1)).map(\.kind) == [.skip, .unskip])
            #expect(try await scene.desk.decisions(about: Position(1)).map(\.by) == ["ana", "rui"])
        }
    }

    @Test func `a skip that is taken back too early parks the stream again, and may be made again`() async throws {
        try await with { scene in
            // given
            let poison = try await scene.record("s", booking: 1, poison: true)
            let target = scene.target()
            _ = try await target.acquire()
            try await target.apply([poison], after: .start, through: Position(1))
            try await scene.desk.skip("reminders", at: Position(1), by: "ana", because: "no")
            // when nothing has changed
            try await scene.desk.unskip("reminders", at: Position(1), by: "ana", because: "perhaps")
            _ = try await target.acquire()
            try await target.apply([try await scene.record("s", booking: 2)], after: Position(1), through: Position(2))
            // then
            #expect(try await scene.waiting == [1, 2])
            await #expect(throws: DeadLetterDesk.Problem.notSkipped(subscription: "reminders", position: Position(1))) {
                try await scene.desk.unskip("reminders", at: Position(1), by: "ana", because: "perhaps")
            }
            try await scene.desk.skip("reminders", at: Position(1), by: "ana", because: "no, really")
            _ = try await target.acquire()
            #expect(try await scene.asked == [2])
        }
    }

    @Test func `under load too, what is asked for is done`() async throws {
        try await with { scene in
            // given a policy that is never idle, so that only announcements wake it
            let poison = try await scene.record("s", booking: 1, poison: true)
            let target = scene.target()
            _ = try await target.acquire()
            try await target.apply([poison], after: .start, through: Position(1))
            scene.heal(poison, booking: 1)
            try await scene.desk.retry("reminders")
            // when
            var position = Position(1)
            try await eventually("the parked event is applied") {
                try await target.apply([], after: position, through: position.next)
                position = position.next
                return try await scene.asked == [1]
            }
        }
    }
}

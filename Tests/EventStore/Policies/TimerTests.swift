import Domain
import FoundationEssentials
import Postgres
import TestSupport
import Testing

@testable import EventStore

@Suite struct TimerTests {
    /// Asks for something a second after each booking.
    private struct Reminders: Policy {
        let name = "reminders"
        let contexts: Set<String> = ["reservas"]

        func react(to event: EventoDoDominio) -> [ScheduledCommand] {
            guard case .reservas(.reservaConcluida(let done)) = event else { return [] }
            return [ScheduledCommand(kind: "remind", aggregate: done.reserva.texto, due: done.em.microssegundos + 1_000_000)]
        }
    }

    private func insert(_ commands: [ScheduledCommand], in world: TestWorld) async throws {
        try await world.admin.run { connection in
            for command in commands {
                try connection.execute(
                    "insert into subs.timers (command_id, kind, aggregate, due, cause) values ($1, $2, $3, $4, $1)",
                    command.commandID,
                    command.kind,
                    command.aggregate,
                    PostgresTimestamp(microsecondsSinceEpoch: command.due)
                )
            }
        }
    }

    private func runner(
        _ world: TestWorld,
        clock: @escaping @Sendable () -> Int64 = { someTime },
        kind: String = "remind",
        handler: @escaping TimerRunner.Handler
    ) -> TimerRunner {
        TimerRunner(pool: world.pool(.service), handlers: [kind: handler], clock: clock, logger: quiet)
    }

    private func left(_ world: TestWorld) async throws -> Int64 {
        try await world.number("select count(*) from subs.timers")
    }

    private func event(_ position: Int64, booking: UInt64) throws -> RecordedEvent {
        let coded = try CodecDeEventos.padrao.codificar(Seats.booking(booking))
        return .sample(position, type: coded.tipo, payload: String(decoding: coded.carga, as: UTF8.self))
    }

    @Test func `the command of a timer has the same id however often it is asked for`() {
        let command = ScheduledCommand(kind: "remind", aggregate: "b", due: 7)
        #expect(command.commandID == ScheduledCommand(kind: "remind", aggregate: "b", due: 7).commandID)
        let others = [("remind", "b", 8), ("remind", "c", 7), ("expire", "b", 7)] as [(String, String, Int64)]
        for (kind, aggregate, due) in others {
            #expect(command.commandID != ScheduledCommand(kind: kind, aggregate: aggregate, due: due).commandID)
        }
        #expect(command.commandID.bytes[6] >> 4 == 5)
    }

    @Test func `what a policy asks for is written with its checkpoint, both or neither`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            let timers = runner(world) { _ in }
            let target = PolicyTarget(Reminders(), pool: world.pool(.service), timers: timers)
            #expect(try await target.acquire() == .start)
            // when
            try await target.apply([try event(1, booking: 1), try event(2, booking: 2)], after: .start, through: Position(5))
            // then
            #expect(try await RecordingTarget.position(world, "reminders") == 5)
            #expect(try await left(world) == 2)
            #expect(
                try await world.number("select count(*) from subs.timers where due = '2026-02-16T09:36:08.890123Z' and kind = 'remind'")
                    == 2
            )
            // when it is applied from where the checkpoint is not
            let late = [try event(6, booking: 3)]
            await #expect(throws: CheckpointMoved.self) { try await target.apply(late, after: Position(4), through: Position(6)) }
            // then neither moved
            #expect(try await left(world) == 2)
            #expect(try await RecordingTarget.position(world, "reminders") == 5)
            // and an event that is applied again asks for nothing new
            try await target.apply([try event(1, booking: 1), try event(1, booking: 1)], after: Position(5), through: Position(6))
            #expect(try await left(world) == 2)
        }
    }

    @Test func `three hundred due timers and two runners: each is given once`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            try await insert((0..<300).map { .init(kind: "remind", aggregate: "\($0)", due: someTime - 300 + $0) }, in: world)
            let given = Shared<[String]>([])
            // when
            for _ in 0..<2 {
                world.start(runner(world) { timer in given.withLock { $0.append(timer.aggregate) } })
            }
            // then
            try await eventually("all are given") { try await left(world) == 0 }
            #expect(given.value.count == 300)
            #expect(Set(given.value).count == 300)
        }
    }

    @Test func `a timer is given when its time has come, and not before`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            let time = Shared(someTime)
            try await insert(
                [.init(kind: "remind", aggregate: "later", due: someTime + 1), .init(kind: "remind", aggregate: "now", due: someTime)],
                in: world)
            let given = Shared<[DueTimer]>([])
            let runner = runner(world, clock: { time.value }) { timer in given.withLock { $0.append(timer) } }
            world.start(runner)
            // when
            try await eventually("the one that is due is given") { try await left(world) == 1 }
            runner.ring()
            try await insert([.init(kind: "remind", aggregate: "due as well", due: 0)], in: world)
            try await eventually("another round has passed") { try await left(world) == 1 }
            // then
            #expect(given.value.map(\.aggregate) == ["now", "due as well"])
            #expect(given.value.first?.due == someTime)
            #expect(given.value.first?.attempts == 1)
            // when
            time.withLock { $0 += 1 }
            // then
            try await eventually("the other is given") { try await left(world) == 0 }
        }
    }

    @Test func `kinds that this process does not know are left for others`() async throws {
        try await TestWorld.run(broker: false) { world in
            try await insert([.init(kind: "foreign", aggregate: "x", due: 0), .init(kind: "remind", aggregate: "x", due: 0)], in: world)
            world.start(runner(world) { _ in })
            try await eventually("ours is given") { try await left(world) == 1 }
            #expect(try await world.number("select attempts from subs.timers where kind = 'foreign'") == 0)
        }
    }

    @Test func `a command that fails is recorded and tried again, later each time`() async throws {
        struct Broken: Error, CustomStringConvertible { let description = "broken: \0 \(String(repeating: "x", count: 1000))" }
        try await TestWorld.run(broker: false) { world in
            // given
            let time = Shared(someTime)
            let failures = Shared(3)
            try await insert([.init(kind: "remind", aggregate: "b", due: someTime)], in: world)
            let given = Shared(0)
            let runner = runner(world, clock: { time.value }) { _ in
                given.withLock { $0 += 1 }
                if failures.withLock({
                    $0 -= 1; return $0
                }) >= 0 {
                    throw Broken()
                }
            }
            world.start(runner)
            for attempt in 1...3 as ClosedRange<Int64> {
                // then it waits for 2, 4, 8 seconds
                let wait = Int64(1_000_000) << attempt
                try await eventually("failure \(attempt) is recorded") {
                    try await world.number(
                        """
                        select count(*) from subs.timers
                         where attempts = \(attempt) and last_error like 'broken: %'
                           and (extract(epoch from claimed_until) * 1000000)::bigint = \(time.value + wait)
                        """
                    ) == 1
                }
                // and not before that
                runner.ring()
                #expect(given.value == Int(attempt))
                // when
                time.withLock { $0 += wait + 1 }
            }
            try await eventually("it succeeds") { try await left(world) == 0 }
            #expect(given.value == 4)
        }
    }

    @Test func `a rule that says no is recorded in its own words`() async throws {
        try await TestWorld.run(broker: false) { world in
            try await insert([.init(kind: "remind", aggregate: "b", due: someTime)], in: world)
            world.start(runner(world, clock: { someTime }) { _ in throw RecusaDePagamentos.jaPago })
            try await eventually("the failure is recorded") {
                try await world.number(
                    "select count(*) from subs.timers where last_error = 'already_paid: This charge has already been paid.'"
                ) == 1
            }
        }
    }

    /// A command that has failed as often as it may, on a clock that is set, and what it still does.
    private struct Exhausted {
        let world: TestWorld
        let time = Shared(someTime)
        let given = Shared(0)
        let fails = Shared(true)
        let desk: DeadLetterDesk

        init(_ world: TestWorld) {
            self.world = world
            desk = DeadLetterDesk(policies: world.pool(.service), readModels: world.pool(.projector))
        }

        func attempts() async throws -> Int64 { try await world.number("select coalesce(max(attempts), 0) from subs.timers") }
    }

    private struct Broken: Error, CustomStringConvertible { let description = "broken" }

    private func runner(_ scene: Exhausted, failure: any Error = Broken()) -> TimerRunner {
        runner(scene.world, clock: { scene.time.value }) { _ in
            scene.given.withLock { $0 += 1 }
            if scene.fails.value { throw failure }
        }
    }

    /// Lets it fail so often, the clock going on each time.
    private func fail(_ times: Int32, _ scene: Exhausted) async throws {
        for attempt in 1...times {
            let until = scene.time.value + min(300, Int64(1) << Int64(attempt)) * 1_000_000
            try await eventually("failure \(attempt) is recorded") {
                try await scene.world.number(
                    """
                    select count(*) from subs.timers
                     where attempts = \(attempt) and (extract(epoch from claimed_until) * 1000000)::bigint = \(until)
                    """
                ) == 1
            }
            scene.time.withLock { $0 += 301_000_000 }
        }
    }

    @Test func `what fails too often is set aside where an operator sees it, and is given again when they ask`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            let scene = Exhausted(world)
            try await insert([.init(kind: "remind", aggregate: "b", due: someTime)], in: world)
            let runner = runner(scene)
            world.start(runner)
            // when
            try await fail(TimerRunner.mostFailures, scene)
            // then it is tried no more
            let command = try #require(try await scene.desk.commands().first)
            #expect(command.kind == "remind" && command.aggregate == "b" && command.due == someTime)
            #expect(command.failures == TimerRunner.mostFailures && command.lastError == "broken")
            try await insert([.init(kind: "remind", aggregate: "another", due: 0)], in: world)
            try await eventually("another is tried") { scene.given.value > Int(TimerRunner.mostFailures) }
            #expect(try await world.number("select attempts from subs.timers where aggregate = 'b'") == Int64(TimerRunner.mostFailures))
            #expect(
                try await OpenWorkReader(pool: world.pool(.service)).late(dueBy: someTime, limit: 9).commands.map(\.isSetAside)
                    == [false, true]
            )
            try await world.admin.executeScript("delete from subs.timers where aggregate = 'another'")
            // when somebody asks, and it fails again
            #expect(try await scene.desk.retryCommands("other") == 0)
            #expect(try await scene.desk.retryCommands("remind", of: "c") == 0)
            #expect(try await scene.desk.retryCommands("remind", of: "b") == 1)
            // then it waits 2 and 4 seconds again, and is not set aside
            try await fail(2, scene)
            #expect(try await scene.desk.commands().isEmpty)
            #expect(try await world.number("select failures from subs.timers") == 2)
            // when it succeeds
            scene.fails.withLock { $0 = false }
            // then
            try await eventually("it is given") { try await left(world) == 0 }
        }
    }

    @Test func `a process that begins tries what is set aside`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            let scene = Exhausted(world)
            scene.fails.withLock { $0 = false }
            try await insert([.init(kind: "remind", aggregate: "b", due: 0), .init(kind: "foreign", aggregate: "b", due: 0)], in: world)
            try await world.admin.executeScript("update subs.timers set set_aside_at = now(), failures = 20, last_error = 'broken'")
            // when
            world.start(runner(scene))
            // then what it can give is given, and the rest stays
            try await eventually("ours is given") { try await left(world) == 1 }
            #expect(try await scene.desk.commands().map(\.kind) == ["foreign"])
        }
    }

    @Test func `what fails when a process begins is set aside again at once`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given
            let scene = Exhausted(world)
            try await insert([.init(kind: "remind", aggregate: "b", due: 0)], in: world)
            try await world.admin.executeScript("update subs.timers set set_aside_at = now(), failures = 20, last_error = 'broken'")
            // when
            world.start(runner(scene))
            // then
            try await eventually("it is set aside again") { try await scene.desk.commands().map(\.failures) == [21] }
            #expect(scene.given.value == 1)
        }
    }

    @Test(
        arguments: [
            CommandError.unavailable, CommandError.outcomeUnknown, TimerPostponed("later"), ScheduleReader.TooFarBehind(policy: "visits"),
        ] as [any Error]
    )
    func `what is nobody's fault is tried without end`(_ failure: any Error) async throws {
        try await TestWorld.run(broker: false) { world in
            let scene = Exhausted(world)
            try await insert([.init(kind: "remind", aggregate: "b", due: someTime)], in: world)
            world.start(runner(scene, failure: failure))
            try await fail(TimerRunner.mostFailures + 1, scene)
            #expect(try await scene.desk.commands().isEmpty)
        }
    }

    @Test func `a failure holds up no other timer`() async throws {
        struct Broken: Error {}
        try await TestWorld.run(broker: false) { world in
            try await insert((0..<100).map { .init(kind: "remind", aggregate: "\($0)", due: someTime - 1000 + $0) }, in: world)
            world.start(runner(world) { timer in if timer.aggregate == "0" { throw Broken() } })
            try await eventually("the others are given") { try await left(world) == 1 }
        }
    }

    @Test func `what is postponed is no error and says why; what fails is one`() async throws {
        struct Broken: Error {}
        try await TestWorld.run(broker: false) { world in
            // given
            let lines = Shared<[String]>([])
            let aggregates = ["later", "behind", "broken"]
            try await insert(aggregates.map { .init(kind: "remind", aggregate: $0, due: someTime) }, in: world)
            // when
            world.start(
                TimerRunner(
                    pool: world.pool(.service),
                    handlers: [
                        "remind": { timer in
                            switch timer.aggregate {
                            case "later": throw TimerPostponed("nobody answers")
                            case "behind": throw ScheduleReader.TooFarBehind(policy: "visits")
                            default: throw Broken()
                            }
                        }
                    ],
                    clock: { someTime },
                    logger: RecordingLog.logger(into: lines)
                )
            )
            try await eventually("all were tried") {
                try await world.number("select count(*) from subs.timers where last_error is not null") == 3
            }
            // then
            #expect(lines.value.filter { $0.hasPrefix("error") } == ["error: a due command failed"])
            #expect(lines.value.count(where: { $0 == "info: a due command is postponed" }) == 2)
            for reason in ["nobody answers", "the policy visits is too far behind the log"] {
                #expect(try await world.number("select count(*) from subs.timers where last_error = '\(reason)'") == 1)
            }
        }
    }

    @Test func `a claim keeps others off until it lapses`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given a replica that has claimed and died
            let time = Shared(someTime)
            try await insert([.init(kind: "remind", aggregate: "b", due: 0)], in: world)
            try await world.admin.executeScript(
                "update subs.timers set attempts = 1, claimed_until = to_timestamp(\(someTime / 1_000_000)) + interval '30 s'"
            )
            let given = Shared<[Int32]>([])
            let runner = runner(world, clock: { time.value }) { timer in given.withLock { $0.append(timer.attempts) } }
            world.start(runner)
            try await insert([.init(kind: "remind", aggregate: "free", due: 0)], in: world)
            try await eventually("a free one is given") { try await left(world) == 1 }
            #expect(given.value == [1])
            // when
            time.withLock { $0 += 31_000_000 }
            // then
            try await eventually("the other is given") { try await left(world) == 0 }
            #expect(given.value == [1, 2])
        }
    }

    @Test func `stopped in the middle of a command, it frees the claim and counts no failure`() async throws {
        try await TestWorld.run(broker: false) { world in
            // given a command that takes for ever
            try await insert([.init(kind: "remind", aggregate: "b", due: 0)], in: world)
            let begun = Shared(false)
            let running = world.start(
                runner(world) { _ in
                    begun.withLock { $0 = true }
                    try await Task.sleep(for: .seconds(60))
                }
            )
            try await eventually("it is under way") { begun.value }
            // when
            let took = await duration(of: { await running.stop() })
            // then
            #expect(took < .seconds(1))
            #expect(
                try await world.number(
                    "select count(*) from subs.timers where claimed_until is null and attempts = 0 and last_error is null") == 1)
        }
    }

    @Test func `a replica that dies between acceptance and deletion: given again, no second effect`() async throws {
        try await TestWorld.run { world in
            // given
            try await world.startRecorder()
            let executor = world.executor(try await world.startClient())
            let command = ScheduledCommand(kind: "remind", aggregate: "b", due: 0)
            try await insert([command], in: world)
            @Sendable func give(_ id: UUID) async throws -> Execution {
                try await executor.execute(.sample(id, mayRepeat: true)) { loader in
                    _ = try await loader.load(.room)
                    return [EventosDoFluxo(.room, [Seats.booking(1)])]
                }
            }
            // when the command was accepted but its row is still there
            _ = try await give(command.commandID)
            let repeated = Shared<[Bool]>([])
            world.start(
                runner(world) { timer in
                    let execution = try await give(timer.commandID)
                    repeated.withLock { $0.append(execution.repeated) }
                }
            )
            // then
            try await eventually("the row is gone") { try await left(world) == 0 }
            #expect(repeated.value == [true])
            #expect(try await world.expectSoundLog().count == 1)
        }
    }

    @Test func `from event to command, through broker and policy`() async throws {
        try await TestWorld.run { world in
            // given
            try await world.startRecorder()
            let executor = world.executor(try await world.startClient())
            let given = Shared<[DueTimer]>([])
            let timers = runner(world, clock: systemClock) { timer in given.withLock { $0.append(timer) } }
            let queue = EventFeed.Queue(process: "policies", contexts: Reminders().contexts, broker: world.broker)
            let feed = EventFeed(
                connection: try await world.connect("policies", topology: queue.added(to: world.broker.topology)),
                queue: queue,
                logger: quiet
            )
            let target = PolicyTarget(Reminders(), pool: world.pool(.service), timers: timers)
            world.start(Subscription(target, feed: feed, reader: world.reader, logger: quiet))
            world.start(feed)
            world.start(timers)
            // when
            let execution = try await executor.execute(.sample()) { try await Seats.book(7, in: .room, $0) }
            // then
            try await eventually("the command is given") { given.value.count == 1 }
            let timer = try #require(given.value.first)
            #expect(timer.aggregate == ReservaID(alto: 0, baixo: 7).texto)
            #expect(timer.cause == (try await world.reader.events(from: execution.position, through: execution.position)[0].id))
            try await eventually("the row is gone") { try await left(world) == 0 }
        }
    }
}

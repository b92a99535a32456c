import ArgumentParser
import Crypto
import Domain
import EventStore
import Foundation
import Postgres
import UnixSignals

/// The log itself: looked into, copied out, made anew, vouched for.
struct LogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Look into the log, export it, import it, sign its head.",
        discussion: "Reads COWORKFLOW_POSTGRES_URL. Personal data is sealed in the log and stays so.",
        subcommands: [Tail.self, Show.self, Stream.self, Stats.self, Export.self, Import.self, SignHead.self]
    )

    /// Runs something that reads the log.
    static func reading(_ body: (LogReader) async throws -> Void) async throws {
        try await pooled { try await body(LogReader(pool: $0)) }
    }

    private static func pooled(_ body: (PostgresPool) async throws -> Void) async throws {
        try await failing {
            let config = try await Runner.configuration()
            let postgres = try Settings.postgres(config).taking(.service).with(applicationName: "coworkflow log")
            let pool = PostgresPool(postgres, maximumConnections: 2, logger: Runner.logger(config, production: false))
            do {
                try await body(pool)
            } catch {
                await pool.close()
                throw error
            }
            await pool.close()
        }
    }

    /// How events are written.
    struct Format: ParsableArguments {
        @Flag(help: "One JSON object a line, as 'log export' writes it.")
        var json = false

        func write(_ event: ChainedEvent) {
            StandardOutput.write(json ? event.line : EventText.brief(event))
        }
    }

    /// The last events, and those to come.
    struct Tail: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the last events, or all from a position on.")
        private static let window: Int64 = 500

        @Option(help: "The first position; without it, the last events are shown.")
        var from: Int64?

        @Option(name: [.customShort("n"), .long], help: "How many of the last events.")
        var count = 20

        @Option(help: "Only events of this context, such as reservas. May be repeated.")
        var context: [String] = []

        @Flag(help: "Go on with what is recorded, until interrupted.")
        var follow = false

        @OptionGroup var format: Format

        func validate() throws {
            if let from, from < 1 { throw ValidationError("positions begin at 1") }
            guard count >= 0 else { throw ValidationError("--count must not be negative") }
        }

        func run() async throws {
            try await LogCommand.reading { reader in
                var position = try await start(reader)
                position = try await show(after: position, reader)
                guard follow else { return }
                try await Self.untilInterrupted { [position] in
                    var position = position
                    while true {
                        try await Task.sleep(for: .milliseconds(200))
                        position = try await show(after: position, reader)
                    }
                }
            }
        }

        private func isWanted(_ event: ChainedEvent) -> Bool {
            context.isEmpty || context.contains(event.context)
        }

        /// The position after which to begin.
        private func start(_ reader: LogReader) async throws -> Position {
            if let from { return Position(from - 1) }
            var end = try await reader.head()
            var missing = count
            while missing > 0, end > .start {
                let start = Position(max(0, end.rawValue - Self.window))
                var wanted: [Position] = []
                var position = start
                while position < end {
                    let page = try await reader.chain(after: position, through: end)
                    wanted += page.events.filter(isWanted).map(\.event.position)
                    position = page.end
                }
                if wanted.count >= missing { return Position(wanted[wanted.count - missing].rawValue - 1) }
                missing -= wanted.count
                end = start
            }
            return end
        }

        /// - Returns: the head that it reached.
        private func show(after position: Position, _ reader: LogReader) async throws -> Position {
            let head = try await reader.head()
            var position = position
            while position < head {
                let end = Position(min(position.rawValue + Self.window, head.rawValue))
                let page = try await reader.chain(after: position, through: end)
                for event in page.events where isWanted(event) { format.write(event) }
                position = page.end
            }
            return position
        }

        private static func untilInterrupted(_ body: @escaping @Sendable () async throws -> Void) async throws {
            let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
            try await withThrowingTaskGroup { group in
                group.addTask(operation: body)
                group.addTask { for await _ in signals { return } }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
    }

    /// One event, with everything about it.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show everything about the event at a position.")

        @Argument(help: "The position.")
        var position: Int64

        @OptionGroup var format: Format

        func run() async throws {
            try await LogCommand.reading { reader in
                let position = Position(position)
                let before = Position(position.rawValue - 1)
                guard let event = try await reader.chain(after: before, through: position).events.first else {
                    throw ValidationError("there is no position \(position); the head is \(try await reader.head())")
                }
                guard !format.json else { return format.write(event) }
                let previous = before == .start ? EventHash.origin : try await reader.hash(at: before) ?? []
                StandardOutput.write(EventText.full(event, chained: EventHash.hash(after: previous, event.event) == event.hash))
            }
        }
    }

    /// A stream from its first event.
    struct Stream: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the events of a stream, such as reserva-ID, in order.")

        @Argument(help: "The stream's name.")
        var name: String

        @OptionGroup var format: Format

        func run() async throws {
            try await LogCommand.reading { reader in
                var version = StreamVersion.none
                while true {
                    let events = try await reader.chain(of: name, after: version)
                    for event in events { format.write(event) }
                    guard let last = events.last?.event.version else { break }
                    version = last
                }
                guard version > .none else { throw ValidationError("there is no stream \(name)") }
            }
        }
    }

    /// The log in numbers.
    struct Stats: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Count what the log holds.")

        @Flag(help: "As one JSON object.")
        var json = false

        func run() async throws {
            try await LogCommand.pooled { pool in
                let statistics = try await LogStatistics.read(pool)
                print(json ? try StatisticsText.json(statistics) : StatisticsText.table(statistics))
            }
        }
    }
}

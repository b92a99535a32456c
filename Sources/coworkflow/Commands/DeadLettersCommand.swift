import ArgumentParser
import Domain
import EventStore
import FoundationEssentials
import Logging
import Postgres

/// The events that could not be applied: seeing them and deciding about them.
struct DeadLettersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deadletters",
        abstract: "Show, retry or skip events that a read model or a policy could not apply, and retry commands that failed too often.",
        discussion: """
            A read model halts at such an event; a policy sets it aside with all later events of its stream. A command that was due \
            and failed twenty times is set aside too. What is decided here is done within about a second by the process that runs \
            the subscription or gives the commands.
            """,
        subcommands: [List.self, Show.self, Retry.self, Skip.self, Unskip.self]
    )

    /// What is set aside.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the events that could not be applied, those that were skipped, and the commands that failed too often."
        )

        @Argument(help: "A read model, a policy or a kind of command; without it, all.")
        var name: String?

        func run() async throws {
            try await withDesk { desk, _ in
                let commands = try await desk.commands(of: name)
                // The name of a kind of command is no subscription's.
                let letters = name != nil && !commands.isEmpty ? [] : try await desk.letters(of: name)
                guard !letters.isEmpty || !commands.isEmpty else { return print("There are none.") }
                for letter in letters { print(letter.line) }
                for command in commands { print(command.line) }
            }
        }
    }

    /// One event, everywhere it is set aside.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show an event and who could not apply it.",
            discussion: "The payload is shown as it is stored: personal data stays sealed."
        )

        @Argument(help: "The event's position in the log.")
        var position: Int64

        func run() async throws {
            try await withDesk { desk, reader in
                let letters = try await desk.letters(at: Position(position))
                guard let event = try await reader.events(from: Position(position), through: Position(position)).first else {
                    throw ValidationError("the log has no event \(position)")
                }
                print(event.lines.joined(separator: "\n"))
                if letters.isEmpty { print("\nNobody has set it aside.") }
                for letter in letters { print("\n" + letter.lines.joined(separator: "\n")) }
                let decisions = try await desk.decisions(about: Position(position))
                if !decisions.isEmpty { print("\n" + decisions.map(\.line).joined(separator: "\n")) }
            }
        }
    }

    /// Another try.
    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retry",
            abstract: "Have events or commands tried again.",
            discussion: """
                Of a policy, the whole stream of the event is worked off in order, as far as it can be applied. Commands are \
                given again, and may fail as often as at first before they are set aside again.
                """
        )

        @Argument(help: "The read model or policy, or the kind of command, as 'list' shows it.")
        var name: String

        @Argument(help: "The event's position; without it, all that the subscription has set aside.")
        var position: Int64?

        @Option(help: "Of a kind of command, only the one for this, as 'list' shows it.")
        var aggregate: String?

        func validate() throws {
            if position != nil, aggregate != nil { throw ValidationError("--aggregate goes with a kind of command, which has no position") }
        }

        func run() async throws {
            try await withDesk { desk, _ in
                if position == nil {
                    let commands = try await desk.retryCommands(name, of: aggregate)
                    let found = commands == 1 ? "One command" : "\(commands) commands"
                    if commands > 0 { return print("\(found) \(name) will be given again.") }
                    if let aggregate { throw ValidationError("no command \(name) for \(aggregate) is set aside") }
                }
                let count = try await desk.retry(name, at: position.map { Position($0) })
                print("Asked \(name) to try again; \(count == 1 ? "one event waits" : "\(count) events wait").")
            }
        }
    }

    /// What is decided about one event, by whom, and why.
    struct Decision: ParsableArguments {
        @Argument(help: "The read model or policy.")
        var name: String

        @Argument(help: "The event's position.")
        var position: Int64

        @Option(help: "Why.")
        var reason: String

        @Option(help: "Who decides; by default the name of the one who is logged in.")
        var by: String?

        func person() throws -> String {
            let environment = ProcessInfo.processInfo.environment
            guard let person = by ?? environment["SUDO_USER"] ?? environment["USER"] ?? environment["LOGNAME"] else {
                throw ValidationError("nobody is logged in by name: say who decides with --by")
            }
            return person
        }
    }

    /// Not to be applied.
    struct Skip: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "skip",
            abstract: "Decide that an event is not applied. That is recorded, and every replay obeys it."
        )

        @OptionGroup var decision: Decision

        func run() async throws {
            try await withDesk { desk, _ in
                let (name, position) = (decision.name, Position(decision.position))
                try await desk.skip(name, at: position, by: decision.person(), because: decision.reason)
                print("\(name) will not apply event \(position). 'coworkflow deadletters unskip' takes that back.")
            }
        }
    }

    /// To be applied after all.
    struct Unskip: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unskip",
            abstract: "Take a skip back: the event is applied after all.",
            discussion: """
                A policy handles the event again within about a second. A read model has passed it: build it anew with 'coworkflow \
                replay NAME', which applies the event in its place. Who took the skip back, and why, is kept.
                """
        )

        @OptionGroup var decision: Decision

        func run() async throws {
            try await withDesk { desk, _ in
                let (name, position) = (decision.name, Position(decision.position))
                switch try await desk.unskip(name, at: position, by: decision.person(), because: decision.reason) {
                case .policies: print("\(name) will apply event \(position) now.")
                case .readModels:
                    print("'coworkflow replay \(name)' will apply event \(position) in its place; until then the rows lack it.")
                }
            }
        }
    }

    /// Runs something that needs the database and nothing else.
    fileprivate static func withDesk(_ body: (DeadLetterDesk, LogReader) async throws -> Void) async throws {
        try await failing {
            let config = try await Runner.configuration()
            let postgres = try Settings.postgres(config).with(applicationName: "coworkflow deadletters")
            let logger = Runner.logger(config, production: false)
            let policies = PostgresPool(postgres.taking(.service), maximumConnections: 1, logger: logger)
            let readModels = PostgresPool(postgres.taking(.projector), maximumConnections: 1, logger: logger)
            let result: Result<Void, any Error>
            do {
                try await body(DeadLetterDesk(policies: policies, readModels: readModels), LogReader(pool: policies))
                result = .success(())
            } catch {
                result = .failure(error)
            }
            await policies.close()
            await readModels.close()
            try result.get()
        }
    }
}

extension AsyncParsableCommand {
    fileprivate func withDesk(_ body: (DeadLetterDesk, LogReader) async throws -> Void) async throws {
        try await DeadLettersCommand.withDesk(body)
    }
}

extension DeadLetter {
    private var what: String {
        switch (kind, skip, error) {
        case (_, .some, _): "skipped"
        case _ where isRebuildAsked: "waits for 'coworkflow replay \(subscription)'"
        case (.readModels, nil, _): "halted"
        case (.policies, nil, .some): "parked"
        case (.policies, nil, nil): "waits behind another event of its stream"
        }
    }

    fileprivate var line: String {
        var parts = [subscription, "\(position)", what, stream, type]
        if let skip { parts.append("by \(skip.by): \(skip.reason)") } else if let error { parts.append(error) }
        if waitingBehind > 0 { parts.append("\(waitingBehind) wait behind it") }
        return parts.joined(separator: "  ")
    }

    fileprivate var lines: [String] {
        var lines = [
            "subscription  \(subscription) (\(kind == .policies ? "policy" : "read model"))",
            "state         \(what)\(isRetryAsked ? ", a retry is asked for" : "")",
        ]
        if let error { lines.append("error         \(error)") }
        lines.append("first seen    \(Instante(microssegundos: firstSeen).texto)")
        if attempts > 0 { lines.append("last try      \(Instante(microssegundos: lastSeen).texto), \(attempts) in all") }
        if waitingBehind > 0 { lines.append("behind it     \(waitingBehind) events of the stream wait") }
        if let skip {
            lines.append("skipped       \(Instante(microssegundos: skip.at).texto) by \(skip.by)")
            lines.append("reason        \(skip.reason)")
        }
        return lines
    }
}

extension DeadLetterDecision {
    fileprivate var line: String {
        let what = kind == .skip ? "skipped" : "skip taken back"
        return "\(Instante(microssegundos: at).texto)  \(subscription): \(what) by \(by): \(reason)"
    }
}

extension SetAsideCommand {
    fileprivate var line: String {
        let parts = [
            kind, aggregate, "command", "due \(Instante(microssegundos: due).texto)", "failed \(failures) times", lastError,
        ]
        return parts.compactMap(\.self).joined(separator: "  ")
    }
}

extension RecordedEvent {
    fileprivate var lines: [String] {
        [
            "position      \(position)",
            "event         \(type), schema version \(schemaVersion), \(id.uuidString.lowercased())",
            "stream        \(stream), version \(version)",
            "recorded      \(Instante(microssegundos: recordedAt).texto)",
            "command       \(commandID.uuidString.lowercased())",
            "metadata      \(String(decoding: metadata, as: UTF8.self))",
            "payload       \(String(decoding: payload, as: UTF8.self))",
        ]
    }
}

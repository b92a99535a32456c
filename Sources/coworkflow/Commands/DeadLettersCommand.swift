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
        abstract: "Show, retry or skip events that a read model or a policy could not apply.",
        discussion: """
            A read model halts at such an event; a policy sets it aside with all later events of its stream. What is decided here \
            is done within about a second by the process that runs the subscription.
            """,
        subcommands: [List.self, Show.self, Retry.self, Skip.self]
    )

    /// What is set aside.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the events that could not be applied, and those that were skipped."
        )

        @Argument(help: "A read model or policy; without it, all.")
        var name: String?

        func run() async throws {
            try await withDesk { desk, _ in
                let letters = try await desk.letters(of: name)
                guard !letters.isEmpty else { return print("There are none.") }
                for letter in letters { print(letter.line) }
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
            }
        }
    }

    /// Another try.
    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retry",
            abstract: "Have events tried again.",
            discussion: "Of a policy, the whole stream of the event is worked off in order, as far as it can be applied."
        )

        @Argument(help: "The read model or policy.")
        var name: String

        @Argument(help: "The event's position; without it, all that the subscription has set aside.")
        var position: Int64?

        func run() async throws {
            try await withDesk { desk, _ in
                let count = try await desk.retry(name, at: position.map { Position($0) })
                print("Asked \(name) to try again; \(count == 1 ? "one event waits" : "\(count) events wait").")
            }
        }
    }

    /// Never.
    struct Skip: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "skip",
            abstract: "Decide that an event is never applied. That is recorded, and every replay obeys it."
        )

        @Argument(help: "The read model or policy.")
        var name: String

        @Argument(help: "The event's position.")
        var position: Int64

        @Option(help: "Why.")
        var reason: String

        @Option(help: "Who decides; by default the name of the one who is logged in.")
        var by: String?

        func run() async throws {
            try await withDesk { desk, _ in
                let environment = ProcessInfo.processInfo.environment
                let person = by ?? environment["SUDO_USER"] ?? environment["USER"] ?? environment["LOGNAME"] ?? ""
                try await desk.skip(name, at: Position(position), by: person, because: reason)
                print("\(name) will never apply event \(position).")
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

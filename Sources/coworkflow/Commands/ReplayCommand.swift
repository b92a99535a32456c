import ArgumentParser
import Domain
import EventStore
import Logging
import Postgres
import Projections

/// Read models built anew.
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Build a read model anew from the first event, compare it with the live one, and put it in its place.",
        discussion: """
            Queries and the projections go on meanwhile. A replay that was stopped is taken up where it stood. The rows that were \
            replaced stay until the next replay or --drop-old.

            Ends with code 1, and changes nothing, where the live model has other rows than the log says; --force replaces it all \
            the same.

            'changed' builds the models that this program defines otherwise than those that serve, or that are new. Run it with a new \
            version before its processes are started, and no query finds a table that is not there yet.
            """
    )

    @Argument(help: "The read model: \(Projections.models.map(\.name).joined(separator: ", ")); all; or changed.")
    var name: String

    @Option(help: "Build the model as it was at a POSITION of the log or at a TIME (RFC 3339) into a schema of its own; switch nothing.")
    var asOf: String?

    @Flag(help: "Switch also where the live model has other rows.")
    var force = false

    @Flag(help: "Drop what earlier replays left behind: replaced rows, builds given up, schemas of --as-of. Build nothing.")
    var dropOld = false

    func validate() throws {
        if asOf != nil, force || dropOld { throw ValidationError("--as-of goes with neither --force nor --drop-old") }
        if force, dropOld { throw ValidationError("--force goes not with --drop-old") }
        if name == "changed", asOf != nil || dropOld { throw ValidationError("'changed' goes with neither --as-of nor --drop-old") }
        let known = Projections.models.map(\.name)
        guard (known + ["all", "changed"]).contains(name) else {
            throw ValidationError("there is no read model '\(name)'; there are \(known.joined(separator: ", ")), and all, and changed")
        }
    }

    func run() async throws {
        try await failing {
            let config = try await Runner.configuration()
            let settings = try Settings(config)
            let logger = Runner.logger(config, production: false)
            let configuration = Projections.configuration(settings.postgres).with(applicationName: "coworkflow replay")
            let keys = PostgresPool(settings.postgres.taking(.keyring), maximumConnections: 1, logger: logger)
            let opener = Keyring(pool: keys, master: settings.secrets.master)
            let position = try await asOf.asyncMap { try await Self.position($0, configuration, logger: logger) }
            var sound = true
            for model in try await models(configuration, logger: logger) {
                let replay = ReadModelReplay(model, configuration: configuration, opener: opener, logger: logger)
                sound = try await carryOut(replay, of: model.name, asOf: position) && sound
            }
            await keys.close()
            if !sound { throw ExitCode(1) }
        }
    }

    /// - Returns: whether the model is now what the log says.
    private func carryOut(_ replay: ReadModelReplay, of name: String, asOf position: Position?) async throws -> Bool {
        if dropOld {
            try await replay.dropLeftovers()
            print("\(name): dropped what earlier replays left behind")
            return true
        }
        let display = ReplayDisplay(name: name)
        if let position {
            let schema = try await display.showing { try await replay.build(asOf: position, progress: $0) }
            print("\(name): as of position \(position) in schema \(schema); 'coworkflow replay \(name) --drop-old' drops it")
            return true
        }
        switch try await display.showing({ try await replay.run(force: force, progress: $0) }) {
        case .switched(let position, compared: nil, _):
            print("\(name): built and switched at position \(position); there was no live model of this definition to compare it with")
        case .switched(let position, compared: let compared?, differences: []):
            print("\(name): equal at position \(compared), switched at \(position)")
        case .switched(let position, compared: let compared?, let differences):
            print("\(name): different at position \(compared): \(Self.list(differences)); switched at \(position)")
        case .different(let position, let differences):
            print("\(name): different at position \(position): \(Self.list(differences)); the live model stays")
            return false
        }
        return true
    }

    private func models(_ configuration: PostgresConfiguration, logger: Logger) async throws -> [any ReadModel] {
        switch name {
        case "all": return Projections.models
        case "changed":
            let connection = try await PostgresConnection.connect(configuration, logger: logger)
            let changed = try await Projections.changed(on: connection)
            await connection.close()
            if changed.isEmpty { print("every read model is what this program makes of the log") }
            return changed
        default: return Projections.models.filter { $0.name == name }
        }
    }

    private static func list(_ differences: [TableDifference]) -> String {
        differences.map(\.description).joined(separator: ", ")
    }

    /// A position, or the last one recorded at or before a time.
    private static func position(_ text: String, _ configuration: PostgresConfiguration, logger: Logger) async throws -> Position {
        let pool = PostgresPool(configuration, maximumConnections: 1, logger: logger)
        let reader = LogReader(pool: pool)
        let head = try await reader.head()
        let position: Position
        if let number = Int64(text), number >= 0 {
            position = Position(number)
        } else if let time = Instante(text) {
            position = try await reader.lastPosition(at: time.microssegundos)
        } else {
            throw ValidationError("'\(text)' is neither a position nor a time such as 2026-03-02T12:00:00Z")
        }
        await pool.close()
        guard position <= head else { throw ValidationError("the log ends at position \(head)") }
        return position
    }
}

extension Optional {
    fileprivate func asyncMap<Result>(_ transform: (Wrapped) async throws -> Result) async rethrows -> Result? {
        guard let value = self else { return nil }
        return try await transform(value)
    }
}

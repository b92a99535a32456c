import ArgumentParser
import Domain
import EventStore
import Foundation
import Postgres
import Projections

/// Builds a read model anew from the first event, as `coworkflow replay` does.
struct RebuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "rebuild", abstract: "Measure a replay of one read model.")

    @Argument(help: "The read model.") var model = "analytics"

    func run() async throws {
        let servers = try Servers()
        guard let model = Projections.models.first(where: { $0.name == model }) else { throw ValidationError("no such read model") }
        // Where a live model stood still, it would be built up to there and no further.
        let connection = try await PostgresConnection.connect(servers.log, logger: Servers.logger)
        try await connection.execute("delete from read.checkpoints where name = $1", model.name)
        await connection.close()
        let replay = ReadModelReplay(
            model,
            configuration: Projections.configuration(servers.log),
            opener: NoSeals(),
            logger: Servers.logger
        )
        let started = ContinuousClock.now
        guard case .switched(let head, _, _) = try await replay.run() else { throw ValidationError("the live model has other rows") }
        let seconds = (ContinuousClock.now - started) / .seconds(1)
        report(
            "rebuild \(model.name)",
            [
                "events": "\(head)", "events_s": (Double(head.rawValue) / seconds).rounded(to: 0), "seconds": seconds.rounded(to: 1),
                "peak_mib": Child.memory("VmHWM").rounded(to: 1),
            ]
        )
    }
}

/// The history has no sealed texts.
struct NoSeals: SealOpener {
    func openOrErased(_ sealed: Selado, field: String) async throws -> String { "" }
}

import Domain
import Foundation
import Logging

/// What the demo's screens show: some days of the business, simulated up to now, in a log that has nothing yet.
struct DemoMonth: Sendable {
    /// A part of it is there, and the rest will not come.
    struct Unfinished: Error, CustomStringConvertible {
        let note: String

        var description: String {
            "the demo data was interrupted while it was made: use an empty database, or delete \(note) to go on with what there is"
        }
    }

    /// A small business: the whole month is there in a few minutes.
    private static let bookingsPerDay = 12
    private static let seed: UInt64 = 1

    let settings: Settings
    let logger: Logger

    /// Lies there from before the first event until the month is over. `scripts/run.sh` looks for it.
    private var note: URL? { settings.dataDirectory?.appending(path: "demo-unfinished") }

    /// Lives it once; a log that has something is left as it is.
    ///
    /// - Throws: `SimulationError.stopped` where somebody would not wait, and `Unfinished` from then on.
    func live() async throws {
        let end = Instante(microssegundos: systemMicroseconds())
        let step = SimulationDriver.step.microssegundos
        let opening = Instante(microssegundos: end.microssegundos / step * step) - .horas(24 * max(1, settings.demoDays))
        let plan = try SimulationPlan(start: opening, end: end, seed: Self.seed, bookingsPerDay: Self.bookingsPerDay)
        let line = SimulationLine("demo data")
        let simulation = Simulation(settings: settings, plan: plan, logger: logger) { line.report($0) }
        guard try await simulation.isLogEmpty() else {
            if let note, FileManager.default.fileExists(atPath: note.path) { throw Unfinished(note: note.path) }
            return
        }
        guard settings.demoDays > 0, settings.payments.sandbox != nil else { return }
        try note.map { try Data().write(to: $0) }
        defer { line.finish() }
        _ = try await simulation.run(checking: false)
        try note.map { try FileManager.default.removeItem(at: $0) }
    }
}

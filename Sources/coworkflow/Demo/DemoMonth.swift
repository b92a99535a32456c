import Domain
import Logging

/// What the demo's screens show: some days of the business, simulated up to now, in a log that has nothing yet.
struct DemoMonth: Sendable {
    /// A small business: the whole month is there in about a minute.
    private static let bookingsPerDay = 12
    private static let seed: UInt64 = 1

    let settings: Settings
    let logger: Logger

    /// Lives it once; a log that has something is left as it is.
    ///
    /// - Throws: `SimulationError.stopped` where somebody would not wait. What there is then stays, and is all there will be.
    func live() async throws {
        guard settings.demoDays > 0, settings.payments.sandbox != nil else { return }
        let end = Instante(microssegundos: systemMicroseconds())
        let step = SimulationDriver.step.microssegundos
        let opening = Instante(microssegundos: end.microssegundos / step * step) - .horas(24 * settings.demoDays)
        let plan = try SimulationPlan(start: opening, end: end, seed: Self.seed, bookingsPerDay: Self.bookingsPerDay)
        let line = SimulationLine("demo data")
        do {
            _ = try await Simulation(settings: settings, plan: plan, logger: logger) { line.report($0) }.run(checking: false)
        } catch SimulationError.notEmpty {
            return
        }
        line.finish()
    }
}

import ArgumentParser
import Domain
import EventStore
import Foundation
import Postgres

/// Reads the whole log in order.
struct ReadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "read", abstract: "Measure an ordered read of the whole log.")

    @Flag(help: "Decode every event to the domain's.") var decoded = false

    func run() async throws {
        let servers = try Servers()
        let pool = PostgresPool(servers.log.taking(.service), maximumConnections: 2, logger: Servers.logger)
        let reader = LogReader(pool: pool)
        let head = try await reader.head()
        let started = ContinuousClock.now
        var page = try await reader.page(after: .start, contexts: nil)
        var events = 0
        while true {
            // The next page is on its way while this one is decoded.
            let end = page.end
            async let next = reader.page(after: end, contexts: nil)
            if decoded {
                for event in page.events { _ = try CodecDeEventos.padrao.decode(event) }
            }
            events += page.events.count
            guard page.end < head else { break }
            page = try await next
        }
        let seconds = (ContinuousClock.now - started) / .seconds(1)
        await pool.close()
        report(
            decoded ? "read decoded" : "read raw",
            [
                "events": "\(events)", "events_s": (Double(events) / seconds).rounded(to: 0),
                "peak_mib": Child.memory("VmHWM").rounded(to: 1),
            ]
        )
    }
}

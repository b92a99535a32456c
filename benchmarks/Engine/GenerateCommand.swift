import ArgumentParser
import EventStore
import Foundation
import Postgres
import Synchronization

/// Fills the log with bookings, through broker and recorder like everybody.
struct GenerateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "generate", abstract: "Append a history of bookings.")

    @Option(help: "Events to append, about; the last request is whole.") var events: Int64 = 1_000_000
    @Option(help: "Requests in flight.") var inFlight = 24
    @Flag(help: "Append to the log that is there.") var keep = false
    @Flag(help: "There is a recorder already.") var alone = false

    func run() async throws {
        if !keep { try await PrepareCommand.prepare(Servers()) }
        let recorder = alone ? nil : try Child(["recorder"])
        defer { recorder?.stop() }
        let appender = try await Appender("generate")
        let work = Work(events: events)
        let started = ContinuousClock.now
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<inFlight {
                group.addTask {
                    while let number = work.take() {
                        let request = History.request(number)
                        work.add(request.eventCount)
                        while await !appender.append(request) { try? await Task.sleep(for: .milliseconds(50)) }
                    }
                }
            }
        }
        let seconds = (ContinuousClock.now - started) / .seconds(1)
        await appender.stop()
        let total = work.appended
        report(
            "generate",
            [
                "events": "\(total)", "events_s": (Double(total) / seconds).rounded(to: 0),
                "recorder_peak_mib": (recorder?.memory("VmHWM") ?? .nan).rounded(to: 1),
            ]
        )
    }
}

/// Which requests are still to be made.
private final class Work: Sendable {
    private let wanted: Int64
    private let state = Mutex<(next: Int64, appended: Int64)>((0, 0))

    init(events: Int64) {
        wanted = events
    }

    func take() -> Int64? {
        state.withLock { state in
            guard state.appended < wanted else { return nil }
            state.next += 1
            return state.next - 1
        }
    }

    func add(_ events: Int) {
        state.withLock { $0.appended += Int64(events) }
    }

    var appended: Int64 { state.withLock { $0.appended } }
}

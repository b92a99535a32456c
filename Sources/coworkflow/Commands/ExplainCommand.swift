import ArgumentParser
import Domain
import EventStore
import HTTP
import ReservasService

/// Why something is as it is.
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Tell the events behind something, by causation, in words, with the rules that decided.",
        subcommands: [Booking.self]
    )

    enum Language: String, ExpressibleByArgument, CaseIterable {
        case pt
        case en

        var idioma: Idioma {
            switch self {
            case .pt: .portugues
            case .en: .ingles
            }
        }
    }

    struct Booking: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "reserva", abstract: "Explain a booking.")

        @Argument(help: "The booking's id.")
        var id: String

        @Option(help: "The language: \(Language.allCases.map(\.rawValue).joined(separator: " or ")).")
        var lang = Language.pt

        @Flag(help: "As JSON, as GET /reservations/{id}/history answers it.")
        var json = false

        func run() async throws {
            try await LogCommand.reading { reader in
                guard let booking = ReservaID(id) else { throw ValidationError("\(id) is no id of a booking") }
                do throws(any Error) {
                    let history = try await BookingHistory(reader: reader, zones: ZoneCatalog(), policies: Composition.policiesOfBookings)
                        .view(of: booking, for: nil, in: lang.idioma)
                    print(json ? String(decoding: try JSON.encode(history), as: UTF8.self) : Self.text(history))
                } catch let refusal as RecusaDeReservas {
                    throw ValidationError(refusal.frase(em: lang.idioma))
                }
            }
        }

        private static func text(_ history: BookingHistoryView) -> String {
            var lines = ["reserva-\(history.reservationId): \(history.status)"]
            for step in history.steps {
                let cause = step.causedBy.map { cause in cause.position.map { " <- #\($0)" } ?? " <- \(cause.eventId)" } ?? ""
                lines += ["", "\(step.time)  \(step.byText)\(cause)"]
                for event in step.events {
                    lines.append("  #\(event.position)  \(event.text)  [\(event.type), \(event.stream)@\(event.version)]")
                    lines += event.reasons.map { "        - \($0)" }
                }
            }
            if !history.upcoming.isEmpty { lines += [""] + history.upcoming.map { "-> \($0)" } }
            return lines.joined(separator: "\n")
        }
    }
}

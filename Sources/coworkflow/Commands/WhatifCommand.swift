import ArgumentParser
import Domain
import EventStore
import Foundation
import HTTP
import PrecosService

/// What past bookings would have brought in under another tariff.
struct WhatifCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "whatif",
        abstract: "Price past bookings under another tariff and print the difference.",
        discussion: """
            Reads COWORKFLOW_POSTGRES_URL. The file is a tariff as PUT /units/{id}/tariff takes it; its valid_from is not looked at. \
            Bookings keep their time, seats, plan, credits and coupon. Those that were cancelled count with the share that was kept; \
            those that were never confirmed count for nothing.
            """
    )
    private static let window: Int64 = 2_000

    /// What it was asked for cannot be done.
    private struct Unusable: Error, CustomStringConvertible {
        let description: String
    }

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
    }

    @Option(help: "The file with the tariff.")
    var tariff: String

    @Option(help: "The first local date of bookings, such as 2026-03-01.")
    var from: String

    @Option(help: "The last local date of bookings.")
    var to: String

    @Option(help: "Only bookings of this unit.")
    var unit: String?

    @Option(help: "How it is printed: \(Format.allCases.map(\.rawValue).joined(separator: " or ")).")
    var format = Format.text

    func run() async throws {
        try await failing {
            let (first, last) = (try Self.date(from, "--from"), try Self.date(to, "--to"))
            guard first <= last else { throw Unusable(description: "--to \(to) is before --from \(from)") }
            let only = try unit.map { text in
                guard let id = UnidadeID(text) else { throw Unusable(description: "--unit \(text) is no id of a unit") }
                return id
            }
            let other = try Self.read(tariff, from: first)
            try await LogCommand.reading { reader in
                let zones = ZoneCatalog()
                let comparison = try await Self.simulation(reader)
                    .comparar(com: other, de: first, ate: last, unidade: only, zona: zones.zone)
                switch format {
                case .text: print(try WhatifText.table(comparison))
                case .json: print(try WhatifText.json(comparison, from: first, to: last, unit: only))
                }
            }
        }
    }

    private static func date(_ text: String, _ option: String) throws -> DataCivil {
        guard let date = DataCivil(text) else { throw Unusable(description: "\(option) \(text) is no date such as 2026-03-01") }
        return date
    }

    /// The tariff of a file, in force from a date on.
    private static func read(_ path: String, from date: DataCivil) throws -> Tarifario {
        guard let bytes = FileManager.default.contents(atPath: path) else { throw Unusable(description: "\(path) cannot be read") }
        let unit = UnidadeID(alto: 0, baixo: 0)
        do {
            let command = try JSON.decode(TariffInput.self, from: Array(bytes))
                .publication(of: unit, from: date, by: .linhaDeComando, at: Instante(microssegundos: 0))
            return Tarifario.dobrar(try command.decidir(tarifario: .inicial).flatMap(\.eventos))
        } catch let refusal as RecusaDePrecos {
            throw Unusable(description: "\(path): \(refusal.frase(em: .ingles))")
        } catch let problem as Problem {
            throw Unusable(description: "\(path) is no tariff: \(problem.detail)")
        }
    }

    private static func simulation(_ reader: LogReader) async throws -> SimulacaoDeTarifario {
        var simulation = SimulacaoDeTarifario()
        let head = try await reader.head()
        var position = Position.start
        while position < head {
            let end = Position(min(position.rawValue + window, head.rawValue))
            let page = try await reader.events(after: position, through: end, types: SimulacaoDeTarifario.tipos)
            for event in page.events { simulation.considerar(try CodecDeEventos.padrao.decode(event)) }
            position = page.end
        }
        return simulation
    }
}

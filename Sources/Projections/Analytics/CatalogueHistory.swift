import Domain
import Postgres

/// What was defined of units and spaces, and when.
struct CatalogueHistory: Sendable {
    struct Unit: Sendable {
        /// The zone of its wall clocks from an instant on, in order.
        fileprivate(set) var zones: [(at: Instante, name: String)] = []
        /// As it was described last.
        fileprivate(set) var name = ""
    }

    struct Space: Sendable {
        let id: EspacoID
        let unit: UnidadeID
        /// As it was described last.
        fileprivate(set) var name: String
        /// In order, the first is its beginning.
        fileprivate(set) var events: [(at: Instante, event: EventoDeEspacos)]
    }

    private(set) var units: [UnidadeID: Unit] = [:]
    private(set) var spaces: [EspacoID: Space] = [:]

    /// - Parameter rows: of `analytics_catalogue`, in order of position.
    init(rows: some Sequence<PostgresRow>) throws {
        for row in rows {
            let decoded = try CodecDeEventos.padrao.decodificar(
                tipo: try row.get("type"),
                versao: Int(try row.get("schema_version", Int32.self)),
                carga: try row.get("payload", PostgresJSON.self).utf8
            )
            if case .espacos(let event) = decoded { take(event, at: try row.instant("at")) }
        }
        // Clocks of several machines may disagree a little with the order of the log.
        for id in units.keys { units[id]?.zones.sort { $0.at < $1.at } }
        for id in spaces.keys { spaces[id]?.events.sort { $0.at < $1.at } }
    }

    private mutating func take(_ event: EventoDeEspacos, at time: Instante) {
        switch event {
        case .unidadeCriada(let event):
            units[event.unidade, default: Unit()].zones.append((time, event.fuso))
            units[event.unidade]?.name = event.nome
        case .unidadeAtualizada(let event):
            units[event.unidade, default: Unit()].zones.append((time, event.fuso))
            units[event.unidade]?.name = event.nome
        case .espacoCriado(let created):
            spaces[created.espaco] = Space(id: created.espaco, unit: created.unidade, name: created.ficha.nome, events: [(time, event)])
        case .espacoAtualizado(let updated):
            spaces[updated.espaco]?.name = updated.ficha.nome
            spaces[updated.espaco]?.events.append((time, event))
        case .horarioDefinido(let defined): spaces[defined.espaco]?.events.append((time, event))
        case .fechamentoDefinido(let defined): spaces[defined.espaco]?.events.append((time, event))
        case .fechamentoRemovido(let removed): spaces[removed.espaco]?.events.append((time, event))
        case .espacoDesativado(let deactivated): spaces[deactivated.espaco]?.events.append((time, event))
        case .espacoReativado(let reactivated): spaces[reactivated.espaco]?.events.append((time, event))
        case .regrasDeReservaDefinidas: break
        }
    }
}

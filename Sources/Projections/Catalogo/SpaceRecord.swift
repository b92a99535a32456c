package import Domain
import Postgres

/// A space with all that the domain needs to judge a booking of it.
package struct SpaceRecord: Sendable, Equatable {
    package let data: DadosDoEspaco
    /// Whether it is let.
    package let active: Bool
    /// The IANA name of its unit's zone.
    package let timeZone: String
    package let createdAt: Instante

    /// The domain's state comes from the domain: its events are told again, so that what was never defined is as the domain
    /// has it.
    init(row: PostgresRow) throws {
        let space: EspacoID = try row.id("id")
        let createdAt: Instante = try row.instant("created_at")
        var events: [EventoDeEspacos] = [
            .espacoCriado(
                EspacoCriado(
                    espaco: space,
                    unidade: try row.id("unit_id"),
                    ficha: FichaDoEspaco(
                        nome: try row.get("name"),
                        tipo: try row.parsed("type") { TipoDeEspaco(rawValue: $0) },
                        capacidade: Int(try row.get("capacity", Int32.self)),
                        lugares: Int(try row.get("seats", Int32.self)),
                        comodidades: try row.json("amenities"),
                        descricao: try row.get("description")
                    ),
                    em: createdAt
                )
            )
        ]
        if let hours = try row.jsonIfPresent("hours", HorarioSemanal.self) {
            let holidays = try row.get("closed_on_holidays", Bool.self)
            events.append(.horarioDefinido(HorarioDefinido(espaco: space, semana: hours, fechaEmFeriados: holidays, em: createdAt)))
        }
        if let rules = try row.jsonIfPresent("rules", RegrasDeReserva.self) {
            let version = VersaoDeRegra(Int(try row.get("rules_version", Int32.self)))
            events.append(
                .regrasDeReservaDefinidas(RegrasDeReservaDefinidas(espaco: space, versao: version, regras: rules, em: createdAt))
            )
        }
        for closure in try row.jsonIfPresent("closures", [Fechamento].self) ?? [] {
            events.append(.fechamentoDefinido(FechamentoDefinido(espaco: space, fechamento: closure, em: createdAt)))
        }
        guard let data = events.reduce(Espaco.inicial, { $0.evoluindo(com: $1) }).dados else { throw UnreadableRow(column: "id") }
        self.data = data
        self.createdAt = createdAt
        active = try row.get("active")
        timeZone = try row.get("time_zone")
    }
}

package import Domain
import FoundationEssentials
import HTTP

/// A tariff as it is written down to be published, or to be compared with.
package struct TariffInput: Decodable, Sendable {
    struct Rate: Decodable, Sendable {
        let spaceId: String?
        let type: String?
        let hourlyCents: Int64
        let dailyCapCents: Int64?
    }

    struct Multiplier: Decodable, Sendable {
        let name: String
        let days: [String]
        let from: String
        let to: String
        /// Thousandths of the hourly rate: 1250 is a quarter more.
        let perMille: Int
    }

    let validFrom: String
    let rates: [Rate]
    let multipliers: [Multiplier]?

    /// The command that publishes it.
    /// - Parameter date: in force from then on, instead of from the date that is written down.
    package func publication(
        of unit: UnidadeID,
        from date: DataCivil? = nil,
        by authority: Autoridade,
        at now: Instante
    ) throws -> PublicarTarifario {
        PublicarTarifario(
            unidade: unit,
            vigenteDesde: try date ?? TimeInput.date(validFrom, field: "valid_from"),
            tarifas: try rates.map(rate),
            multiplicadores: try (multipliers ?? []).map(multiplier),
            por: authority,
            agora: now
        )
    }

    private func rate(_ input: Rate) throws(Problem) -> Tarifa {
        let target: AlvoDaTarifa
        if let space = input.spaceId.flatMap({ EspacoID($0) }), input.type == nil {
            target = .espaco(space)
        } else if let type = input.type.flatMap(TipoDeEspaco.init), input.spaceId == nil {
            target = .tipo(type)
        } else {
            throw .invalid(field: "rates", "must each name either a space_id or a type")
        }
        return Tarifa(
            alvo: target,
            valorHora: Dinheiro(centavos: input.hourlyCents),
            tetoDiario: input.dailyCapCents.map { Dinheiro(centavos: $0) }
        )
    }

    private func multiplier(_ input: Multiplier) throws(Problem) -> Multiplicador {
        let days = input.days.compactMap(DiaDaSemana.init)
        guard days.count == input.days.count, let from = HoraLocal(input.from), let to = HoraLocal(input.to),
            let range = FaixaHoraria(abre: from, fecha: to)
        else { throw .invalid(field: "multipliers", "must each have days, and from before to, from 00:00 to 24:00") }
        return Multiplicador(nome: input.name, dias: days, faixa: range, milesimos: input.perMille)
    }
}

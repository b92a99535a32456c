import Domain
import HTTP
import Projections

/// A tariff in the shape in which it is published.
struct TariffView: Encodable, Sendable {
    /// Of one space, or of all spaces of a type.
    struct Rate: Encodable, Sendable {
        let spaceId: String?
        let type: String?
        let hourly: Double
        let hourlyCents: Int64
        let dailyCap: Double?
        let dailyCapCents: Int64?

        init(_ rate: Tarifa) {
            switch rate.alvo {
            case .espaco(let space): (spaceId, type) = (space.texto, nil)
            case .tipo(let kind): (spaceId, type) = (nil, kind.rawValue)
            }
            hourly = rate.valorHora.decimal
            hourlyCents = rate.valorHora.centavos
            dailyCap = rate.tetoDiario?.decimal
            dailyCapCents = rate.tetoDiario?.centavos
        }
    }

    struct Multiplier: Encodable, Sendable {
        let name: String
        let days: [String]
        let from: String
        let to: String
        let perMille: Int

        init(_ multiplier: Multiplicador) {
            name = multiplier.nome
            days = multiplier.dias.map(\.rawValue)
            from = multiplier.faixa.abre.texto
            to = multiplier.faixa.fecha.texto
            perMille = multiplier.milesimos
        }
    }

    let unitId: String
    let version: Int
    let validFrom: String
    let rates: [Rate]
    let multipliers: [Multiplier]
    let publishedAt: String

    init(_ tariff: TariffRecord, zone: ZonaHoraria) {
        unitId = tariff.unit.texto
        version = tariff.version.numero
        validFrom = tariff.effectiveFrom.texto
        rates = tariff.rates.map(Rate.init)
        multipliers = tariff.multipliers.map(Multiplier.init)
        publishedAt = tariff.publishedAt.texto(em: zone)
    }
}

struct PlanView: Encodable, Sendable {
    let id: String
    let version: Int
    let name: String
    let discountPercent: Int
    let monthlyFee: Double
    let monthlyFeeCents: Int64
    /// Minutes that each month includes, and for how many months they can be used.
    let includedMinutes: Int
    let creditMonths: Int

    init(_ plan: PlanRecord) {
        id = plan.id.texto
        version = plan.version.numero
        name = plan.name
        discountPercent = plan.discount.valor
        monthlyFee = plan.monthlyFee.decimal
        monthlyFeeCents = plan.monthlyFee.centavos
        includedMinutes = plan.includedMinutes
        creditMonths = plan.creditMonths
    }
}

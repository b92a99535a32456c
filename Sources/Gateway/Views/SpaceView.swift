import Domain
import HTTP
import Projections

/// A space with its hours and rules, in the shape in which they are set, and with what an hour costs today.
struct SpaceView: Encodable, Sendable {
    struct Range: Encodable, Sendable {
        let opens: String
        let closes: String
    }

    struct Closure: Encodable, Sendable {
        let id: String
        /// Local times.
        let from: String
        let to: String
        let reason: String
    }

    struct Tier: Encodable, Sendable {
        let noticeMinutes: Int
        let percent: Int
    }

    struct Rules: Encodable, Sendable {
        let minMinutes: Int
        let maxMinutes: Int
        let stepMinutes: Int
        let bufferBeforeMinutes: Int
        let bufferAfterMinutes: Int
        let leadMinutes: Int
        let horizonMinutes: Int
        let holdMinutes: Int
        /// 0 where nobody is marked as absent.
        let noShowGraceMinutes: Int
        /// 0 where bookings need no approval.
        let approvalMinutes: Int
        /// 0 where offers from the waitlist hold as long as any.
        let waitlistHoldMinutes: Int
        let cancellation: [Tier]
        let checkinMinutes: Int
        let checkoutGraceMinutes: Int
        let checkoutClosesMinutes: Int
        let noShowRefundPercent: Int
        let version: Int
    }

    let id: String
    let unitId: String
    let name: String
    let type: String
    let capacity: Int
    let seats: Int
    let amenities: [String]
    let description: String
    let active: Bool
    let timezone: String
    /// Absent where no tariff names the space or its type.
    let hourlyRate: Double?
    let hourlyRateCents: Int64?
    let dailyCap: Double?
    let dailyCapCents: Int64?
    /// By weekday.
    let hours: [String: [Range]]
    let closedOnHolidays: Bool
    let closures: [Closure]
    let rules: Rules
    let createdAt: String

    init(_ space: SpaceRecord, rate: Tarifa?, zone: ZonaHoraria) {
        let data = space.data
        id = data.espaco.texto
        unitId = data.unidade.texto
        name = data.ficha.nome
        type = data.ficha.tipo.rawValue
        capacity = data.ficha.capacidade
        seats = data.ficha.lugares
        amenities = data.ficha.comodidades
        description = data.ficha.descricao
        active = space.active
        timezone = space.timeZone
        hourlyRate = rate?.valorHora.decimal
        hourlyRateCents = rate?.valorHora.centavos
        dailyCap = rate?.tetoDiario?.decimal
        dailyCapCents = rate?.tetoDiario?.centavos
        hours = data.semana.dias.reduce(into: [:]) { hours, day in
            hours[day.key.rawValue] = day.value.map { Range(opens: $0.abre.texto, closes: $0.fecha.texto) }
        }
        closedOnHolidays = data.fechaEmFeriados
        closures = data.fechamentos.map {
            Closure(id: $0.id.texto, from: $0.periodo.inicio.texto, to: $0.periodo.fim.texto, reason: $0.motivo)
        }
        rules = Rules(data.regras, version: data.versaoDasRegras)
        createdAt = space.createdAt.texto(em: zone)
    }
}

extension SpaceView.Rules {
    init(_ rules: RegrasDeReserva, version: VersaoDeRegra) {
        let presence = rules.presenca ?? .padrao
        self.init(
            minMinutes: rules.duracaoMinima.valor,
            maxMinutes: rules.duracaoMaxima.valor,
            stepMinutes: rules.passo.valor,
            bufferBeforeMinutes: rules.bufferAntes.valor,
            bufferAfterMinutes: rules.bufferDepois.valor,
            leadMinutes: rules.antecedenciaMinima.valor,
            horizonMinutes: rules.horizonte.valor,
            holdMinutes: rules.retencao.valor,
            noShowGraceMinutes: rules.toleranciaNaoComparecimento?.valor ?? 0,
            approvalMinutes: rules.prazoDeAprovacao?.valor ?? 0,
            waitlistHoldMinutes: rules.retencaoDaEspera?.valor ?? 0,
            cancellation: rules.cancelamento.faixas.map {
                SpaceView.Tier(noticeMinutes: $0.antecedencia.valor, percent: $0.percentual.valor)
            },
            checkinMinutes: presence.antecedencia.valor,
            checkoutGraceMinutes: presence.toleranciaDaSaida.valor,
            checkoutClosesMinutes: presence.encerramento.valor,
            noShowRefundPercent: presence.devolucaoPorAusencia.valor,
            version: version.numero
        )
    }
}

import Domain
import FoundationEssentials
import HTTP

struct UnitInput: Decodable {
    let name: String
    let timezone: String
    let address: String

    /// - Throws: 400 for a zone that does not exist.
    func checkZone(_ zones: ZoneCatalog) throws(Problem) {
        do {
            _ = try zones.zone(timezone)
        } catch {
            throw .invalid(field: "timezone", "must be an IANA time zone such as America/Sao_Paulo")
        }
    }
}

/// Weekday (`segunda` … `domingo`) to the ranges it is open.
struct HoursInput: Decodable {
    struct Range: Decodable {
        let opens: String
        let closes: String
    }

    let hours: [String: [Range]]
    let closedOnHolidays: Bool?

    func week() throws(Problem) -> HorarioSemanal {
        var days: [DiaDaSemana: [FaixaHoraria]] = [:]
        for (name, ranges) in hours {
            guard let day = DiaDaSemana(rawValue: name) else {
                throw .invalid(field: "hours.\(name)", "is no weekday: use \(DiaDaSemana.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            for range in ranges {
                guard let opens = HoraLocal(range.opens), let closes = HoraLocal(range.closes),
                    let open = FaixaHoraria(abre: opens, fecha: closes)
                else { throw .invalid(field: "hours.\(name)", "must open before it closes, from 00:00 to 24:00") }
                days[day, default: []].append(open)
            }
        }
        guard let week = HorarioSemanal(days) else { throw .invalid(field: "hours", "must not overlap within a day") }
        return week
    }
}

/// What is absent is as a space begins with.
struct RulesInput: Decodable {
    struct Tier: Decodable {
        let noticeMinutes: Int
        let percent: Int
    }

    let minMinutes: Int?
    let maxMinutes: Int?
    let stepMinutes: Int?
    let bufferBeforeMinutes: Int?
    let bufferAfterMinutes: Int?
    let leadMinutes: Int?
    let horizonMinutes: Int?
    let holdMinutes: Int?
    /// 0 switches the no-show rule off.
    let noShowGraceMinutes: Int?
    /// How long a gestor has to approve a booking; absent or 0 where none is needed.
    let approvalMinutes: Int?
    /// How long an offer from the waitlist holds; absent or 0 for as long as any hold.
    let waitlistHoldMinutes: Int?
    let cancellation: [Tier]?
    /// How long before the start check-in opens.
    let checkinMinutes: Int?
    /// How long after the end leaving costs nothing.
    let checkoutGraceMinutes: Int?
    /// How long after the end whoever has not checked out is taken to have left.
    let checkoutClosesMinutes: Int?
    /// What comes back to somebody who did not come.
    let noShowRefundPercent: Int?

    func rules() throws(Problem) -> RegrasDeReserva {
        let usual = RegrasDeReserva.padrao
        let grace = try minutes(noShowGraceMinutes, usual.toleranciaNaoComparecimento ?? .zero, "no_show_grace_minutes")
        let approval = try minutes(approvalMinutes, .zero, "approval_minutes")
        let waitlistHold = try minutes(waitlistHoldMinutes, .zero, "waitlist_hold_minutes")
        return RegrasDeReserva(
            duracaoMinima: try minutes(minMinutes, usual.duracaoMinima, "min_minutes"),
            duracaoMaxima: try minutes(maxMinutes, usual.duracaoMaxima, "max_minutes"),
            passo: try minutes(stepMinutes, usual.passo, "step_minutes"),
            bufferAntes: try minutes(bufferBeforeMinutes, usual.bufferAntes, "buffer_before_minutes"),
            bufferDepois: try minutes(bufferAfterMinutes, usual.bufferDepois, "buffer_after_minutes"),
            antecedenciaMinima: try minutes(leadMinutes, usual.antecedenciaMinima, "lead_minutes"),
            horizonte: try minutes(horizonMinutes, usual.horizonte, "horizon_minutes"),
            cancelamento: try policy(usual.cancelamento),
            retencao: try minutes(holdMinutes, usual.retencao, "hold_minutes"),
            toleranciaNaoComparecimento: grace == .zero ? nil : grace,
            prazoDeAprovacao: approval == .zero ? nil : approval,
            retencaoDaEspera: waitlistHold == .zero ? nil : waitlistHold,
            presenca: try presence()
        )
    }

    /// Nil where nothing is set, so that the space follows what is shipped.
    private func presence() throws(Problem) -> RegrasDePresenca? {
        guard checkinMinutes != nil || checkoutGraceMinutes != nil || checkoutClosesMinutes != nil || noShowRefundPercent != nil else {
            return nil
        }
        let usual = RegrasDePresenca.padrao
        guard let refund = noShowRefundPercent.map({ Percentual($0) }) ?? usual.devolucaoPorAusencia else {
            throw .invalid(field: "no_show_refund_percent", "must be from 0 to 100")
        }
        return RegrasDePresenca(
            antecedencia: try minutes(checkinMinutes, usual.antecedencia, "checkin_minutes"),
            toleranciaDaSaida: try minutes(checkoutGraceMinutes, usual.toleranciaDaSaida, "checkout_grace_minutes"),
            encerramento: try minutes(checkoutClosesMinutes, usual.encerramento, "checkout_closes_minutes"),
            devolucaoPorAusencia: refund
        )
    }

    private func minutes(_ value: Int?, _ usual: Minutos, _ field: String) throws(Problem) -> Minutos {
        guard let value else { return usual }
        guard let minutes = Minutos(value) else { throw .invalid(field: field, "must be a number of minutes, zero or more") }
        return minutes
    }

    private func policy(_ usual: PoliticaDeCancelamento) throws(Problem) -> PoliticaDeCancelamento {
        guard let cancellation else { return usual }
        var tiers: [FaixaDeReembolso] = []
        for tier in cancellation {
            guard let notice = Minutos(tier.noticeMinutes), let percent = Percentual(tier.percent) else {
                throw .invalid(field: "cancellation", "needs notice_minutes from 0 and percent from 0 to 100")
            }
            tiers.append(FaixaDeReembolso(antecedencia: notice, percentual: percent))
        }
        guard let policy = PoliticaDeCancelamento(tiers) else {
            throw .invalid(field: "cancellation", "must not give back less for more notice, nor repeat one")
        }
        return policy
    }
}

struct SpaceInput: Decodable {
    let name: String
    let type: String
    let capacity: Int
    let seats: Int?
    let amenities: [String]?
    let description: String?

    func card() throws(Problem) -> FichaDoEspaco {
        guard let type = TipoDeEspaco(rawValue: type) else {
            throw .invalid(field: "type", "must be one of \(TipoDeEspaco.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return FichaDoEspaco(
            nome: name,
            tipo: type,
            capacidade: capacity,
            lugares: seats ?? 1,
            comodidades: amenities ?? [],
            descricao: description ?? ""
        )
    }
}

/// What a space can be made with besides its description.
struct NewSpaceInput: Decodable {
    let unitId: String
    let hours: [String: [HoursInput.Range]]?
    let closedOnHolidays: Bool?
    let rules: RulesInput?

    func unit() throws(Problem) -> UnidadeID {
        guard let unit = UnidadeID(unitId) else { throw .invalid(field: "unit_id", "must be the id of a unit") }
        return unit
    }

    func week() throws(Problem) -> HorarioSemanal? {
        guard let hours else { return nil }
        return try HoursInput(hours: hours, closedOnHolidays: closedOnHolidays).week()
    }
}

/// Dates close whole days, the last included; local times close from the one to the other.
struct ClosureInput: Decodable {
    let from: String
    let to: String
    let reason: String

    func period() throws(Problem) -> PeriodoLocal {
        if let first = DataCivil(from), let last = DataCivil(to), let period = PeriodoLocal(de: first, ate: last) { return period }
        if let start = DataHoraLocal(from), let end = DataHoraLocal(to), let period = PeriodoLocal(inicio: start, fim: end) {
            return period
        }
        throw .invalid(field: "from", "and 'to' must be two dates or two local times, the first before the last")
    }
}

import Domain
import HTTP

/// What check-in answers.
struct CheckinView: Encodable, Sendable {
    let message: String
    let reservationId: String
    let spaceId: String
    let userId: String
    let startTime: String
    let endTime: String
    let seats: Int
    let checkinTime: String
    /// Whether they were in before.
    let alreadyDone: Bool

    init(_ visit: Visits.Visit, alreadyDone: Bool, _ language: Idioma) throws {
        guard let entry = visit.presence.entry else { throw RecusaDeCheckin.semEntrada }
        let (data, zone) = (visit.data, visit.zone)
        message =
            switch language {
            case .portugues: "Entrada registrada."
            case .ingles: "Checked in."
            }
        reservationId = data.reserva.texto
        spaceId = data.espaco.texto
        userId = data.usuario.texto
        startTime = data.horario.intervalo.inicio.texto(em: zone)
        endTime = data.horario.intervalo.fim.texto(em: zone)
        seats = data.horario.lugares
        checkinTime = entry.em.texto(em: zone)
        self.alreadyDone = alreadyDone
    }
}

/// What check-out answers.
struct CheckoutView: Encodable, Sendable {
    /// What is owed for staying on.
    struct Overtime: Encodable, Sendable {
        let steps: Int
        let stepMinutes: Int
        let amount: Double
        let amountCents: Int64
    }

    let message: String
    let reservationId: String
    let spaceId: String
    let userId: String
    let checkinTime: String
    let checkoutTime: String
    /// From when on others may have what was left.
    let freedFrom: String?
    let overtime: Overtime?
    let alreadyDone: Bool

    init(_ visit: Visits.Visit, alreadyDone: Bool, _ language: Idioma) throws {
        guard case .encerrada(let entry, let exit) = visit.presence else { throw RecusaDeCheckin.semEntrada }
        let (data, zone) = (visit.data, visit.zone)
        message =
            switch language {
            case .portugues: "Saída registrada."
            case .ingles: "Checked out."
            }
        reservationId = data.reserva.texto
        spaceId = data.espaco.texto
        userId = data.usuario.texto
        checkinTime = entry.em.texto(em: zone)
        checkoutTime = exit.em.texto(em: zone)
        freedFrom = exit.liberadoDesde?.texto(em: zone)
        overtime = visit.overtime.map {
            Overtime(steps: $0.passos, stepMinutes: $0.passo.valor, amount: $0.valor.decimal, amountCents: $0.valor.centavos)
        }
        self.alreadyDone = alreadyDone
    }
}

extension Presenca {
    fileprivate var entry: CheckinRealizado? {
        switch self {
        case .aguardada, .ausente: nil
        case .presente(let entry), .encerrada(let entry, _): entry
        }
    }
}

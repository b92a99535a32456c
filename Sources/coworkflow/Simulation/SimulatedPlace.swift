import Domain
import HTTP

/// A space as whoever books it knows it.
struct SimulatedPlace: Sendable {
    let id: String
    let name: String
    let unit: String
    let zone: ZonaHoraria
    let type: TipoDeEspaco
    let seats: Int
    /// Whether it is open day and night.
    let isAlwaysOpen: Bool
    /// Whether somebody has to approve its bookings.
    let needsApproval: Bool

    /// Shorter than what is open, so that most wishes can be met.
    private static let opens = 8 * 60
    private static let closes = 19 * 60
    private static let saturdayCloses = 14 * 60

    func local(_ time: Instante) -> DataHoraLocal { zone.local(de: time) }

    func instant(_ day: DataCivil, minute: Int) -> Instante {
        zone.inicioDoDia(day) + .minutos(minute)
    }

    /// Minutes of a day at which bookings may begin and must be over; nil where it is closed.
    func hours(on day: DataCivil) -> (from: Int, to: Int)? {
        if isAlwaysOpen { return (7 * 60, 22 * 60) }
        switch day.diaDaSemana {
        case .domingo: return nil
        case .sabado: return (Self.opens, Self.saturdayCloses)
        case .segunda, .terca, .quarta, .quinta, .sexta: return (Self.opens, Self.closes)
        }
    }

    /// How long people book it for, in minutes, with weights.
    var durations: [(Int, Int)] {
        switch type {
        case .mesaCompartilhada: [(120, 30), (180, 25), (240, 30), (480, 15)]
        case .salaDeReuniao: [(60, 45), (90, 25), (120, 25), (240, 5)]
        case .salaPrivativa: [(120, 30), (240, 45), (480, 25)]
        case .auditorio: [(120, 40), (240, 60)]
        case .estudio: [(60, 40), (120, 45), (180, 15)]
        case .cabine: [(30, 60), (60, 40)]
        }
    }

    /// How often it is wanted, beside the others of its unit.
    var weight: Int {
        switch type {
        case .mesaCompartilhada: 620
        case .salaDeReuniao: 90
        case .salaPrivativa: 60
        case .auditorio: 12
        case .estudio: 40
        case .cabine: 110
        }
    }
}

/// A booking as the driver knows it: what it was told, and what its member means to do.
struct SimulatedBooking: Sendable {
    enum Standing: Sendable {
        /// Somebody has to say yes.
        case awaitingApproval
        case unpaid
        case confirmed
        case gone
    }

    let id: String
    let place: Int
    /// Nil for a visitor of the desk.
    let member: Int?
    var start: Instante
    var end: Instante
    var standing: Standing
    var payment: String?
    var isPaidAtDesk = false
}

/// How a member pays.
enum WayToPay: Sendable {
    case pix
    case card
    /// The first card is refused.
    case secondCard
    /// Webhooks come thrice, in the wrong order, or not at all.
    case repeated
    case reordered
    case lost
    /// After the hold has run out.
    case late
    case refused
    case never

    /// With weights.
    static let all: [(WayToPay, Int)] = [
        (.pix, 640), (.card, 170), (.secondCard, 25), (.repeated, 30), (.reordered, 25), (.lost, 25), (.late, 25), (.refused, 15),
        (.never, 45),
    ]
}

import Domain
import HTTP
import Projections

/// A booking at the door of its space: nobody's name, at most their initials.
struct DoorBookingView: Encodable, Sendable {
    let startTime: String
    let endTime: String
    let seats: Int
    /// Absent where the account is erased or unknown.
    let initials: String?
    /// `expected`, `in`, `left` or `missed`.
    let presence: String

    init(_ visit: VisitRecord, zone: ZonaHoraria) {
        startTime = visit.interval.inicio.texto(em: zone)
        endTime = visit.interval.fim.texto(em: zone)
        seats = visit.seats
        initials = Initials.of(visit.userName)
        presence = visit.presence
    }
}

/// A space's local day, for the display at its door.
struct DoorView: Encodable, Sendable {
    let spaceId: String
    let name: String
    let date: String
    let timezone: String
    let localTime: String
    let free: Bool
    let now: [DoorBookingView]
    let next: DoorBookingView?
    let bookings: [DoorBookingView]

    init(_ space: SpaceRecord, _ visits: [VisitRecord], on date: DataCivil, at time: Instante, zone: ZonaHoraria) {
        spaceId = space.data.espaco.texto
        name = space.data.ficha.nome
        self.date = date.texto
        timezone = zone.nome
        localTime = time.texto(em: zone)
        let current = visits.filter { $0.interval.contem(time) && $0.holds }
        free = current.reduce(0) { $0 + $1.seats } < space.data.ficha.lugares
        now = current.map { DoorBookingView($0, zone: zone) }
        next = visits.first { $0.interval.inicio > time && $0.holds }.map { DoorBookingView($0, zone: zone) }
        bookings = visits.map { DoorBookingView($0, zone: zone) }
    }
}

/// A booking on the floor, for the desk.
struct FloorBookingView: Encodable, Sendable {
    let reservationId: String
    let userId: String
    let userName: String
    let spaceId: String
    let spaceName: String
    let startTime: String
    let endTime: String
    let seats: Int
    let checkinTime: String?
    /// When they are taken to have left.
    let closesAt: String?
    /// Since when they should have come, or left, in whole minutes.
    let lateMinutes: Int?

    init(_ visit: VisitRecord, since: Instante?, at now: Instante, zone: ZonaHoraria) {
        reservationId = visit.booking.texto
        userId = visit.user.texto
        userName = visit.userName
        spaceId = visit.space.texto
        spaceName = visit.spaceName
        startTime = visit.interval.inicio.texto(em: zone)
        endTime = visit.interval.fim.texto(em: zone)
        seats = visit.seats
        checkinTime = visit.checkedInAt?.texto(em: zone)
        closesAt = visit.closesAt?.texto(em: zone)
        lateMinutes = since.flatMap { $0 <= now ? Minutos(completosEm: now - $0).valor : nil }
    }
}

/// Who is in a unit, who is to come, who should have come, who should have left.
struct FloorView: Encodable, Sendable {
    let unitId: String
    let timezone: String
    let localTime: String
    let present: [FloorBookingView]
    let overdue: [FloorBookingView]
    let expected: [FloorBookingView]
    let late: [FloorBookingView]

    init(_ unit: UnidadeID, _ visits: [VisitRecord], at now: Instante, zone: ZonaHoraria) {
        unitId = unit.texto
        timezone = zone.nome
        localTime = now.texto(em: zone)
        let (inside, outside) = (visits.filter(\.isIn), visits.filter { !$0.isIn })
        present = inside.filter { $0.interval.fim > now }.map { FloorBookingView($0, since: nil, at: now, zone: zone) }
        overdue = inside.filter { $0.interval.fim <= now }.map { FloorBookingView($0, since: $0.interval.fim, at: now, zone: zone) }
        expected = outside.filter { $0.interval.inicio > now }.map { FloorBookingView($0, since: nil, at: now, zone: zone) }
        late = outside.filter { $0.interval.inicio <= now }.map { FloorBookingView($0, since: $0.interval.inicio, at: now, zone: zone) }
    }
}

extension VisitRecord {
    fileprivate var presence: String {
        if status == .noShow { return "missed" }
        guard checkedInAt != nil else { return "expected" }
        return checkedOutAt == nil ? "in" : "left"
    }

    /// Whether the space is theirs: they came or may still, and have not left.
    fileprivate var holds: Bool { status != .noShow && checkedOutAt == nil }
}

enum Initials {
    /// The first letters of the first and the last name, nil where there is no name to show.
    static func of(_ name: String) -> String? {
        let words = name.split { !$0.isLetter && $0 != "'" && $0 != "-" }
        guard !name.hasPrefix("["), let first = words.first?.first else { return nil }
        let last = words.count > 1 ? words.last?.first : nil
        return ([first] + (last.map { [$0] } ?? [])).map { $0.uppercased() }.joined()
    }
}

/// A display at a door. Its token was told once.
struct DisplayView: Encodable, Sendable {
    let id: String
    let createdBy: String
    let createdAt: String
    let expiresAt: String
    /// When it was taken back.
    let revokedAt: String?

    init(_ display: DisplayRecord, zone: ZonaHoraria) {
        id = display.id.texto
        createdBy = display.createdBy.texto
        createdAt = display.createdAt.texto(em: zone)
        expiresAt = display.expiresAt.texto(em: zone)
        revokedAt = display.revokedAt?.texto(em: zone)
    }
}

import Domain
import HTTP
import Projections

/// How a range compares to as many days before it; nil where there was nothing to compare to.
struct GrowthView: Encodable, Sendable {
    let bookings: Double?
    let bookedRevenue: Double?
    let activeMembers: Double?

    init(_ figures: AnalyticsFigures) {
        bookings = Self.growth(figures.total.standing, figures.before.standing)
        bookedRevenue = Self.growth(figures.total.booked.centavos, figures.before.booked.centavos)
        activeMembers = Self.growth(figures.activeMembers, figures.activeMembersBefore)
    }

    private static func growth(_ now: Int64, _ before: Int64) -> Double? {
        before > 0 ? Double(now - before) / Double(before) : nil
    }
}

/// Figures one by one: of each day, unit or space.
struct FigureSeriesView: Encodable, Sendable {
    enum Key: String, Sendable, CaseIterable {
        case day
        case unit
        case space
    }

    struct Point: Encodable, Sendable {
        /// The date, or the id of the unit or space.
        let key: String
        /// Of the unit or space.
        let name: String?
        let bookings: Int64
        let reservations: BookingCountsView
        let occupiedMinutes: Int64
        let availableMinutes: Int64
        let occupancyRate: Double?
        let bookedRevenue: Double
        let bookedRevenueCents: Int64
        let bookedRevenuePerAvailableHour: Double?
        let averageLeadMinutes: Double?
        let cancellationRate: Double?
        let noShowRate: Double?

        fileprivate init(_ key: String, name: String? = nil, _ booked: BookingFigures, available: Int64) {
            let occupancy = OccupancyView(seconds: booked.occupiedSeconds, of: available)
            self.key = key
            self.name = name
            bookings = booked.standing
            reservations = BookingCountsView(booked)
            occupiedMinutes = occupancy.occupied
            availableMinutes = occupancy.available
            occupancyRate = occupancy.rate
            bookedRevenue = booked.booked.decimal
            bookedRevenueCents = booked.booked.centavos
            bookedRevenuePerAvailableHour = occupancy.available > 0 ? booked.booked.decimal * 60 / Double(occupancy.available) : nil
            averageLeadMinutes = booked.averageLeadMinutes
            cancellationRate = booked.cancellationRate
            noShowRate = booked.noShowRate
        }
    }

    let from: String
    let to: String
    let asOf: Int64?
    let by: String
    /// In order of date, or of name.
    let points: [Point]

    init(_ report: ReportView, by key: Key) {
        let (figures, available) = (report.figures, report.figures.available)
        from = report.range.from.texto
        to = report.range.to.texto
        asOf = report.asOf
        by = key.rawValue
        points =
            switch key {
            case .day:
                report.range.days.map { day in
                    Point(day.texto, figures.days[day] ?? BookingFigures(), available: available.days[day] ?? 0)
                }
            case .unit:
                Self.named(Set(figures.units.keys).union(available.units.keys), figures.unitNames) { unit, name in
                    Point(unit.texto, name: name, figures.units[unit] ?? BookingFigures(), available: available.units[unit] ?? 0)
                }
            case .space:
                Self.named(Set(figures.spaces.keys).union(available.spaces.keys), figures.names) { space, name in
                    Point(space.texto, name: name, figures.spaces[space] ?? BookingFigures(), available: available.spaces[space] ?? 0)
                }
            }
    }

    private static func named<Mark>(
        _ ids: Set<Identificador<Mark>>,
        _ names: [Identificador<Mark>: String],
        _ point: (Identificador<Mark>, String?) -> Point
    ) -> [Point] {
        ids.sorted { (names[$0] ?? "", $0) < (names[$1] ?? "", $1) }.map { point($0, names[$0]) }
    }
}

/// A unit's local day as it was recorded when it closed, in its latest revision.
struct ClosingView: Encodable, Sendable {
    struct Space: Encodable, Sendable {
        let spaceId: String
        let bookings: Int
        let noShow: Int
        let cancelled: Int
        let occupiedMinutes: Int64
        let availableMinutes: Int64
        let bookedRevenue: Double
        let bookedRevenueCents: Int64
    }

    let unitId: String
    let date: String
    let timezone: String
    let revision: Int
    let closedAt: String
    let spaces: [Space]

    init(_ closing: ClosingRecord, zone: ZonaHoraria) {
        unitId = closing.unit.texto
        date = closing.day.texto
        timezone = closing.timeZone
        revision = closing.revision
        closedAt = closing.closedAt.texto(em: zone)
        spaces = closing.spaces.map { space in
            Space(
                spaceId: space.espaco.texto,
                bookings: space.reservas,
                noShow: space.faltas,
                cancelled: space.canceladas,
                occupiedMinutes: space.ocupado / 60,
                availableMinutes: space.aberto / 60,
                bookedRevenue: space.valor.decimal,
                bookedRevenueCents: space.valor.centavos
            )
        }
    }
}

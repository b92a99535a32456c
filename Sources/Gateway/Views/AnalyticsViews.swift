import Domain
import HTTP
import Projections

/// What figures are about, at the head of each answer.
struct ReportView: Sendable {
    let figures: AnalyticsFigures
    let range: AnalyticsRange
    /// By whose days accounts are counted, and whose today the range ends with if none is asked for.
    let clock: ZonaHoraria
    /// The position up to which the log was looked at, where an earlier one was asked for.
    let asOf: Int64?
}

/// How bookings that begin in the range stand.
struct BookingCountsView: Encodable, Sendable {
    let pending: Int64
    let active: Int64
    let completed: Int64
    let cancelled: Int64
    let expired: Int64
    let noShow: Int64
    /// Somebody checked in.
    let attended: Int64

    init(_ figures: BookingFigures) {
        pending = figures.pending
        active = figures.active
        completed = figures.completed
        cancelled = figures.cancelled
        expired = figures.expired
        noShow = figures.noShows
        attended = figures.attended
    }
}

/// Time taken up beside the time there was, in minutes times seats.
struct OccupancyView: Sendable {
    let occupied: Int64
    let available: Int64

    init(seconds occupied: Int64, of available: Int64) {
        self.occupied = occupied / 60
        self.available = available / 60
    }

    /// Above 1 where hours were cut or seats taken away after the booking; nil where nothing was open.
    var rate: Double? { available > 0 ? Double(occupied) / Double(available) : nil }
}

/// A space and how much it was used.
struct SpaceUsageView: Encodable, Sendable {
    let spaceId: String
    let name: String?
    let bookings: Int64
    let occupiedMinutes: Int64
    let availableMinutes: Int64
    let occupancyRate: Double?
    let bookedRevenue: Double
    let bookedRevenueCents: Int64

    /// Every space that was open or booked, the most used first by `key`.
    static func all(_ report: ReportView, by key: (SpaceUsageView) -> (Int64, Int64)) -> [SpaceUsageView] {
        let figures = report.figures
        let spaces = Set(figures.spaces.keys).union(figures.available.spaces.keys)
        return spaces.map { SpaceUsageView($0, figures) }.sorted { a, b in
            key(a) == key(b) ? a.spaceId < b.spaceId : key(a) > key(b)
        }
    }

    private init(_ space: EspacoID, _ figures: AnalyticsFigures) {
        let booked = figures.spaces[space] ?? BookingFigures()
        let occupancy = OccupancyView(seconds: booked.occupiedSeconds, of: figures.available.spaces[space] ?? 0)
        spaceId = space.texto
        name = figures.names[space]
        bookings = booked.standing
        occupiedMinutes = occupancy.occupied
        availableMinutes = occupancy.available
        occupancyRate = occupancy.rate
        bookedRevenue = booked.booked.decimal
        bookedRevenueCents = booked.booked.centavos
    }
}

/// A date and what was booked for it.
struct DayUsageView: Encodable, Sendable {
    let date: String
    let bookings: Int64
    let reservations: BookingCountsView
    let occupiedMinutes: Int64
    let availableMinutes: Int64
    let occupancyRate: Double?
    let bookedRevenue: Double
    let bookedRevenueCents: Int64
    let newUsers: Int64

    init(_ date: DataCivil, _ figures: AnalyticsFigures) {
        let booked = figures.days[date] ?? BookingFigures()
        let occupancy = OccupancyView(seconds: booked.occupiedSeconds, of: figures.available.days[date] ?? 0)
        self.date = date.texto
        bookings = booked.standing
        reservations = BookingCountsView(booked)
        occupiedMinutes = occupancy.occupied
        availableMinutes = occupancy.available
        occupancyRate = occupancy.rate
        bookedRevenue = booked.booked.decimal
        bookedRevenueCents = booked.booked.centavos
        newUsers = figures.newAccounts[date] ?? 0
    }
}

/// The figures to begin a day with.
struct DashboardView: Encodable, Sendable {
    struct PeakHour: Encodable, Sendable {
        let hour: Int
        let occupiedMinutes: Int64
    }

    private static let listed = 5

    let from: String
    let to: String
    let timezone: String
    let asOf: Int64?
    let totalUsers: Int64
    let newUsers: Int64
    let activeMembers: Int64
    /// Of the active members, those who had no booking before.
    let newMembers: Int64
    let returningMembers: Int64
    let activeReservations: Int64
    let pendingReservations: Int64
    let reservations: BookingCountsView
    let occupiedMinutes: Int64
    let availableMinutes: Int64
    let occupancyRate: Double?
    let bookedRevenue: Double
    let bookedRevenueCents: Int64
    /// For each hour that a seat could be booked.
    let bookedRevenuePerAvailableHour: Double?
    let averageLeadMinutes: Double?
    let cancellationRate: Double?
    let expiryRate: Double?
    let noShowRate: Double?
    let growth: GrowthView
    let popularSpaces: [SpaceUsageView]
    let peakHours: [PeakHour]

    init(_ report: ReportView) {
        let figures = report.figures
        let total = figures.total
        let occupancy = OccupancyView(seconds: total.occupiedSeconds, of: figures.available.total)
        from = report.range.from.texto
        to = report.range.to.texto
        timezone = report.clock.nome
        asOf = report.asOf
        totalUsers = figures.accounts
        newUsers = figures.newAccounts.values.reduce(0, +)
        activeMembers = figures.activeMembers
        newMembers = figures.newMembers
        returningMembers = figures.activeMembers - figures.newMembers
        activeReservations = figures.activeNow
        pendingReservations = figures.pendingNow
        reservations = BookingCountsView(total)
        occupiedMinutes = occupancy.occupied
        availableMinutes = occupancy.available
        occupancyRate = occupancy.rate
        bookedRevenue = total.booked.decimal
        bookedRevenueCents = total.booked.centavos
        bookedRevenuePerAvailableHour =
            occupancy.available > 0 ? total.booked.decimal * 60 / Double(occupancy.available) : nil
        averageLeadMinutes = total.averageLeadMinutes
        cancellationRate = total.cancellationRate
        expiryRate = total.expiryRate
        noShowRate = total.noShowRate
        growth = GrowthView(figures)
        popularSpaces = Array(
            SpaceUsageView.all(report) { ($0.bookings, $0.occupiedMinutes) }.filter { $0.bookings > 0 }.prefix(Self.listed)
        )
        let hours = Dictionary(grouping: figures.hours, by: \.key.hour).mapValues { $0.reduce(0) { $0 + $1.value } }
        peakHours = hours.sorted { a, b in a.value == b.value ? a.key < b.key : a.value > b.value }
            .prefix(Self.listed)
            .map { PeakHour(hour: $0.key, occupiedMinutes: $0.value / 60) }
    }
}

/// How much is used, day by day and space by space.
struct UsageView: Encodable, Sendable {
    let from: String
    let to: String
    let timezone: String
    let asOf: Int64?
    /// A day of the range, on average.
    let dailyBookings: Double
    /// In minutes.
    let averageSessionDuration: Double?
    let mostUsedSpace: SpaceUsageView?
    let busiestDay: DayUsageView?
    let days: [DayUsageView]
    let spaces: [SpaceUsageView]

    init(_ report: ReportView) {
        let figures = report.figures
        from = report.range.from.texto
        to = report.range.to.texto
        timezone = report.clock.nome
        asOf = report.asOf
        days = report.range.days.map { DayUsageView($0, figures) }
        spaces = SpaceUsageView.all(report) { ($0.occupiedMinutes, $0.bookings) }
        dailyBookings = Double(figures.total.standing) / Double(days.count)
        averageSessionDuration = figures.total.averageSessionMinutes
        mostUsedSpace = spaces.first.flatMap { $0.occupiedMinutes > 0 ? $0 : nil }
        // Of days alike the first.
        busiestDay = days.filter { $0.bookings > 0 }.reversed()
            .max { ($0.bookings, $0.occupiedMinutes) < ($1.bookings, $1.occupiedMinutes) }
    }
}

/// When spaces are used in the course of a week.
struct HeatmapView: Encodable, Sendable {
    struct Cell: Encodable, Sendable {
        /// 1 for Monday to 7 for Sunday.
        let weekday: Int
        /// 0 to 23.
        let hour: Int
        let occupiedMinutes: Int64
        let availableMinutes: Int64
        let occupancyRate: Double?
    }

    let from: String
    let to: String
    let timezone: String
    let asOf: Int64?
    let cells: [Cell]

    init(_ report: ReportView) {
        from = report.range.from.texto
        to = report.range.to.texto
        timezone = report.clock.nome
        asOf = report.asOf
        cells = (1...7).flatMap { weekday in
            (0...23).map { hour in
                let place = HourOfWeek(weekday: weekday, hour: hour)
                let occupancy = OccupancyView(
                    seconds: report.figures.hours[place] ?? 0,
                    of: report.figures.available.hours[place] ?? 0
                )
                return Cell(
                    weekday: weekday,
                    hour: hour,
                    occupiedMinutes: occupancy.occupied,
                    availableMinutes: occupancy.available,
                    occupancyRate: occupancy.rate
                )
            }
        }
    }
}

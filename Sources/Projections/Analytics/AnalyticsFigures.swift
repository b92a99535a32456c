package import Domain

/// Figures of a range of local dates, all seen at one instant.
package struct AnalyticsFigures: Sendable {
    /// Of the whole range.
    package internal(set) var total = BookingFigures()
    /// Of each date on which a booking falls.
    package internal(set) var days: [DataCivil: BookingFigures] = [:]
    /// Of each space that is booked.
    package internal(set) var spaces: [EspacoID: BookingFigures] = [:]
    /// Of each unit that is booked.
    package internal(set) var units: [UnidadeID: BookingFigures] = [:]
    /// `BookingFigures.occupiedSeconds` by hour of the week.
    package internal(set) var hours: [HourOfWeek: Int64] = [:]
    /// Members with a booking that begins in the range and stands.
    package internal(set) var activeMembers: Int64 = 0
    /// Of them, those who had none before.
    package internal(set) var newMembers: Int64 = 0
    /// As many days before the range: the bookings that begin in them.
    package internal(set) var before = BookingFigures()
    /// As many days before the range: members with a booking that begins in them and stands.
    package internal(set) var activeMembersBefore: Int64 = 0
    /// Accounts, whenever they were registered.
    package internal(set) var accounts: Int64 = 0
    /// Accounts registered on each date of the range, by the wall clock of the report.
    package internal(set) var newAccounts: [DataCivil: Int64] = [:]
    /// Bookings that hold their slot unpaid now, whenever they are for.
    package internal(set) var pendingNow: Int64 = 0
    /// Bookings that stand and are not over now, whenever they are for.
    package internal(set) var activeNow: Int64 = 0
    /// When the spaces asked for were open.
    package internal(set) var available = AvailableTime()
    /// What the spaces asked for are called, inactive ones included.
    package internal(set) var names: [EspacoID: String] = [:]
    /// What their units are called.
    package internal(set) var unitNames: [UnidadeID: String] = [:]
}

/// An hour of the wall clock on a day of the week.
package struct HourOfWeek: Sendable, Hashable, Comparable {
    /// 1 for Monday to 7 for Sunday, as ISO 8601 counts.
    package let weekday: Int
    /// 0 to 23.
    package let hour: Int

    package init(weekday: Int, hour: Int) {
        self.weekday = weekday
        self.hour = hour
    }

    package static func < (a: Self, b: Self) -> Bool {
        (a.weekday, a.hour) < (b.weekday, b.hour)
    }
}

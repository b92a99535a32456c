import Domain
import Postgres

/// Where a booking stands, in the words of the API.
package enum BookingStatus: String, Sendable, Codable, CaseIterable {
    /// Holds its slot, not paid yet.
    case pending
    case active
    case completed
    case cancelled
    case expired
    case noShow = "no_show"
}

extension BookingStatus {
    /// Where a booking stands that has just been asked for.
    static func initial(of request: ReservaSolicitada) -> BookingStatus {
        request.expiraEm == nil ? .active : .pending
    }
}

extension PostgresValue {
    static func status(_ status: BookingStatus) -> PostgresValue {
        .text(status.rawValue)
    }
}

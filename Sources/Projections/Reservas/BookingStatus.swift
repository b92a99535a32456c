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

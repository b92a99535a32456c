package import Domain

/// Which spaces are wanted; nil is "any".
package struct SpaceFilter: Sendable, Equatable {
    package var unit: UnidadeID?
    package var type: TipoDeEspaco?
    package var minimumCapacity: Int?
    /// The space has all of them.
    package var amenities: [String]
    package var free: FreeTime?
    /// Whether spaces that are no longer let are wanted too.
    package var includesInactive: Bool

    package init(
        unit: UnidadeID? = nil,
        type: TipoDeEspaco? = nil,
        minimumCapacity: Int? = nil,
        amenities: [String] = [],
        free: FreeTime? = nil,
        includesInactive: Bool = false
    ) {
        self.unit = unit
        self.type = type
        self.minimumCapacity = minimumCapacity
        self.amenities = amenities
        self.free = free
        self.includesInactive = includesInactive
    }
}

/// A stretch in which seats are to be free, the buffers of each space included. Opening hours are not looked at: they are
/// for the domain to judge, from the data of each space found.
package struct FreeTime: Sendable, Equatable {
    package var interval: Intervalo
    package var seats: Int

    package init(interval: Intervalo, seats: Int = 1) {
        self.interval = interval
        self.seats = seats
    }
}

package import Domain

/// Which bookings are wanted; nil is "any".
package struct BookingFilter: Sendable, Equatable {
    /// Who asks; nil where everything may be seen.
    package var viewer: Ator?
    package var user: UsuarioID?
    package var space: EspacoID?
    package var unit: UnidadeID?
    package var status: BookingStatus?
    /// Bookings that end after this.
    package var from: Instante?
    /// Bookings that begin before this.
    package var to: Instante?

    package init(
        viewer: Ator? = nil,
        user: UsuarioID? = nil,
        space: EspacoID? = nil,
        unit: UnidadeID? = nil,
        status: BookingStatus? = nil,
        from: Instante? = nil,
        to: Instante? = nil
    ) {
        self.viewer = viewer
        self.user = user
        self.space = space
        self.unit = unit
        self.status = status
        self.from = from
        self.to = to
    }
}

import Domain
import HTTP
import Hummingbird
import Projections

/// Bookings: members see their own, the desk sees those of its units. Somebody else's is not there.
extension QueryRoutes {
    /// Bookings say where their charges stand.
    private static let models = ReservasQueries.models.union(PagamentosQueries.models)

    func addBookings(to doors: Doors) {
        doors.members.get("reservations", use: bookings)
        doors.members.get("reservations/{id}", use: booking)
        doors.members.get("reservations/user/{id}", use: bookingsOfUser)
        doors.members.get("admin/reservations", use: allBookings)
        doors.members.get("reservations/series", use: allSeries)
        doors.members.get("reservations/series/{id}", use: series)
        doors.members.get("reservations/waitlist", use: waitlist)
    }

    @Sendable private func booking(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let identity = try context.signedIn()
        let id: ReservaID = try context.id("id")
        return try await desk.answer(request, context, reading: Self.models) {
            guard let booking = try await reservas.booking(id), identity.actor.alcanca(booking.user, em: booking.unit) else {
                throw Problem.notFound
            }
            return BookingView(
                booking,
                payments: try await pagamentos.payments(of: [id])[id] ?? [],
                guests: try await reservas.guests(of: id),
                zone: try zones.zone(booking.schedule.fuso)
            )
        }
    }

    @Sendable private func bookings(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        try await list(of: try QueryParameters(request).id("user_id"), request, context)
    }

    @Sendable private func bookingsOfUser(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let user: UsuarioID = try context.id("id")
        return try await list(of: user, request, context)
    }

    @Sendable private func allBookings(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        _ = try context.signedIn(atLeast: .admin)
        return try await list(of: try QueryParameters(request).id("user_id"), request, context)
    }

    /// - Parameter user: nil for everybody whom the one who asks may see.
    private func list(of user: UsuarioID?, _ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let identity = try context.signedIn()
        if let user { try identity.require(mayLookUp: user) }
        let parameters = QueryParameters(request)
        var filter = BookingFilter(viewer: identity.actor)
        filter.user = user
        filter.space = try parameters.id("space_id")
        filter.unit = try parameters.id("unit_id")
        filter.status = try parameters.value("status", "pending, active, completed, cancelled, expired or no_show") {
            BookingStatus(rawValue: $0)
        }
        filter.from = try parameters.instant("from")
        filter.to = try parameters.instant("to")
        let limit = try parameters.limit()
        let cursor = try parameters.cursor()
        return try await desk.page(request, context, reading: Self.models) { [filter] in
            let page = try await reservas.bookings(filter, limit: limit, after: cursor)
            let payments = try await pagamentos.payments(of: page.items.map(\.id))
            let views = try page.items.map { booking in
                BookingView(booking, payments: payments[booking.id] ?? [], zone: try zones.zone(booking.schedule.fuso))
            }
            return QueryPage(items: views, next: page.next)
        }
    }
}

extension Identity {
    /// Whoever asks for a list of what is one member's is that member, or works at a desk. What the list has is for its query to say.
    ///
    /// - Throws: 404.
    func require(mayLookUp member: UsuarioID) throws(Problem) {
        guard user == member || role >= .recepcao else { throw .notFound }
    }
}

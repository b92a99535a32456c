import Domain
import HTTP
import Hummingbird
import Projections

/// Series: members see their own, the desk sees those of its units.
extension QueryRoutes {
    @Sendable func series(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let identity = try context.signedIn()
        let id: SerieID = try context.id("id")
        return try await desk.answer(request, context, reading: ReservasQueries.models) {
            guard let series = try await reservas.series(id), identity.actor.alcanca(series.user, em: series.unit) else {
                throw Problem.notFound
            }
            let bookings = try await reservas.bookings(of: id)
            return SeriesView(series, bookings, zone: try zones.zone(series.zone))
        }
    }

    @Sendable func allSeries(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let identity = try context.signedIn()
        let parameters = QueryParameters(request)
        let user = try parameters.member(for: identity)
        let space: EspacoID? = try parameters.id("space_id")
        let (limit, cursor) = (try parameters.limit(), try parameters.cursor())
        return try await desk.page(request, context, reading: ReservasQueries.models) {
            let page = try await reservas.series(visibleTo: identity.actor, user: user, space: space, limit: limit, after: cursor)
            return QueryPage(items: try page.items.map { SeriesSummaryView($0, zone: try zones.zone($0.series.zone)) }, next: page.next)
        }
    }

    @Sendable func waitlist(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let identity = try context.signedIn()
        let parameters = QueryParameters(request)
        let user = try parameters.member(for: identity)
        let space: EspacoID? = try parameters.id("space_id")
        let status: WaitlistStatus? = try parameters.choice("status")
        let (limit, cursor) = (try parameters.limit(), try parameters.cursor())
        return try await desk.page(request, context, reading: ReservasQueries.models) {
            let page = try await reservas.waitlist(
                visibleTo: identity.actor, user: user, space: space, status: status, limit: limit, after: cursor
            )
            return QueryPage(items: try page.items.map { WaitlistView($0, zone: try zones.zone($0.zone)) }, next: page.next)
        }
    }
}

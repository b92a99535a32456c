import Domain
import EventStore
import HTTP
import Hummingbird
import Projections

/// Figures for the staff, of the last days or of any others.
extension QueryRoutes {
    /// How many days are looked at if nobody says.
    private static let usualDays = 30
    /// The most days of a range.
    private static let longestRange = 366

    func addAnalytics(to doors: Doors) {
        doors.members.get("analytics/dashboard") { request, context in try await report(request, context, DashboardView.init) }
        doors.members.get("analytics/usage") { request, context in try await report(request, context, UsageView.init) }
        doors.members.get("analytics/heatmap") { request, context in try await report(request, context, HeatmapView.init) }
        doors.members.get("analytics/series") { request, context in
            let by: FigureSeriesView.Key = try QueryParameters(request).choice("by") ?? .day
            return try await report(request, context) { FigureSeriesView($0, by: by) }
        }
        doors.members.get("analytics/closings", use: closings)
    }

    private func report(
        _ request: Request,
        _ context: CoworkRequestContext,
        _ view: @Sendable (ReportView) -> some Encodable & Sendable
    ) async throws -> Response {
        let identity = try context.signedIn(atLeast: .recepcao)
        let clock = try zones.zone(Self.home)
        let parameters = QueryParameters(request)
        guard let wanted = try parameters.asOf() else {
            let range = try range(parameters, for: identity, today: clock.data(de: now))
            return try await desk.answer(request, context, reading: AnalyticsQueries.models) {
                let figures = try await AnalyticsQueries(pool: pool, zone: zones.zone).figures(range, clock: clock)
                return view(ReportView(figures: figures, range: range, clock: clock, asOf: nil))
            }
        }
        // A wrong range is refused before anything is looked up.
        _ = try range(parameters, for: identity, today: clock.data(de: now))
        // The log itself is asked, and has considered every position that a caller can know of: there is nothing to wait for.
        return try await desk.answer(request, context, reading: []) {
            let moment = try await history.moment(wanted, now: now)
            let range = try range(parameters, for: identity, today: clock.data(de: moment.time))
            let figures = try await history.figures(range, clock: clock, at: moment, zones: zones)
            return view(ReportView(figures: figures, range: range, clock: clock, asOf: moment.position.rawValue))
        }
    }

    /// The days of units as they were recorded when they closed.
    @Sendable private func closings(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let identity = try context.signedIn(atLeast: .recepcao)
        let range = try range(QueryParameters(request), for: identity, today: try zones.zone(Self.home).data(de: now))
        return try await desk.answer(request, context, reading: AnalyticsQueries.models) {
            try await AnalyticsQueries(pool: pool, zone: zones.zone).closings(range).map { closing in
                ClosingView(closing, zone: try zones.zone(closing.timeZone))
            }
        }
    }

    private func range(_ parameters: QueryParameters, for identity: Identity, today: DataCivil) throws(Problem) -> AnalyticsRange {
        let wanted = (from: try parameters.date("from"), to: try parameters.date("to"))
        let to = wanted.to ?? wanted.from?.somandoDias(Self.usualDays - 1) ?? today
        let from = wanted.from ?? to.somandoDias(1 - Self.usualDays)
        let (space, unit): (EspacoID?, UnidadeID?) = (try parameters.id("space"), try parameters.unit(for: identity))
        guard let range = AnalyticsRange(from: from, to: to, space: space, unit: unit) else {
            throw .invalid(field: "to", "must not be before from")
        }
        guard to < from.somandoDias(Self.longestRange) else {
            throw .invalid(field: "to", "must be within \(Self.longestRange) days of from")
        }
        return range
    }
}

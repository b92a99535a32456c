import Domain
import HTTP
import Hummingbird
import Projections

/// When spaces are free. Whose the bookings are is nobody's business here.
extension QueryRoutes {
    /// The most days of a calendar.
    private static let longestCalendar = 31

    func addCalendar(to doors: Doors) {
        doors.everybody.get("spaces/{id}/availability", use: availability)
        doors.everybody.get("calendar", use: calendar)
    }

    @Sendable private func availability(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let id: EspacoID = try context.id("id")
        let wanted = try QueryParameters(request).date("date")
        return try await desk.answer(request, context, reading: CatalogoQueries.models.union(AgendaQueries.models)) {
            guard let space = try await catalogo.space(id) else { throw Problem.notFound }
            let zone = try zones.zone(space.timeZone)
            let date = wanted ?? zone.data(de: now)
            guard space.active else { return AvailabilityView(of: space, closedOn: date) }
            let days = Vagas.diasDaAgenda(
                datas: [date],
                duracao: space.data.regras.duracaoMinima.duracao,
                espaco: space.data,
                zona: zone
            )
            let busy = try await Occupancy(agenda, [id], utcDays: days)
            let slots = Vagas(espaco: space.data, zona: zone, agendas: busy.agendas(of: id), agora: now)
            return AvailabilityView(of: space, slots.disponibilidade(em: date), zone: zone)
        }
    }

    /// Opening hours and taken times of many spaces on consecutive local dates: by default the week that begins today.
    @Sendable private func calendar(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let parameters = QueryParameters(request)
        let from = try parameters.date("from") ?? ZonaHoraria.utc.data(de: now)
        let to = try parameters.date("to") ?? from.somandoDias(6)
        guard from <= to else { throw Problem.invalid(field: "to", "must not be before from") }
        guard to < from.somandoDias(Self.longestCalendar) else {
            throw Problem.invalid(field: "to", "must be within \(Self.longestCalendar) days of from")
        }
        var filter = SpaceFilter()
        filter.unit = try parameters.id("unit")
        let limit = try parameters.limit()
        let cursor = try parameters.cursor()
        return try await desk.page(request, context, reading: CatalogoQueries.models.union(AgendaQueries.models)) {
            let page = try await catalogo.spaces(filter, limit: limit, after: cursor)
            // A local date lies within the UTC day before, its own and the one after.
            let days = (from.diasDesde1970 - 1...to.diasDesde1970 + 1).map(DataCivil.init(diasDesde1970:))
            let busy = try await Occupancy(agenda, page.items.map(\.data.espaco), utcDays: days)
            let dates = (from.diasDesde1970...to.diasDesde1970).map(DataCivil.init(diasDesde1970:))
            let views = try page.items.map { space in
                CalendarView(
                    of: space,
                    on: dates,
                    taken: busy.agendas(of: space.data.espaco).perfil(),
                    zone: try zones.zone(space.timeZone)
                )
            }
            return QueryPage(items: views, next: page.next)
        }
    }
}

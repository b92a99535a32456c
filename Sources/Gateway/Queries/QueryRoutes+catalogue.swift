import Domain
import HTTP
import HTTPTypes
import Hummingbird
import Projections

/// Units, spaces, prices: what there is to book.
extension QueryRoutes {
    func addCatalogue(to doors: Doors) {
        doors.everybody.get("units", use: units)
        doors.everybody.get("units/{id}", use: unit)
        doors.everybody.get("units/{id}/tariff", use: tariff)
        doors.everybody.get("plans", use: plans)
        doors.everybody.get("spaces", use: spaces)
        doors.everybody.get("spaces/{id}", use: space)
    }

    @Sendable private func units(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        try await desk.answer(request, context, reading: CatalogoQueries.models) {
            try await catalogo.units().map { try UnitView($0, zone: zones.zone($0.timeZone)) }
        }
    }

    @Sendable private func unit(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let id: UnidadeID = try context.id("id")
        return try await desk.answer(request, context, reading: CatalogoQueries.models) {
            let unit = try await existingUnit(id)
            return UnitView(unit, zone: try zones.zone(unit.timeZone))
        }
    }

    /// The tariff in force for bookings that begin on a local date.
    @Sendable private func tariff(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let id: UnidadeID = try context.id("id")
        let date = try QueryParameters(request).date("date")
        return try await desk.answer(request, context, reading: CatalogoQueries.models) {
            let zone = try zones.zone(try await existingUnit(id).timeZone)
            guard let tariff = try await catalogo.tariff(of: id, on: date ?? zone.data(de: now)) else { throw Problem.notFound }
            return TariffView(tariff, zone: zone)
        }
    }

    @Sendable private func plans(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        try await desk.answer(request, context, reading: CatalogoQueries.models) {
            try await catalogo.plans().map(PlanView.init)
        }
    }

    /// With `free_from` and `free_to`, a page can have fewer spaces than its limit though more follow: those closed by
    /// their hours are left out after the page was read.
    @Sendable private func spaces(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let parameters = QueryParameters(request)
        let filter = try await spaceFilter(parameters, context)
        let limit = try parameters.limit()
        let cursor = try parameters.cursor()
        return try await desk.page(request, context, reading: CatalogoQueries.models(for: filter)) {
            let page = try await catalogo.spaces(filter, limit: limit, after: cursor)
            let open = try page.items.filter { try isOpen($0, at: filter.free) }
            let rates = try await ratesToday(of: open)
            return QueryPage(items: try open.map { try view(of: $0, rates) }, next: page.next)
        }
    }

    @Sendable private func space(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let id: EspacoID = try context.id("id")
        return try await desk.answer(request, context, reading: CatalogoQueries.models) {
            guard let space = try await catalogo.space(id) else { throw Problem.notFound }
            return try view(of: space, try await ratesToday(of: [space]))
        }
    }

    private func existingUnit(_ id: UnidadeID) async throws -> UnitRecord {
        guard let unit = try await catalogo.unit(id) else { throw Problem.notFound }
        return unit
    }

    private func spaceFilter(_ parameters: QueryParameters, _ context: CoworkRequestContext) async throws -> SpaceFilter {
        var filter = SpaceFilter()
        filter.unit = try parameters.id("unit")
        filter.type = try parameters.choice("type")
        filter.minimumCapacity = try parameters.number("capacity", in: 1...10_000)
        filter.amenities = try parameters.text("amenities")?.split(separator: ",").map(String.init) ?? []
        filter.free = try await freeTime(parameters, unit: filter.unit)
        if try parameters.flag("include_inactive") == true {
            _ = try context.signedIn(atLeast: .recepcao)
            filter.includesInactive = true
        }
        return filter
    }

    private func freeTime(_ parameters: QueryParameters, unit: UnidadeID?) async throws -> FreeTime? {
        let seats = try parameters.number("seats", in: 1...10_000) ?? 1
        switch (try parameters.text("free_from"), try parameters.text("free_to")) {
        case (nil, nil): return nil
        case (nil, _): throw Problem.invalid(field: "free_from", "is required with free_to")
        case (_, nil): throw Problem.invalid(field: "free_to", "is required with free_from")
        case (let from?, let to?):
            let start = try await instant(from, "free_from", unit: unit)
            let end = try await instant(to, "free_to", unit: unit)
            guard let interval = Intervalo(inicio: start, fim: end) else {
                throw Problem.invalid(field: "free_to", "must be after free_from")
            }
            guard interval.duracao <= .horas(24 * 31) else {
                throw Problem.invalid(field: "free_to", "must be within 31 days of free_from")
            }
            return FreeTime(interval: interval, seats: seats)
        }
    }

    /// A local time is read on the wall clock of the unit that is asked for; without one it names no moment.
    private func instant(_ text: String, _ field: String, unit: UnidadeID?) async throws -> Instante {
        if let instant = Instante(text) { return instant }
        guard let unit, let record = try await catalogo.unit(unit) else {
            throw Problem.invalid(
                field: field, "must be a time with an offset, such as 2026-03-01T09:00:00-03:00, or a local time with 'unit'")
        }
        return try TimeInput.instant(text, field: field, zone: try zones.zone(record.timeZone))
    }

    private func isOpen(_ space: SpaceRecord, at time: FreeTime?) throws -> Bool {
        guard let interval = time?.interval else { return true }
        let zone = try zones.zone(space.timeZone)
        let first = zone.data(de: interval.inicio).somandoDias(-1)
        let last = zone.data(de: interval.fim).somandoDias(1)
        return space.data.aberturas(de: first, ate: last, zona: zone).contains { $0.contem(interval) }
    }

    /// The tariffs of the spaces' units that are in force on the units' today.
    private func ratesToday(of spaces: [SpaceRecord]) async throws -> [UnidadeID: TariffRecord] {
        var units: [DataCivil: Set<UnidadeID>] = [:]
        for space in spaces {
            units[try zones.zone(space.timeZone).data(de: now), default: []].insert(space.data.unidade)
        }
        var tariffs: [UnidadeID: TariffRecord] = [:]
        for (date, units) in units {
            tariffs.merge(try await catalogo.tariffs(of: Array(units), on: date)) { $1 }
        }
        return tariffs
    }

    private func view(of space: SpaceRecord, _ rates: [UnidadeID: TariffRecord]) throws -> SpaceView {
        SpaceView(space, rate: rates[space.data.unidade]?.rate(for: space.data), zone: try zones.zone(space.timeZone))
    }
}

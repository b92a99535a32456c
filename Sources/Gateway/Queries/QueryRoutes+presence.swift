import Domain
import FoundationEssentials
import HTTP
import HTTPTypes
import Hummingbird
import Projections

/// Who is here: for the desk with names, for the display at a door without.
extension QueryRoutes {
    /// How far ahead the desk sees who is expected, in minutes, if nobody says.
    private static let usualHorizon = 120
    /// More than can be in a unit at a time that anybody looks at.
    private static let longestFloor = 1000

    func addPresence(to doors: Doors) {
        doors.members.get("checkin/floor", use: floor)
        doors.everybody.get("spaces/{id}/day", use: day)
        doors.members.get("spaces/{id}/displays", use: displaysOfSpace)
    }

    @Sendable private func floor(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        _ = try context.signedIn(atLeast: .recepcao)
        let parameters = QueryParameters(request)
        guard let unit: UnidadeID = try parameters.id("unit") else { throw Problem.invalid(field: "unit", "is required") }
        _ = try context.signedIn(workingIn: unit)
        let horizon = try parameters.number("minutes", in: 0...1440) ?? Self.usualHorizon
        let now = now
        return try await desk.answer(request, context, reading: PresencasQueries.models) {
            guard let known = try await catalogo.unit(unit) else { throw Problem.notFound }
            let visits = try await presencas.floor(of: unit, at: now, until: now + .minutos(horizon), limit: Self.longestFloor)
            return FloorView(unit, visits, at: now, zone: try zones.zone(known.timeZone))
        }
    }

    /// Staff, or a display with its token in `CoworkFlow-Display`.
    @Sendable private func day(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let id: EspacoID = try context.id("id")
        let now = now
        let token = request.headers[.display]
        if let token {
            guard let code = displays.code(token), code.subject == id, now < code.expires,
                try await !presencas.isRevoked(code.id)
            else { throw Problem.unauthenticated }
        } else {
            _ = try context.signedIn(atLeast: .recepcao)
        }
        let wanted = try QueryParameters(request).date("date")
        return try await desk.answer(request, context, reading: PresencasQueries.models) {
            guard let space = try await catalogo.space(id) else { throw Problem.notFound }
            if token == nil { _ = try context.signedIn(workingIn: space.data.unidade) }
            let zone = try zones.zone(space.timeZone)
            let date = wanted ?? zone.data(de: now)
            let visits = if let interval = zone.dia(date) { try await presencas.day(of: id, during: interval) } else { [] as [VisitRecord] }
            return DoorView(space, visits, on: date, at: now, zone: zone)
        }
    }
}

extension QueryRoutes {
    @Sendable private func displaysOfSpace(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        _ = try context.signedIn(atLeast: .recepcao)
        let id: EspacoID = try context.id("id")
        let now = now
        return try await desk.answer(request, context, reading: PresencasQueries.models) {
            guard let space = try await catalogo.space(id) else { throw Problem.notFound }
            _ = try context.signedIn(workingIn: space.data.unidade)
            let zone = try zones.zone(space.timeZone)
            return try await presencas.displays(of: id, at: now).map { DisplayView($0, zone: zone) }
        }
    }
}

extension HTTPField.Name {
    /// What a display at a door shows that it is one.
    fileprivate static let display: HTTPField.Name = {
        guard let name = HTTPField.Name("CoworkFlow-Display") else { preconditionFailure("CoworkFlow-Display is no header name") }
        return name
    }()
}

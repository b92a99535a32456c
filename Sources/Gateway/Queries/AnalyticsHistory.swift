import Domain
import EventStore
import HTTP
import HTTPTypes
import Postgres
import Projections

/// A state of the log that is asked for.
enum AsOf: Sendable, Equatable {
    /// Everything up to this position.
    case position(Position)
    /// Everything recorded at this time or before.
    case time(Instante)
}

/// Figures as they were at an earlier state of the log.
///
/// They come from a read model that is built for it, which takes more than reading: the role that keeps read models. The gateway holds
/// two connections of that role rather than asking the process that keeps the live ones. Such a question would need a way there
/// and back, with its own limits and failures, to keep from the gateway what adds little to what it can do already: it reads every
/// read model and signs whom a request is from. The log itself stays out of reach, since only the recorder may add to it. A
/// gateway whose login lacks the role answers everything else, and this with 503.
struct AnalyticsHistory: Sendable {
    /// A place in the log and the time that is now there.
    struct Moment: Sendable {
        let position: Position
        let time: Instante
    }

    /// How long a query waits for what it asks for to be built.
    private static let patience = Duration.seconds(10)

    let past: PastReadModels
    /// For the figures themselves, which take no more than reading.
    let pool: PostgresPool

    /// - Throws: 422 for what is still to come.
    func moment(_ wanted: AsOf, now: Instante) async throws -> Moment {
        switch wanted {
        case .position(let position):
            guard position <= (try await past.head()) else { throw Problem.future }
            let time = position > .start ? try await past.time(of: position) : nil
            return Moment(position: position, time: time.map(Instante.init(microssegundos:)) ?? now)
        case .time(let time):
            guard time <= now else { throw Problem.future }
            return Moment(position: try await past.position(at: time.microssegundos), time: time)
        }
    }

    func figures(
        _ range: AnalyticsRange,
        clock: ZonaHoraria,
        at moment: Moment,
        zones: ZoneCatalog
    ) async throws -> AnalyticsFigures {
        do {
            return try await past.with(AnalyticsModel().name, asOf: moment.position, patience: Self.patience) { schema in
                try await AnalyticsQueries(pool: pool, schema: schema, zone: zones.zone).figures(range, clock: clock)
            }
        } catch let problem as PastReadModels.Problem {
            throw Problem(problem)
        }
    }
}

extension Problem {
    fileprivate static let future = Problem(
        .unprocessableContent,
        code: "as_of_in_the_future",
        detail: "as_of: nothing can be said of what is still to come."
    )

    fileprivate init(_ problem: PastReadModels.Problem) {
        let detail =
            switch problem {
            case .building: "The figures of that time are being put together from the log. Ask again in a moment."
            case .full: "As many earlier states as there may be are in use. Ask again in a moment."
            case .unavailable: "Earlier states cannot be put together right now. Ask again in a moment."
            }
        self.init(.serviceUnavailable, code: "unavailable", detail: detail)
        retryAfter = 5
    }
}

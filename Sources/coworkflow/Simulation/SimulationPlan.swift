import Domain

/// What is to be simulated.
struct SimulationPlan: Sendable {
    /// When the business opens and when the simulation ends.
    let start: Instante
    let end: Instante
    /// Decides every wish and every habit: the same plan has the same figures.
    let seed: UInt64
    /// How many bookings are wanted a day, on average.
    let bookingsPerDay: Int

    /// Whole days of the business's zone.
    ///
    /// - Throws: `Settings.Problem`-like sentences for a span that cannot be.
    init(from first: DataCivil?, days: Int, seed: UInt64, bookingsPerDay: Int, zone: ZonaHoraria, now: Instante) throws {
        guard (1...366).contains(days) else { throw SimulationError.wrong("--days must be from 1 to 366") }
        let today = zone.data(de: now)
        let first = first ?? today.somandoDias(-days)
        let after = first.somandoDias(days)
        guard first >= Self.earliest else {
            throw SimulationError.wrong("--start must be \(Self.earliest) or later: prices begin with that year")
        }
        guard after <= today else {
            throw SimulationError.wrong("--start \(first) and --days \(days) end after today: a log holds nothing of the future")
        }
        try self.init(start: zone.inicioDoDia(first), end: zone.inicioDoDia(after), seed: seed, bookingsPerDay: bookingsPerDay)
    }

    init(start: Instante, end: Instante, seed: UInt64, bookingsPerDay: Int) throws {
        guard (1...2000).contains(bookingsPerDay) else { throw SimulationError.wrong("--bookings-per-day must be from 1 to 2000") }
        self.start = start
        self.end = end
        self.seed = seed
        self.bookingsPerDay = bookingsPerDay
    }

    /// The first day that the demo's tariffs hold on.
    static let earliest = DataCivil(ano: 2024, mes: 1, dia: 1) ?? DataCivil(diasDesde1970: 0)

    var days: Int { Int((end - start).microssegundos / Duracao.horas(24).microssegundos) }
}

/// Why a simulation cannot go on.
enum SimulationError: Error, CustomStringConvertible {
    case wrong(String)
    case notEmpty
    case restless(String)
    case answered(String, status: Int, String)
    case stopped

    var description: String {
        switch self {
        case .wrong(let sentence): sentence
        case .notEmpty: "the log of COWORKFLOW_POSTGRES_URL is not empty: a simulation begins with a database of its own"
        case .restless(let what): "the simulation cannot go on, because the system does not come to rest: \(what)"
        case .answered(let request, let status, let body): "the simulation cannot go on: \(request) was answered \(status): \(body)"
        case .stopped: "stopped before the simulation was over: what it has recorded stays"
        }
    }
}

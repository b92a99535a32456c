package import Domain

/// How long seats could be booked: opening hours less closures and holidays, times the seats, in seconds. Each day counts as it was
/// defined when it ended: what is changed later does not change figures of the past, and for days to come the latest holds.
package struct AvailableTime: Sendable, Equatable {
    package private(set) var total: Int64 = 0
    package private(set) var days: [DataCivil: Int64] = [:]
    package private(set) var spaces: [EspacoID: Int64] = [:]
    package private(set) var units: [UnidadeID: Int64] = [:]
    package private(set) var hours: [HourOfWeek: Int64] = [:]

    package init() {}

    /// Counts the time that a space is open during the dates of a range.
    ///
    /// - Parameters:
    ///   - unit: of the space; where its events do not say the zone, the space is not open.
    ///   - zone: the rules of a zone by its name.
    mutating func add(
        _ space: CatalogueHistory.Space,
        in unit: CatalogueHistory.Unit,
        during range: AnalyticsRange,
        zone: (String) throws -> ZonaHoraria
    ) rethrows {
        var days = range.days[...]
        while let first = days.first {
            guard let setting = try Setting(space, unit, endOf: first, zone) else {
                days = days.dropFirst()
                continue
            }
            // As long as nothing is defined anew, the days are looked at together.
            var last = first
            days = days.dropFirst()
            while let next = days.first, try Setting(space, unit, endOf: next, zone)?.version == setting.version {
                last = next
                days = days.dropFirst()
            }
            add(setting, from: first, to: last)
        }
    }

    private mutating func add(_ setting: Setting, from first: DataCivil, to last: DataCivil) {
        guard case .ativo(let data) = setting.space() else { return }
        let seats = Int64(data.ficha.lugares)
        for opening in data.aberturas(de: first, ate: last, zona: setting.zone) {
            for stretch in setting.zone.trechosLocais(de: opening) {
                let from = stretch.de.microssegundos / 1_000_000
                let to = stretch.ate.microssegundos / 1_000_000
                let seconds = (to - from) * seats
                total += seconds
                days[stretch.dia, default: 0] += seconds
                spaces[data.espaco, default: 0] += seconds
                units[data.unidade, default: 0] += seconds
                for hour in from / 3600...(to - 1) / 3600 {
                    let part = min(to, (hour + 1) * 3600) - max(from, hour * 3600)
                    hours[HourOfWeek(weekday: stretch.dia.diaDaSemana.iso, hour: Int(hour)), default: 0] += part * seats
                }
            }
        }
    }

    /// What was defined by the end of a day.
    private struct Setting {
        struct Version: Equatable {
            let space: Int
            let zone: String
        }

        let version: Version
        let zone: ZonaHoraria
        private let history: CatalogueHistory.Space

        /// - Returns: nil where there was no such space yet.
        init?(
            _ space: CatalogueHistory.Space,
            _ unit: CatalogueHistory.Unit,
            endOf day: DataCivil,
            _ zones: (String) throws -> ZonaHoraria
        ) rethrows {
            // When a day ends is for the zone to say that holds then: the last one that was defined before its own midnight.
            var current: (zone: ZonaHoraria, end: Instante)?
            for definition in unit.zones {
                let zone = try zones(definition.name)
                let end = zone.inicioDoDia(day.somandoDias(1))
                guard definition.at < end else { break }
                current = (zone, end)
            }
            guard let current else { return nil }
            let count = space.events.prefix { $0.at < current.end }.count
            guard count > 0 else { return nil }
            zone = current.zone
            history = space
            version = Version(space: count, zone: current.zone.nome)
        }

        func space() -> Espaco {
            history.events.prefix(version.space).reduce(.inicial) { $0.evoluindo(com: $1.event) }
        }
    }
}

extension DiaDaSemana {
    /// 1 for Monday to 7 for Sunday.
    fileprivate var iso: Int {
        switch self {
        case .segunda: 1
        case .terca: 2
        case .quarta: 3
        case .quinta: 4
        case .sexta: 5
        case .sabado: 6
        case .domingo: 7
        }
    }
}

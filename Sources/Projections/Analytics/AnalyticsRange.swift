package import Domain

/// What figures are asked for: local dates, both included, each by the wall clock of its booking's unit.
package struct AnalyticsRange: Sendable, Equatable {
    package let from: DataCivil
    package let to: DataCivil
    /// Only this space; nil for all.
    package let space: EspacoID?
    /// Only spaces of this unit; nil for all.
    package let unit: UnidadeID?

    /// - Returns: nil where `to` comes before `from`.
    package init?(from: DataCivil, to: DataCivil, space: EspacoID? = nil, unit: UnidadeID? = nil) {
        guard from <= to else { return nil }
        self.from = from
        self.to = to
        self.space = space
        self.unit = unit
    }

    /// As many days before it.
    package var before: AnalyticsRange {
        let length = to.diasDesde1970 - from.diasDesde1970 + 1
        return AnalyticsRange(from: from.somandoDias(-Int(length)), to: from.somandoDias(-1), space: space, unit: unit) ?? self
    }

    package var days: [DataCivil] {
        (from.diasDesde1970...to.diasDesde1970).map(DataCivil.init(diasDesde1970:))
    }
}

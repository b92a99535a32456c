/// The months that a decision looks at, open or closed.
package struct Periodos: Sendable {
    private let estados: [MesCivil: Periodo]

    /// - Parameter estados: The state of each month; a month without events is `Periodo.inicial`, not absent.
    package init(_ estados: [MesCivil: Periodo]) {
        self.estados = estados
    }

    /// The months to be loaded besides these, so that every entry of these months finds one that is open.
    package var faltantes: Set<MesCivil> {
        Set(estados.filter { $0.value != .aberto }.map(\.key.seguinte)).subtracting(estados.keys)
    }

    /// The day that an entry counts on: the day itself, or the first of the next month that is open.
    /// Traps when a month on the way was not given: deciding without it could change a closed month.
    package func diaContabil(de fato: DataCivil) -> DataCivil {
        var mes = MesCivil(de: fato)
        while true {
            guard let estado = estados[mes] else { preconditionFailure("month not loaded") }
            if estado == .aberto { return mes == MesCivil(de: fato) ? fato : mes.primeiroDia }
            mes = mes.seguinte
        }
    }
}

/// A stretch of local time in which a space is closed, whatever its hours say.
package struct Fechamento: Hashable, Sendable, Codable {
    package let id: FechamentoID
    package let periodo: PeriodoLocal
    /// Shown to members.
    package let motivo: String

    package init(
        id: FechamentoID,
        periodo: PeriodoLocal,
        motivo: String
    ) {
        self.id = id
        self.periodo = periodo
        self.motivo = motivo
    }
}

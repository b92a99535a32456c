/// Minutes of one lot of credits.
package struct ParcelaDeLote: Hashable, Sendable, Codable {
    package let lote: LoteID
    package let minutos: Minutos

    package init(lote: LoteID, minutos: Minutos) {
        self.lote = lote
        self.minutos = minutos
    }
}

/// Where a lot of credits comes from.
package enum OrigemDosCreditos: String, Sendable, Codable {
    /// A period of a subscription includes it.
    case plano
    /// Staff granted it.
    case equipe
}

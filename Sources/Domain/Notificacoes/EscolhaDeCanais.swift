/// Where somebody wants to be told about one kind of thing; nowhere is a choice too.
package struct EscolhaDeCanais: Hashable, Sendable, Codable {
    package let tipo: TipoDeAviso
    /// Each once, in their order.
    package let canais: [Canal]

    package init(tipo: TipoDeAviso, canais: Set<Canal>) {
        self.tipo = tipo
        self.canais = canais.sorted()
    }
}

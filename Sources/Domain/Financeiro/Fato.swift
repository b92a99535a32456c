/// Something recorded that the ledger may follow from.
package struct Fato: Hashable, Sendable {
    package let id: EventoID
    package let fluxo: NomeDeFluxo
    package let evento: EventoDoDominio

    package init(id: EventoID, fluxo: NomeDeFluxo, evento: EventoDoDominio) {
        self.id = id
        self.fluxo = fluxo
        self.evento = evento
    }

    package static func == (a: Fato, b: Fato) -> Bool {
        a.id == b.id
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }

    var causa: CausaDoLancamento {
        CausaDoLancamento(evento: id, tipo: evento.tipo, fluxo: fluxo.texto)
    }
}

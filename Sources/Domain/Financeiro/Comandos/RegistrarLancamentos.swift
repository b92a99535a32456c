/// Enters into the ledger what follows from what happened and is not there yet.
package struct RegistrarLancamentos: Hashable, Sendable {
    package let propostos: [LancamentoProposto]
    package let agora: Instante

    package init(
        propostos: [LancamentoProposto],
        agora: Instante
    ) {
        self.propostos = propostos
        self.agora = agora
    }

    /// - Parameters:
    ///   - estados: Of the stream of each proposed entry.
    ///   - periodos: The months of the proposed entries, and `Periodos.faltantes` of them.
    package func decidir(estados: [LancamentoID: Lancamento], periodos: Periodos) -> [EventosDoFluxo] {
        propostos.filter { estados[$0.lancamento, default: .inexistente] == .inexistente }
            .map { $0.registrado(em: periodos, agora: agora) }
    }
}

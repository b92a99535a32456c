/// Tags for `Identificador`; they have no values.
package enum MarcaDeLancamento {}
package enum MarcaDeDespesa {}

/// An entry of the ledger. What an event caused has the id of that event.
package typealias LancamentoID = Identificador<MarcaDeLancamento>
/// An expense.
package typealias DespesaID = Identificador<MarcaDeDespesa>

extension Identificador {
    /// The same bits as the id of something else, where one thing takes its id from another.
    func como<Outra>(_ tipo: Identificador<Outra>.Type = Identificador<Outra>.self) -> Identificador<Outra> {
        Identificador<Outra>(alto: alto, baixo: baixo)
    }
}

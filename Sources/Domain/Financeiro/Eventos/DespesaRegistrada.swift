/// Money was spent. Its entry in the ledger is in the same append and has the id of the expense.
package struct DespesaRegistrada: Evento {
    package static let tipo = "financeiro.DespesaRegistrada"

    package let despesa: DespesaID
    package let categoria: CategoriaDeDespesa
    /// The day of the expense, on the calendar of whoever recorded it.
    package let data: DataCivil
    package let valor: Dinheiro
    /// Absent for what no unit bears alone.
    package let unidade: UnidadeID?
    /// In the words and under the key of whoever recorded it.
    package let memo: Selado?
    package let por: UsuarioID
    package let em: Instante

    package init(
        despesa: DespesaID,
        categoria: CategoriaDeDespesa,
        data: DataCivil,
        valor: Dinheiro,
        unidade: UnidadeID? = nil,
        memo: Selado? = nil,
        por: UsuarioID,
        em: Instante
    ) {
        self.despesa = despesa
        self.categoria = categoria
        self.data = data
        self.valor = valor
        self.unidade = unidade
        self.memo = memo
        self.por = por
        self.em = em
    }
}

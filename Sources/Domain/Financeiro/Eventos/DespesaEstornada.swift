/// An expense was taken back, wholly: it was wrong. The entry that reverses it is in the same append.
package struct DespesaEstornada: Evento {
    package static let tipo = "financeiro.DespesaEstornada"

    package let despesa: DespesaID
    package let lancamento: LancamentoID
    /// In the words and under the key of whoever took it back.
    package let motivo: Selado?
    package let por: UsuarioID
    package let em: Instante

    package init(
        despesa: DespesaID,
        lancamento: LancamentoID,
        motivo: Selado? = nil,
        por: UsuarioID,
        em: Instante
    ) {
        self.despesa = despesa
        self.lancamento = lancamento
        self.motivo = motivo
        self.por = por
        self.em = em
    }
}

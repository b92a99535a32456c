/// Takes an expense back by the entry that reverses it. What was recorded stays.
package struct EstornarDespesa: Hashable, Sendable {
    package let despesa: DespesaID
    /// Of the entry that reverses it; a new one.
    package let lancamento: LancamentoID
    package let motivo: Selado?
    package let ator: Ator
    package let agora: Instante

    package init(
        despesa: DespesaID,
        lancamento: LancamentoID,
        motivo: Selado?,
        ator: Ator,
        agora: Instante
    ) {
        self.despesa = despesa
        self.lancamento = lancamento
        self.motivo = motivo
        self.ator = ator
        self.agora = agora
    }

    /// - Parameters:
    ///   - original: The entry of the expense: `Despesa.lancamento`.
    ///   - periodos: The month of the expense, and `Periodos.faltantes` of it.
    package func decidir(
        despesa estado: Despesa,
        original: Lancamento,
        periodos: Periodos
    ) throws(RecusaDeFinanceiro) -> [EventosDoFluxo] {
        guard ator.opera else { throw .soEquipe }
        switch (estado, original) {
        case (.inexistente, _), (.registrada, .inexistente): throw .despesaNaoEncontrada
        case (.estornada(let registro), _):
            guard ator.responde(por: registro.unidade) else { throw .despesaNaoEncontrada }
            return []
        case (.registrada(let registro), .registrado(let lancado)):
            guard ator.responde(por: registro.unidade) else { throw .despesaNaoEncontrada }
            let estorno = DespesaEstornada(despesa: despesa, lancamento: lancamento, motivo: motivo, por: ator.usuario, em: agora)
            let reverso = LancamentoProposto(
                lancamento: lancamento,
                historico: .estornoDeDespesa,
                partidas: lancado.partidas.invertidas,
                data: registro.data,
                unidade: registro.unidade,
                assunto: .despesa(despesa),
                causa: nil
            )
            return [
                EventosDoFluxo(.despesa(despesa), financeiro: .despesaEstornada(estorno)),
                reverso.registrado(em: periodos, agora: agora),
            ]
        }
    }
}

extension DespesaID {
    /// The entry that an expense of this id is recorded with.
    package var lancamento: LancamentoID { como() }
}

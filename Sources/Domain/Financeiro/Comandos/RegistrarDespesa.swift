/// Records money that was spent, and its entry in the ledger.
package struct RegistrarDespesa: Hashable, Sendable {
    /// More than any expense of a business like this: what is above it is a slip of the keyboard.
    package static let maiorValor = Dinheiro(centavos: 10_000_000_000)

    package let despesa: DespesaID
    package let categoria: CategoriaDeDespesa
    package let data: DataCivil
    package let valor: Dinheiro
    package let unidade: UnidadeID?
    package let memo: Selado?
    package let ator: Ator
    /// The latest date that it is anywhere at `agora`, or where the unit is.
    package let hoje: DataCivil
    package let agora: Instante

    package init(
        despesa: DespesaID,
        categoria: CategoriaDeDespesa,
        data: DataCivil,
        valor: Dinheiro,
        unidade: UnidadeID?,
        memo: Selado?,
        ator: Ator,
        hoje: DataCivil,
        agora: Instante
    ) {
        self.despesa = despesa
        self.categoria = categoria
        self.data = data
        self.valor = valor
        self.unidade = unidade
        self.memo = memo
        self.ator = ator
        self.hoje = hoje
        self.agora = agora
    }

    /// - Parameter periodos: The month of `data`, and `Periodos.faltantes` of it.
    package func decidir(despesa estado: Despesa, periodos: Periodos) throws(RecusaDeFinanceiro) -> [EventosDoFluxo] {
        guard ator.opera else { throw .soEquipe }
        guard ator.responde(por: unidade) else { throw .outraUnidade }
        if estado != .inexistente { return [] }
        guard valor > .zero, valor <= Self.maiorValor else { throw .campoInvalido(.valor) }
        guard data <= hoje else { throw .despesaNoFuturo(hoje: hoje) }
        guard let partidas = Partidas(debitar: [(.despesas(categoria), valor)], creditar: [(.caixa, valor)]) else {
            throw .campoInvalido(.valor)
        }
        let registro = DespesaRegistrada(
            despesa: despesa,
            categoria: categoria,
            data: data,
            valor: valor,
            unidade: unidade,
            memo: memo,
            por: ator.usuario,
            em: agora
        )
        let lancamento = LancamentoProposto(
            lancamento: despesa.como(),
            historico: .despesa,
            partidas: partidas,
            data: data,
            unidade: unidade,
            assunto: .despesa(despesa),
            causa: nil
        )
        return [
            EventosDoFluxo(.despesa(despesa), financeiro: .despesaRegistrada(registro)),
            lancamento.registrado(em: periodos, agora: agora),
        ]
    }
}

/// An entry that follows from something, before it is known which month takes it.
package struct LancamentoProposto: Hashable, Sendable {
    package let lancamento: LancamentoID
    package let historico: HistoricoDoLancamento
    package let partidas: Partidas
    /// The local day of what it records.
    package let data: DataCivil
    package let unidade: UnidadeID?
    package let assunto: AssuntoDoLancamento
    package let causa: CausaDoLancamento?

    package var fluxo: NomeDeFluxo { .lancamento(lancamento) }
    package var mes: MesCivil { MesCivil(de: data) }

    /// - Parameter periodos: At least `mes`, and `Periodos.faltantes` of it.
    func registrado(em periodos: Periodos, agora: Instante) -> EventosDoFluxo {
        let dia = periodos.diaContabil(de: data)
        let registro = LancamentoRegistrado(
            lancamento: lancamento,
            historico: historico,
            partidas: partidas,
            data: dia,
            dataDoFato: dia == data ? nil : data,
            unidade: unidade,
            assunto: assunto,
            causa: causa,
            em: agora
        )
        return EventosDoFluxo(fluxo, financeiro: .lancamentoRegistrado(registro))
    }
}

/// The ledger has one more entry.
package struct LancamentoRegistrado: Evento {
    package static let tipo = "financeiro.LancamentoRegistrado"

    package let lancamento: LancamentoID
    package let historico: HistoricoDoLancamento
    package let partidas: Partidas
    /// The local day that it counts on.
    package let data: DataCivil
    /// The local day of what it records, where the month of that day was closed and the entry adjusts it from the next one open.
    package let dataDoFato: DataCivil?
    /// Absent for what belongs to no unit.
    package let unidade: UnidadeID?
    package let assunto: AssuntoDoLancamento
    /// Absent for what is recorded together with its cause.
    package let causa: CausaDoLancamento?
    package let em: Instante

    package init(
        lancamento: LancamentoID,
        historico: HistoricoDoLancamento,
        partidas: Partidas,
        data: DataCivil,
        dataDoFato: DataCivil? = nil,
        unidade: UnidadeID? = nil,
        assunto: AssuntoDoLancamento,
        causa: CausaDoLancamento? = nil,
        em: Instante
    ) {
        self.lancamento = lancamento
        self.historico = historico
        self.partidas = partidas
        self.data = data
        self.dataDoFato = dataDoFato
        self.unidade = unidade
        self.assunto = assunto
        self.causa = causa
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case lancamento
        case historico
        case partidas
        case data
        case dataDoFato = "data_do_fato"
        case unidade
        case assunto
        case causa
        case em
    }
}

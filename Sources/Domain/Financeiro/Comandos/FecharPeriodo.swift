/// Closes a month.
package struct FecharPeriodo: Hashable, Sendable {
    package let mes: MesCivil
    package let por: Autoridade
    package let agora: Instante

    package init(
        mes: MesCivil,
        por: Autoridade,
        agora: Instante
    ) {
        self.mes = mes
        self.por = por
        self.agora = agora
    }

    /// - Parameter pendencias: What is not done yet of that month. It may have changed since it was looked up: an entry that comes
    ///   later guards the month, and goes to the next.
    package func decidir(periodo estado: Periodo, pendencias: PendenciasDoMes) throws(RecusaDeFinanceiro) -> [EventosDoFluxo] {
        guard por.gere else { throw .soGestao }
        guard por.respondePorTudo else { throw .outraUnidade }
        guard estado == .aberto else { return [] }
        guard agora >= mes.fimEmTodaParte else { throw .mesEmCurso(mes) }
        guard pendencias.nenhuma else { throw .mesComPendencias(mes, pendencias) }
        let fechamento = PeriodoFechado(mes: mes, por: por.usuario, em: agora)
        return [EventosDoFluxo(.periodo(mes), financeiro: .periodoFechado(fechamento))]
    }
}

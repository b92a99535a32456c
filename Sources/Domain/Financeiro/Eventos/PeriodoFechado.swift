/// A month is closed: it takes no more entries. What still comes about it adjusts the next month that is open.
package struct PeriodoFechado: Evento {
    package static let tipo = "financeiro.PeriodoFechado"

    package let mes: MesCivil
    /// Absent when the command line closed it.
    package let por: UsuarioID?
    package let em: Instante

    package init(
        mes: MesCivil,
        por: UsuarioID? = nil,
        em: Instante
    ) {
        self.mes = mes
        self.por = por
        self.em = em
    }
}

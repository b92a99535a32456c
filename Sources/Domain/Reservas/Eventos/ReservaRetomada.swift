/// A booking that had expired takes its slot again, because it was paid late. Its confirmation follows in the same append.
package struct ReservaRetomada: Evento {
    package static let tipo = "reservas.ReservaRetomada"

    package let reserva: ReservaID
    package let espaco: EspacoID
    package let unidade: UnidadeID
    package let horario: HorarioDaReserva
    /// What paid it.
    package let pagamento: PagamentoID
    package let em: Instante

    package init(
        reserva: ReservaID,
        espaco: EspacoID,
        unidade: UnidadeID,
        horario: HorarioDaReserva,
        pagamento: PagamentoID,
        em: Instante
    ) {
        self.reserva = reserva
        self.espaco = espaco
        self.unidade = unidade
        self.horario = horario
        self.pagamento = pagamento
        self.em = em
    }
}

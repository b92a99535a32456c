/// What keeps a month from being closed.
package struct PendenciasDoMes: Hashable, Sendable {
    /// How many are named.
    package static let mostradas = 20

    /// Bookings that ended in the month and whose end was not recorded yet, `mostradas` at most.
    package let reservas: [ReservaID]
    package let quantasReservas: Int
    /// Entries that are due and not made yet.
    package let lancamentos: Int
    /// Events of the month that were not looked at yet.
    package let eventos: Int
    /// Events that could not be looked at: an operator has to.
    package let separados: Int

    package init(reservas: [ReservaID], quantasReservas: Int, lancamentos: Int, eventos: Int, separados: Int) {
        self.reservas = reservas
        self.quantasReservas = quantasReservas
        self.lancamentos = lancamentos
        self.eventos = eventos
        self.separados = separados
    }

    package static let zero = PendenciasDoMes(reservas: [], quantasReservas: 0, lancamentos: 0, eventos: 0, separados: 0)

    var nenhuma: Bool { quantasReservas == 0 && lancamentos == 0 && eventos == 0 && separados == 0 }

    func frase(em idioma: Idioma) -> String {
        var partes: [String] = []
        if quantasReservas > 0 {
            let nomes = reservas.map(\.texto).joined(separator: ", ") + (quantasReservas > reservas.count ? ", …" : "")
            partes.append(
                idioma.escolher(
                    "reservas não concluídas: \(quantasReservas) (\(nomes))", "bookings not completed: \(quantasReservas) (\(nomes))")
            )
        }
        if lancamentos > 0 {
            partes.append(idioma.escolher("lançamentos por fazer: \(lancamentos)", "entries to be made: \(lancamentos)"))
        }
        if eventos > 0 {
            partes.append(idioma.escolher("eventos por considerar: \(eventos)", "events to be considered: \(eventos)"))
        }
        if separados > 0 {
            partes.append(idioma.escolher("eventos separados: \(separados)", "events set aside: \(separados)"))
        }
        return partes.joined(separator: "; ")
    }
}

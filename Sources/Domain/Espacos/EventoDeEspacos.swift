/// All that can happen in `espacos`: units and their spaces.
package enum EventoDeEspacos: EventoDeContexto {
    case unidadeCriada(UnidadeCriada)
    case unidadeAtualizada(UnidadeAtualizada)
    case espacoCriado(EspacoCriado)
    case espacoAtualizado(EspacoAtualizado)
    case horarioDefinido(HorarioDefinido)
    case fechamentoDefinido(FechamentoDefinido)
    case fechamentoRemovido(FechamentoRemovido)
    case regrasDeReservaDefinidas(RegrasDeReservaDefinidas)
    case espacoDesativado(EspacoDesativado)
    case espacoReativado(EspacoReativado)

    package static let leitores: [LeitorDeEvento<EventoDeEspacos>] = [
        LeitorDeEvento(UnidadeCriada.self, EventoDeEspacos.unidadeCriada),
        LeitorDeEvento(UnidadeAtualizada.self, EventoDeEspacos.unidadeAtualizada),
        LeitorDeEvento(EspacoCriado.self, EventoDeEspacos.espacoCriado),
        LeitorDeEvento(EspacoAtualizado.self, EventoDeEspacos.espacoAtualizado),
        LeitorDeEvento(HorarioDefinido.self, EventoDeEspacos.horarioDefinido),
        LeitorDeEvento(FechamentoDefinido.self, EventoDeEspacos.fechamentoDefinido),
        LeitorDeEvento(FechamentoRemovido.self, EventoDeEspacos.fechamentoRemovido),
        LeitorDeEvento(RegrasDeReservaDefinidas.self, EventoDeEspacos.regrasDeReservaDefinidas),
        LeitorDeEvento(EspacoDesativado.self, EventoDeEspacos.espacoDesativado),
        LeitorDeEvento(EspacoReativado.self, EventoDeEspacos.espacoReativado),
    ]

    package var evento: any Evento {
        switch self {
        case .unidadeCriada(let evento): evento
        case .unidadeAtualizada(let evento): evento
        case .espacoCriado(let evento): evento
        case .espacoAtualizado(let evento): evento
        case .horarioDefinido(let evento): evento
        case .fechamentoDefinido(let evento): evento
        case .fechamentoRemovido(let evento): evento
        case .regrasDeReservaDefinidas(let evento): evento
        case .espacoDesativado(let evento): evento
        case .espacoReativado(let evento): evento
        }
    }

    package init?(_ evento: EventoDoDominio) {
        guard case .espacos(let meu) = evento else { return nil }
        self = meu
    }
}

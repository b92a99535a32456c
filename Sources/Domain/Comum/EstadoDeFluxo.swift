/// What a decider knows of one stream, folded from its events.
package protocol EstadoDeFluxo: Sendable, Equatable {
    associatedtype Eventos: EventoDeContexto

    /// Before the first event.
    static var inicial: Self { get }

    /// The state after one more event. Never fails: what happened, happened. Events that belong to other
    /// streams of the context leave it as it is.
    func evoluindo(com evento: Eventos) -> Self
}

extension EstadoDeFluxo {
    /// The state after one more event of the log.
    package func evoluindo(com evento: EventoDoDominio) -> Self {
        guard let meu = Eventos(evento) else { return self }
        return evoluindo(com: meu)
    }

    /// The state after all events of a stream, in order.
    package static func dobrar(_ eventos: some Sequence<EventoDoDominio>) -> Self {
        eventos.reduce(inicial) { estado, evento in estado.evoluindo(com: evento) }
    }
}

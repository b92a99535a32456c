/// What a decider knows of one stream, folded from its events.
package protocol EstadoDeFluxo: Sendable, Equatable {
    associatedtype Eventos: EventoDeContexto

    /// Before the first event.
    static var inicial: Self { get }

    /// The state after one more event. Never fails: what happened, happened. Events that belong to other
    /// streams of the context leave it as it is.
    ///
    /// A fold hands its state over, so that a state which grows with its stream can change in place: copied with each event it would
    /// take time by the square of their number.
    consuming func evoluindo(com evento: Eventos) -> Self
}

extension EstadoDeFluxo {
    /// The state after one more event of the log.
    package func evoluindo(com evento: EventoDoDominio) -> Self {
        guard let meu = Eventos(evento) else { return self }
        return evoluindo(com: meu)
    }

    /// The state after all events of a stream, in order.
    package static func dobrar(_ eventos: some Sequence<EventoDoDominio>) -> Self {
        var estado = inicial
        for evento in eventos {
            guard let meu = Eventos(evento) else { continue }
            estado = (consume estado).evoluindo(com: meu)
        }
        return estado
    }
}

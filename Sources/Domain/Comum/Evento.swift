/// Something that happened, as it is stored for ever. Fields may be added as optionals; anything else is a new
/// `versaoDoEsquema` and a promoter in `CodecDeEventos`.
package protocol Evento: Codable, Sendable, Equatable {
    /// `context.NameInThePast`. Written out, never derived: the log outlives the names of Swift types.
    static var tipo: String { get }
    /// The schema version that this build writes.
    static var versaoDoEsquema: Int { get }
}

extension Evento {
    package static var versaoDoEsquema: Int { 1 }
}

/// All that can happen in one context, as a sum type over its events.
package protocol EventoDeContexto: Sendable, Equatable {
    /// How each type of this context is read; one entry a case.
    static var leitores: [LeitorDeEvento<Self>] { get }
    /// The event inside.
    var evento: any Evento { get }
    /// Takes an event of this context out of the whole domain's; `nil` for other contexts'.
    init?(_ evento: EventoDoDominio)
}

/// How one stored type becomes a case of its context's sum type.
package struct LeitorDeEvento<Soma: Sendable>: Sendable {
    package let tipo: String
    package let versaoDoEsquema: Int
    let ler: @Sendable (LeituraDeCarga) throws -> Soma

    init<E: Evento>(_ evento: E.Type, _ caso: @escaping @Sendable (E) -> Soma) {
        tipo = E.tipo
        versaoDoEsquema = E.versaoDoEsquema
        ler = { carga in caso(try carga.ler(E.self)) }
    }

    init<E: Evento & LidoDaForma>(_ evento: E.Type, _ caso: @escaping @Sendable (E) -> Soma) {
        tipo = E.tipo
        versaoDoEsquema = E.versaoDoEsquema
        ler = { carga in caso(try carga.ler(direto: E.self)) }
    }
}

/// Anything that can happen in the domain.
package enum EventoDoDominio: Sendable, Equatable {
    case usuarios(EventoDeUsuarios)
    case espacos(EventoDeEspacos)
    case precos(EventoDePrecos)
    case reservas(EventoDeReservas)

    /// The event inside.
    package var evento: any Evento {
        switch self {
        case .usuarios(let caso): caso.evento
        case .espacos(let caso): caso.evento
        case .precos(let caso): caso.evento
        case .reservas(let caso): caso.evento
        }
    }

    /// The stored type, `context.NameInThePast`.
    package var tipo: String { type(of: evento).tipo }

    static let leitores: [LeitorDeEvento<EventoDoDominio>] =
        EventoDeUsuarios.leitores.map { $0.elevado(EventoDoDominio.usuarios) }
        + EventoDeEspacos.leitores.map { $0.elevado(EventoDoDominio.espacos) }
        + EventoDePrecos.leitores.map { $0.elevado(EventoDoDominio.precos) }
        + EventoDeReservas.leitores.map { $0.elevado(EventoDoDominio.reservas) }
}

extension LeitorDeEvento {
    private init(tipo: String, versaoDoEsquema: Int, ler: @escaping @Sendable (LeituraDeCarga) throws -> Soma) {
        self.tipo = tipo
        self.versaoDoEsquema = versaoDoEsquema
        self.ler = ler
    }

    func elevado<Maior>(_ caso: @escaping @Sendable (Soma) -> Maior) -> LeitorDeEvento<Maior> {
        LeitorDeEvento<Maior>(tipo: tipo, versaoDoEsquema: versaoDoEsquema) { [ler] carga in caso(try ler(carga)) }
    }
}

/// The events that a decision appends to one stream, in order.
package struct EventosDoFluxo: Sendable, Equatable {
    package let fluxo: NomeDeFluxo
    package let eventos: [EventoDoDominio]

    package init(_ fluxo: NomeDeFluxo, _ eventos: [EventoDoDominio]) {
        self.fluxo = fluxo
        self.eventos = eventos
    }

    init(_ fluxo: NomeDeFluxo, usuarios evento: EventoDeUsuarios) {
        self.init(fluxo, [.usuarios(evento)])
    }

    init(_ fluxo: NomeDeFluxo, espacos eventos: EventoDeEspacos...) {
        self.init(fluxo, eventos.map(EventoDoDominio.espacos))
    }

    init(_ fluxo: NomeDeFluxo, precos evento: EventoDePrecos) {
        self.init(fluxo, [.precos(evento)])
    }

    init(_ fluxo: NomeDeFluxo, reservas eventos: EventoDeReservas...) {
        self.init(fluxo, eventos.map(EventoDoDominio.reservas))
    }
}

/// A form in which events are stored: the name of a type and a version of its schema.
package protocol FormaDeEvento: Decodable, Sendable {
    associatedtype Atual: Evento
    /// `context.NameInThePast`. Written out, never derived: the log outlives the names of Swift types.
    static var tipo: String { get }
    static var versaoDoEsquema: Int { get }
    /// The event as this build knows it.
    func atual() throws -> Atual
}

/// Something that happened, as it is stored for ever. Fields may be added as optionals; anything else is a new
/// `versaoDoEsquema` (or a new `tipo`), and what was stored before becomes an `EventoAntigo`.
package protocol Evento: FormaDeEvento, Codable, Equatable where Atual == Self {}

extension Evento {
    /// The schema version that this build writes.
    package static var versaoDoEsquema: Int { 1 }
    package func atual() -> Self { self }
}

/// A form that earlier builds wrote and this one only reads: the fields as they were stored, under the name and the version that they
/// were stored with, and how they become the next form, which is the event of today or another old one. The compiler holds the chain
/// together. One stored event becomes one event of today, never several and never none: positions, versions of streams, command ids
/// and the progress of readers all count stored events.
package protocol EventoAntigo: FormaDeEvento {
    associatedtype Promovido: FormaDeEvento where Promovido.Atual == Atual
    /// The next form, from nothing but what is stored in this one. Throws when the stored values contradict each other.
    func promovido() throws -> Promovido
}

extension EventoAntigo {
    package func atual() throws -> Promovido.Atual {
        do { return try promovido().atual() } catch { throw FalhaDePromocao() }
    }
}

/// A promoter threw; what, it does not say: it may be personal.
struct FalhaDePromocao: Error {}

/// All that can happen in one context, as a sum type over its events.
package protocol EventoDeContexto: Sendable, Equatable {
    /// How each stored form of this context is read: an entry for each case, and one for each form that earlier builds wrote.
    static var leitores: [LeitorDeEvento<Self>] { get }
    /// The event inside.
    var evento: any Evento { get }
    /// Takes an event of this context out of the whole domain's; `nil` for other contexts'.
    init?(_ evento: EventoDoDominio)
}

/// How one stored form becomes a case of its context's sum type.
package struct LeitorDeEvento<Soma: Sendable>: Sendable {
    package let forma: FormaGravada
    /// The type that it is read as. Another than the form's after a type was renamed.
    package let tipoAtual: String
    let ler: @Sendable (LeituraDeCarga) throws -> Soma

    /// For an event of today.
    package init<E: Evento>(_ evento: E.Type, _ caso: @escaping @Sendable (E) -> Soma) {
        self.init(forma: FormaGravada(evento), tipoAtual: E.tipo) { carga in caso(try carga.ler(E.self)) }
    }

    /// For an event of today that is read so often that it is worth an initialiser of its own.
    init<E: Evento & LidoDaForma>(_ evento: E.Type, _ caso: @escaping @Sendable (E) -> Soma) {
        self.init(forma: FormaGravada(evento), tipoAtual: E.tipo) { carga in caso(try carga.ler(direto: E.self)) }
    }

    /// For a form that is only read.
    package init<A: EventoAntigo>(antigo: A.Type, _ caso: @escaping @Sendable (A.Atual) -> Soma) {
        self.init(forma: FormaGravada(antigo), tipoAtual: A.Atual.tipo) { carga in caso(try carga.ler(A.self).atual()) }
    }

    private init(forma: FormaGravada, tipoAtual: String, ler: @escaping @Sendable (LeituraDeCarga) throws -> Soma) {
        self.forma = forma
        self.tipoAtual = tipoAtual
        self.ler = ler
    }

    func elevado<Maior>(_ caso: @escaping @Sendable (Soma) -> Maior) -> LeitorDeEvento<Maior> {
        LeitorDeEvento<Maior>(forma: forma, tipoAtual: tipoAtual) { [ler] carga in caso(try ler(carga)) }
    }
}

/// The name and the schema version that an event is stored with.
package struct FormaGravada: Hashable, Sendable {
    package let tipo: String
    package let versao: Int

    package init(tipo: String, versao: Int) {
        self.tipo = tipo
        self.versao = versao
    }

    init<F: FormaDeEvento>(_ forma: F.Type) {
        self.init(tipo: F.tipo, versao: F.versaoDoEsquema)
    }
}

/// Anything that can happen in the domain.
package enum EventoDoDominio: Sendable, Equatable {
    case usuarios(EventoDeUsuarios)
    case espacos(EventoDeEspacos)
    case precos(EventoDePrecos)
    case reservas(EventoDeReservas)
    case notificacoes(EventoDeNotificacoes)
    case pagamentos(EventoDePagamentos)
    case checkin(EventoDeCheckin)
    case analytics(EventoDeAnalytics)
    case financeiro(EventoDeFinanceiro)

    /// The event inside.
    package var evento: any Evento {
        switch self {
        case .usuarios(let caso): caso.evento
        case .espacos(let caso): caso.evento
        case .precos(let caso): caso.evento
        case .reservas(let caso): caso.evento
        case .notificacoes(let caso): caso.evento
        case .pagamentos(let caso): caso.evento
        case .checkin(let caso): caso.evento
        case .analytics(let caso): caso.evento
        case .financeiro(let caso): caso.evento
        }
    }

    /// The stored type, `context.NameInThePast`.
    package var tipo: String { type(of: evento).tipo }

    /// How every stored form is read.
    package static let leitores: [LeitorDeEvento<EventoDoDominio>] =
        EventoDeUsuarios.leitores.map { $0.elevado(EventoDoDominio.usuarios) }
        + EventoDeEspacos.leitores.map { $0.elevado(EventoDoDominio.espacos) }
        + EventoDePrecos.leitores.map { $0.elevado(EventoDoDominio.precos) }
        + EventoDeReservas.leitores.map { $0.elevado(EventoDoDominio.reservas) }
        + EventoDeNotificacoes.leitores.map { $0.elevado(EventoDoDominio.notificacoes) }
        + EventoDePagamentos.leitores.map { $0.elevado(EventoDoDominio.pagamentos) }
        + EventoDeCheckin.leitores.map { $0.elevado(EventoDoDominio.checkin) }
        + EventoDeAnalytics.leitores.map { $0.elevado(EventoDoDominio.analytics) }
        + EventoDeFinanceiro.leitores.map { $0.elevado(EventoDoDominio.financeiro) }
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

    init(_ fluxo: NomeDeFluxo, precos eventos: EventoDePrecos...) {
        self.init(fluxo, eventos.map(EventoDoDominio.precos))
    }

    init(_ fluxo: NomeDeFluxo, reservas eventos: EventoDeReservas...) {
        self.init(fluxo, eventos.map(EventoDoDominio.reservas))
    }

    init(_ fluxo: NomeDeFluxo, notificacoes eventos: EventoDeNotificacoes...) {
        self.init(fluxo, eventos.map(EventoDoDominio.notificacoes))
    }

    init(_ fluxo: NomeDeFluxo, pagamentos eventos: EventoDePagamentos...) {
        self.init(fluxo, eventos.map(EventoDoDominio.pagamentos))
    }

    init(_ fluxo: NomeDeFluxo, checkin eventos: [EventoDeCheckin]) {
        self.init(fluxo, eventos.map(EventoDoDominio.checkin))
    }

    init(_ fluxo: NomeDeFluxo, analytics evento: EventoDeAnalytics) {
        self.init(fluxo, [.analytics(evento)])
    }

    init(_ fluxo: NomeDeFluxo, financeiro evento: EventoDeFinanceiro) {
        self.init(fluxo, [.financeiro(evento)])
    }
}

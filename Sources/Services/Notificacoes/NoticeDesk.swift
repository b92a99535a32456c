package import Domain
package import EventStore
import FoundationEssentials
package import HTTP

/// Finds out whom to tell what, in which words and over which channels.
package struct NoticeDesk: Sendable {
    private static let namespace = UUID.v5(namespace: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), name: "notice".utf8)

    private let reader: LogReader
    private let keyring: Keyring
    private let zones: ZoneCatalog
    private let channels: Set<Canal>

    /// - Parameter channels: those over which something can be sent.
    package init(reader: LogReader, keyring: Keyring, zones: ZoneCatalog, channels: Set<Canal>) {
        self.reader = reader
        self.keyring = keyring
        self.zones = zones
        self.channels = channels
    }

    /// The same cause gives the same message, however often it comes.
    static func id(cause: UUID, notice: TipoDeAviso, user: UsuarioID, channel: Canal) -> NotificacaoID {
        let name = "\(cause.uuidString.lowercased())\n\(notice.rawValue)\n\(user.texto)\n\(channel.rawValue)"
        return NotificacaoID(UUID.v5(namespace: namespace, name: name.utf8))
    }

    /// Tells the owner of a booking what became of it: one message a channel that they want.
    ///
    /// - Parameter cause: the event; what is told is how the booking stood after it.
    func tell(
        _ notice: TipoDeAviso,
        of booking: ReservaID,
        because cause: UUID,
        at now: Instante,
        _ loader: StreamLoader
    ) async throws -> [EventosDoFluxo] {
        guard let (data, version) = try await state(of: booking, after: cause) else { return [] }
        let streams = try await loader.load([.usuario(data.usuario), .preferencias(data.usuario)])
        switch Conta.dobrar(streams[.usuario(data.usuario)] ?? []) {
        case .inexistente, .apagada: return []
        case .ativa, .bloqueada: break
        }
        let preferences = Preferencias.dobrar(streams[.preferencias(data.usuario)] ?? [])
        let wanted = preferences.canais(para: notice).filter(channels.contains)
        guard !wanted.isEmpty, let words = try await words(notice, of: data) else { return [] }
        let ids = wanted.map { Self.id(cause: cause, notice: notice, user: data.usuario, channel: $0) }
        let states = try await loader.load(ids.map { .notificacao($0) })
        let zone = try preferences.silencio.map { try zones.zone($0.fuso) }
        var decided: [EventosDoFluxo] = []
        for (channel, id) in zip(wanted, ids) {
            let language = preferences.idioma
            let request = NotificacaoSolicitada(
                notificacao: id,
                aviso: notice,
                canal: channel,
                destinatario: data.usuario,
                idioma: language,
                titulo: try await loader.seal(words.titulo(em: language.idioma), of: data.usuario, field: "titulo", with: keyring),
                texto: try await loader.seal(words.texto(em: language.idioma), of: data.usuario, field: "texto", with: keyring),
                reserva: booking,
                versaoDaReserva: version,
                causa: EventoID(cause),
                enviarEm: preferences.enviarEm(channel, agora: now, zona: zone),
                em: now
            )
            decided += SolicitarNotificacao(request).decidir(notificacao: .dobrar(states[.notificacao(id)] ?? []))
        }
        return decided
    }

    /// A booking after one of its events. What happened before it cannot change any more, so it guards nothing.
    private func state(of booking: ReservaID, after cause: UUID) async throws -> (DadosDaReserva, Int)? {
        let name = NomeDeFluxo.reserva(booking).texto
        let events = try await reader.streams([name])[name] ?? []
        guard let place = events.firstIndex(where: { $0.id == cause }) else { return nil }
        return Reserva.dobrar(try events[...place].map(reader.decoded.event)).dados.map { ($0, place + 1) }
    }

    /// A booking as it was when its stream had so many events.
    func booking(_ id: ReservaID, version: Int) async throws -> (data: DadosDaReserva, changed: Instante)? {
        let name = NomeDeFluxo.reserva(id).texto
        let events = try await reader.streams([name])[name]?.prefix(version) ?? []
        guard let last = events.last else { return nil }
        return Reserva.dobrar(try events.map(reader.decoded.event)).dados.map { ($0, Instante(microssegundos: last.recordedAt)) }
    }

    /// Nil where space or unit are not there, which only a damaged log could show.
    func words(_ notice: TipoDeAviso, of booking: DadosDaReserva) async throws -> AvisoDeReserva? {
        let names = [NomeDeFluxo.espaco(booking.espaco), .unidade(booking.unidade)].map(\.texto)
        let streams = try await reader.streams(names)
        func events(_ name: String) throws -> [EventoDoDominio] { try (streams[name] ?? []).map(reader.decoded.event) }
        guard let space = Espaco.dobrar(try events(names[0])).dados, case .criada(let unit) = Unidade.dobrar(try events(names[1])) else {
            return nil
        }
        return AvisoDeReserva(
            aviso: notice, reserva: booking, espaco: space.ficha.nome, unidade: unit.nome, endereco: unit.endereco
        )
    }
}

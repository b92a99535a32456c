package import Domain
package import EventStore
import FoundationEssentials
package import HTTP

/// Finds out whom to tell what, in which words and over which channels.
package struct NoticeDesk: Sendable {
    private static let namespace = UUID.v5(namespace: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), name: "notice".utf8)

    /// On whose wall clock it is told what belongs to no unit.
    private static let home = "America/Sao_Paulo"

    private let reader: LogReader
    private let keyring: Keyring
    private let zones: ZoneCatalog
    private let channels: Set<Canal>
    private let roster: StaffRoster

    /// - Parameter channels: those over which something can be sent.
    package init(reader: LogReader, keyring: Keyring, zones: ZoneCatalog, channels: Set<Canal>) {
        self.reader = reader
        self.keyring = keyring
        self.zones = zones
        self.channels = channels
        roster = StaffRoster(reader: reader)
    }

    /// The same cause gives the same message, however often it comes.
    static func id(cause: UUID, notice: TipoDeAviso, user: UsuarioID, channel: Canal) -> NotificacaoID {
        let name = "\(cause.uuidString.lowercased())\n\(notice.rawValue)\n\(user.texto)\n\(channel.rawValue)"
        return NotificacaoID(UUID.v5(namespace: namespace, name: name.utf8))
    }

    /// Everybody who may be told something that is told to a role; nil for what is told to whom it concerns.
    func staff(for notice: TipoDeAviso) async throws -> [UsuarioID]? {
        guard let role = notice.papel else { return nil }
        return try await roster.everybody(atLeast: role)
    }

    /// Tells of an event: one message a person and a channel that they want.
    ///
    /// - Parameters:
    ///   - stream: where the event is.
    ///   - cause: the event; what is told is how things stood after it.
    ///   - staff: who may be told; nil where it is told to whom it concerns.
    func tell(
        _ notice: TipoDeAviso,
        of stream: NomeDeFluxo,
        because cause: UUID,
        to staff: [UsuarioID]?,
        at now: Instante,
        _ loader: StreamLoader
    ) async throws -> [EventosDoFluxo] {
        guard let matter = try await matter(notice, cause, in: stream, at: now) else { return [] }
        let people = staff ?? [matter.user]
        let accounts = try await loader.load(people.map { .usuario($0) })
        var decided: [EventosDoFluxo] = []
        for user in people where Self.listens(.dobrar(accounts[.usuario(user)] ?? []), to: notice, in: matter.unit) {
            decided += try await ask(user, to: matter.told, of: stream, cause, at: now, loader)
        }
        return decided
    }

    /// Whether an account is there to be told something, and has the role for it where it happened.
    private static func listens(_ account: Conta, to notice: TipoDeAviso, in unit: UnidadeID?) -> Bool {
        switch account {
        case .inexistente, .apagada: return false
        case .bloqueada: return notice.papel == nil
        case .ativa(let data):
            guard let role = notice.papel else { return true }
            return (unit.map { data.ator.papel(em: $0) } ?? data.papel) >= role
        }
    }

    /// A message a channel that somebody wants.
    private func ask(
        _ user: UsuarioID,
        to told: ToldNotice,
        of stream: NomeDeFluxo,
        _ cause: UUID,
        at now: Instante,
        _ loader: StreamLoader
    ) async throws -> [EventosDoFluxo] {
        let notice = told.notice
        let preferences = Preferencias.dobrar(try await loader.load(.preferencias(user)))
        let wanted = preferences.canais(para: notice.tipo, ligados: channels)
        let ids = wanted.map { Self.id(cause: cause, notice: notice.tipo, user: user, channel: $0) }
        let states = try await loader.load(ids.map { .notificacao($0) })
        let zone = try preferences.silencio.map { try zones.zone($0.fuso) }
        let language = preferences.idioma
        var decided: [EventosDoFluxo] = []
        for (channel, id) in zip(wanted, ids) {
            let title: Selado
            let text: Selado
            do {
                title = try await loader.seal(notice.titulo(em: language.idioma), of: user, field: "titulo", with: keyring)
                text = try await loader.seal(notice.texto(em: language.idioma), of: user, field: "texto", with: keyring)
            } catch RecusaDeUsuarios.naoEncontrado {
                // Erased since the account was read: nobody is there to be told.
                return []
            }
            let request = NotificacaoSolicitada(
                notificacao: id,
                aviso: notice.tipo,
                canal: channel,
                destinatario: user,
                idioma: language,
                titulo: title,
                texto: text,
                reserva: told.booking?.id,
                versaoDaReserva: told.booking?.version,
                causa: EventoID(cause),
                fluxo: told.booking.map(\.id).map(NomeDeFluxo.reserva) == stream ? nil : stream.texto,
                enviarEm: preferences.enviarEm(channel, agora: now, zona: zone),
                em: now
            )
            decided += SolicitarNotificacao(request).decidir(notificacao: .dobrar(states[.notificacao(id)] ?? []))
        }
        return decided
    }

    /// What a message tells of, as it was when it was asked for; nil for what somebody wrote.
    func told(_ request: NotificacaoSolicitada) async throws -> ToldNotice? {
        guard let cause = request.causa, let id = UUID(uuidString: cause.texto) else { return nil }
        let stream = request.fluxo.map(NomeDeFluxo.init(lido:)) ?? request.reserva.map(NomeDeFluxo.reserva)
        guard let stream else { return nil }
        return try await matter(request.aviso, id, in: stream, at: request.em)?.told
    }

    // MARK: What happened

    /// What there is to tell, and to whom.
    private struct Matter {
        let user: UsuarioID
        /// Where it happened; nil for what is told to whom it concerns, wherever that is.
        var unit: UnidadeID?
        let told: ToldNotice
    }

    /// Events up to one of them; what happened before it cannot change any more, so it guards nothing.
    private struct Past {
        let events: [EventoDoDominio]
        let version: Int
        let at: Instante
    }

    /// Nil where nobody is told of the event, or what it is about is not there, which only a damaged log could show.
    private func matter(_ notice: TipoDeAviso, _ cause: UUID, in stream: NomeDeFluxo, at now: Instante) async throws -> Matter? {
        guard let past = try await past(of: stream, to: cause), let event = past.events.last else { return nil }
        switch event {
        case .reservas(let event):
            let fact = notice == .aprovacaoAResponder ? AvisoDeReserva.Fato(paraDecidir: event) : AvisoDeReserva.Fato(event)
            guard let fact else { return nil }
            guard case .esperaOferecida(let offer) = event else { return try await matter(fact, of: past) }
            return try await matter(fact, of: offer.reserva, at: past.at)
        case .checkin(let event):
            guard let fact = AvisoDeReserva.Fato(event), case .excedenteApurado(let overtime) = event else { return nil }
            return try await matter(fact, of: overtime.reserva, at: past.at)
        case .pagamentos(let event): return try await matter(event, past)
        case .precos(.creditosConcedidos(let grant)): return try await matter(grant, in: stream, at: now)
        case .precos(let event): return try await matter(event, past)
        case .usuarios, .espacos, .notificacoes, .analytics, .financeiro: return nil
        }
    }

    private func matter(_ fact: AvisoDeReserva.Fato, of booking: ReservaID, at moment: Instante) async throws -> Matter? {
        guard let past = try await self.booking(booking, at: moment) else { return nil }
        return try await matter(fact, of: past)
    }

    private func matter(_ fact: AvisoDeReserva.Fato, of booking: Past) async throws -> Matter? {
        guard let (words, state) = try await described(booking) else { return nil }
        let zone = try zones.zone(words.dados.horario.fuso)
        let notice = Aviso.reserva(AvisoDeReserva(fact, de: words, zona: zone))
        return Matter(user: words.dados.usuario, unit: words.dados.unidade, told: ToldNotice(notice: notice, booking: state))
    }

    private func matter(_ event: EventoDePagamentos, _ past: Past) async throws -> Matter? {
        guard let fact = AvisoDePagamento.Fato(event), let charge = Pagamento.dobrar(past.events).dados else { return nil }
        var booking: (words: ReservaDescrita, state: BookingState)?
        if let id = charge.causa.reserva, let past = try await self.booking(id, at: past.at) { booking = try await described(past) }
        var name = booking?.words.dados.horario.fuso
        if name == nil, let unit = charge.unidade { name = try await self.unit(unit)?.fuso }
        let notice = AvisoDePagamento(
            fact,
            causa: charge.causa,
            valor: event.valor ?? charge.valor,
            em: past.at,
            reserva: booking?.words,
            zona: try zones.zone(name ?? Self.home)
        )
        return Matter(user: charge.usuario, told: ToldNotice(notice: .pagamento(notice), booking: booking?.state))
    }

    private func matter(_ event: EventoDePrecos, _ past: Past) async throws -> Matter? {
        guard let fact = AvisoDeAssinatura.Fato(event), let subscription = Assinatura.dobrar(past.events).dados else { return nil }
        var id = subscription.plano
        if case .trocaDePlanoMarcada(let change) = event { id = change.para }
        let plan = if case .publicado(let plan) = Plano.dobrar(try await events(.plano(id))) { plan.nome } else { id.texto }
        let notice = AvisoDeAssinatura(fact, plano: plan, zona: try zones.zone(subscription.periodo.fuso))
        return Matter(user: subscription.usuario, told: ToldNotice(notice: .assinatura(notice), booking: nil))
    }

    /// What is left of a lot at a moment, not when it was granted; nil where there is nothing to tell of it.
    private func matter(_ grant: CreditosConcedidos, in stream: NomeDeFluxo, at now: Instante) async throws -> Matter? {
        let recorded = (try await reader.streams([stream.texto])[stream.texto] ?? []).prefix { $0.recordedAt <= now.microssegundos }
        let wallet = Assinatura.dobrar(try recorded.map(reader.decoded.event)).carteira
        guard let notice = AvisoDeCreditos(lote: grant.lote, de: wallet, em: now, zona: try zones.zone(Self.home)) else { return nil }
        return Matter(user: grant.usuario, told: ToldNotice(notice: .creditos(notice), booking: nil))
    }

    // MARK: What is in the log

    /// A stream as far as one of its events.
    private func past(of stream: NomeDeFluxo, to cause: UUID) async throws -> Past? {
        let events = try await reader.streams([stream.texto])[stream.texto] ?? []
        guard let place = events.firstIndex(where: { $0.id == cause }) else { return nil }
        return try past(events[...place])
    }

    private func past(_ events: ArraySlice<RecordedEvent>) throws -> Past? {
        guard let last = events.last else { return nil }
        return Past(
            events: try events.map(reader.decoded.event), version: events.count, at: Instante(microssegundos: last.recordedAt)
        )
    }

    /// A booking as it was at a moment, what was recorded in the same append included.
    private func booking(_ id: ReservaID, at moment: Instante) async throws -> Past? {
        let name = NomeDeFluxo.reserva(id).texto
        return try past((try await reader.streams([name])[name] ?? []).prefix { $0.recordedAt <= moment.microssegundos })
    }

    private func events(_ stream: NomeDeFluxo) async throws -> [EventoDoDominio] {
        try (try await reader.streams([stream.texto])[stream.texto] ?? []).map(reader.decoded.event)
    }

    private func unit(_ id: UnidadeID) async throws -> DadosDaUnidade? {
        guard case .criada(let unit) = Unidade.dobrar(try await events(.unidade(id))) else { return nil }
        return unit
    }

    private func described(_ past: Past) async throws -> (words: ReservaDescrita, state: BookingState)? {
        guard let data = Reserva.dobrar(past.events).dados, let unit = try await unit(data.unidade),
            let space = Espaco.dobrar(try await events(.espaco(data.espaco))).dados
        else { return nil }
        let words = ReservaDescrita(dados: data, espaco: space.ficha.nome, unidade: unit.nome, endereco: unit.endereco)
        return (words, BookingState(id: data.reserva, version: past.version, changed: past.at))
    }
}

extension EventoDePagamentos {
    /// What came in or went back; nil where an event says no amount of its own.
    fileprivate var valor: Dinheiro? {
        switch self {
        case .pagamentoAprovado(let approved): approved.valor
        case .pagamentoEstornado(let refunded): refunded.valor
        case .cobrancaCriada, .cobrancaAlterada, .pixGerado, .pagamentoRecusado, .tentativaRespondida, .cobrancaExpirada,
            .estornoSolicitado, .estornoRecusado:
            nil
        }
    }
}

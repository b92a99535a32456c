package import Domain
package import EventStore
import FoundationEssentials
package import HTTP

/// The events behind a booking, its presence and its payments, by the commands that recorded them and the events that those answer, in
/// words.
///
/// It reads the log, which a service may and the gateway may not, and so it is never behind what was acknowledged.
package struct BookingHistory: Sendable {
    private let reader: LogReader
    private let zones: ZoneCatalog
    private let policies: [any Policy]

    /// - Parameter policies: whose commands touch bookings, presences and payments, of whatever service: they tell what a timer was for.
    package init(reader: LogReader, zones: ZoneCatalog, policies: [any Policy]) {
        self.reader = reader
        self.zones = zones
        self.policies = policies
    }

    /// - Parameter actor: who asks; nil for whoever holds the command line.
    /// - Throws: `RecusaDeReservas.reservaNaoEncontrada` where there is no such booking, or none that the actor may know of.
    package func view(of booking: ReservaID, for actor: Ator?, in language: Idioma) async throws -> BookingHistoryView {
        let name = NomeDeFluxo.reserva(booking)
        let stream = try await reader.streams([name.texto])[name.texto] ?? []
        let state = Reserva.dobrar(try stream.map(reader.decoded.event))
        guard let data = try actor.map({ try state.exigirVisivel(para: $0) }) ?? state.dados else {
            throw RecusaDeReservas.reservaNaoEncontrada
        }
        let zone = try zones.zone(data.horario.fuso)
        let others =
            [NomeDeFluxo.presenca(booking), .pagamento(CausaDaCobranca.excedente(booking).pagamento)]
            + data.pagamentos.map(NomeDeFluxo.pagamento)
        let streams = try await reader.streams(others.map(\.texto))
        let recorded = try await reader.events(of: Set((stream + streams.values.joined()).map(\.commandID)))
        // What the same commands recorded of other bookings, which may be other people's, is not this one's story.
        let own = try recorded.filter { try reader.decoded.event($0).reservasCitadas.contains(booking) }
        let story = Story(
            booking: data,
            events: own,
            causes: try await causes(of: recorded, data),
            decoded: reader.decoded,
            policies: policies,
            language: language,
            zone: zone
        )
        return BookingHistoryView(
            reservationId: booking.texto,
            status: BookingView(state, data, zone: zone).status,
            steps: try story.steps(),
            upcoming: state.proximos(em: language, zona: zone)
        )
    }

    /// The events that the commands of some events answer. They lie in streams that these events are in, or in those that move a line:
    /// the space's own, and its agenda a day before and after.
    private func causes(of events: [RecordedEvent], _ data: DadosDaReserva) async throws -> [UUID: RecordedEvent] {
        var causes = Dictionary(events.map { ($0.id, $0) }) { first, _ in first }
        let missing = Set(try events.compactMap { try Self.metadata(of: $0).cause }).subtracting(causes.keys)
        let days = Set(data.diasDaAgenda.flatMap { [$0.somandoDias(-1), $0, $0.somandoDias(1)] })
        let streams = [NomeDeFluxo.espaco(data.espaco), .usuario(data.usuario)] + days.map { .agenda(data.espaco, $0) }
        let found = try await reader.events(missing, in: Set(streams.map(\.texto) + events.map(\.stream)))
        for event in found { causes[event.id] = event }
        return causes
    }

    private static func metadata(of event: RecordedEvent) throws -> (principal: String, cause: UUID?) {
        let metadata = try JSONDecoder().decode(EventMetadata.self, from: Data(event.metadata))
        return (metadata.principal, metadata.causation.flatMap(UUID.init(uuidString:)))
    }

    private struct Story {
        let booking: DadosDaReserva
        let events: [RecordedEvent]
        /// By their ids.
        let causes: [UUID: RecordedEvent]
        let decoded: DecodedEvents
        let policies: [any Policy]
        let language: Idioma
        let zone: ZonaHoraria

        /// A step a command, in order of what they recorded.
        func steps() throws -> [BookingHistoryView.Step] {
            var commands: [[RecordedEvent]] = []
            for event in events {
                if commands.last?.first?.commandID == event.commandID {
                    commands[commands.count - 1].append(event)
                } else {
                    commands.append([event])
                }
            }
            return try commands.compactMap { events in try events.first.map { try step($0, events) } }
        }

        private func step(_ first: RecordedEvent, _ events: [RecordedEvent]) throws -> BookingHistoryView.Step {
            let (principal, cause) = try BookingHistory.metadata(of: first)
            let asked = cause.flatMap { causes[$0] }
            let origin = try origin(of: first.commandID, principal, asked)
            return BookingHistoryView.Step(
                time: Instante(microssegundos: first.recordedAt).texto(em: zone),
                commandId: first.commandID.uuidString.lowercased(),
                by: origin.codigo,
                byText: origin.frase(em: language, zona: zone),
                causedBy: cause.map { .init(eventId: $0.uuidString.lowercased(), position: asked?.position.rawValue, type: asked?.type) },
                events: try events.map(view)
            )
        }

        private func origin(of command: UUID, _ principal: String, _ asked: RecordedEvent?) throws -> OrigemDoPasso {
            if let user = UsuarioID(principal) { return user == booking.usuario ? .membro : .equipe }
            if principal.hasPrefix("payments.") { return .provedor }
            guard let asked, let policy = policies.first(where: { $0.name == principal }) else { return .sistema(principal) }
            // The policy is pure: asked again, it says which of its times this was.
            let scheduled = policy.react(to: try decoded.event(asked)).first { $0.commandID == command }
            return scheduled.flatMap { OrigemDoPasso(timer: $0.kind, em: Instante(microssegundos: $0.due)) } ?? .sistema(principal)
        }

        private func view(_ event: RecordedEvent) throws -> BookingHistoryView.Event {
            let explanation: Explicacao? =
                switch try decoded.event(event) {
                case .reservas(let known): known.explicacao(em: language, zona: zone)
                case .precos(let known): known.explicacao(em: language)
                case .checkin(let known): known.explicacao(em: language, zona: zone)
                case .pagamentos(let known): known.explicacao(em: language, zona: zone)
                case .usuarios, .espacos, .notificacoes, .analytics, .financeiro: nil
                }
            return BookingHistoryView.Event(
                position: event.position.rawValue,
                stream: event.stream,
                version: Int(event.version.rawValue),
                type: event.type,
                text: explanation?.frase ?? event.type,
                reasons: explanation?.razoes ?? []
            )
        }
    }
}

/// A booking's history as it is answered.
package struct BookingHistoryView: Encodable, Sendable {
    /// What one command recorded.
    package struct Step: Encodable, Sendable {
        package let time: String
        package let commandId: String
        /// `member`, `staff`, `timer` or `system`.
        package let by: String
        package let byText: String
        /// The event that the command answers, where it answers one.
        package let causedBy: Cause?
        package let events: [Event]
    }

    package struct Cause: Encodable, Sendable {
        package let eventId: String
        /// Absent where the event is not found: it lies in no stream of this booking, its payments, its space or its line.
        package let position: Int64?
        package let type: String?
    }

    package struct Event: Encodable, Sendable {
        package let position: Int64
        package let stream: String
        package let version: Int
        package let type: String
        package let text: String
        /// Rules, versions and inputs that decided.
        package let reasons: [String]
    }

    package let reservationId: String
    package let status: String
    package let steps: [Step]
    /// What will happen by itself.
    package let upcoming: [String]
}

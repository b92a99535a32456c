package import Domain
package import EventStore
import FoundationEssentials
package import HTTP

/// The events behind a booking, by the commands that recorded them, in words.
///
/// It reads the log, which a service may and the gateway may not, and so it is never behind what was acknowledged.
package struct BookingHistory: Sendable {
    private let reader: LogReader
    private let zones: ZoneCatalog

    package init(reader: LogReader, zones: ZoneCatalog) {
        self.reader = reader
        self.zones = zones
    }

    /// - Parameter actor: who asks; nil for whoever holds the command line.
    /// - Throws: `RecusaDeReservas.reservaNaoEncontrada` where there is no such booking, or none that the actor may know of.
    package func view(of booking: ReservaID, for actor: Ator?, in language: Idioma) async throws -> BookingHistoryView {
        let name = NomeDeFluxo.reserva(booking)
        let presence = NomeDeFluxo.presenca(booking)
        let streams = try await reader.streams([name.texto, presence.texto])
        let stream = streams[name.texto] ?? []
        let state = Reserva.dobrar(try stream.map(reader.decoded.event))
        guard let data = try actor.map({ try state.exigirVisivel(para: $0) }) ?? state.dados else {
            throw RecusaDeReservas.reservaNaoEncontrada
        }
        let zone = try zones.zone(data.horario.fuso)
        let recorded = try await reader.events(of: Set((stream + (streams[presence.texto] ?? [])).map(\.commandID)))
        let story = Story(booking: data, events: recorded, decoded: reader.decoded, language: language, zone: zone)
        return BookingHistoryView(
            reservationId: booking.texto,
            status: BookingView(state, data, zone: zone).status,
            steps: try story.steps(),
            upcoming: state.proximos(em: language, zona: zone)
        )
    }

    private struct Story {
        let booking: DadosDaReserva
        let events: [RecordedEvent]
        let decoded: DecodedEvents
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
            let metadata = try JSONDecoder().decode(EventMetadata.self, from: Data(first.metadata))
            let cause = metadata.causation.flatMap(UUID.init(uuidString:))
            let asked = cause.flatMap { id in self.events.first { $0.id == id } }
            let origin = try origin(of: first.commandID, metadata.principal, asked)
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
            guard let asked else { return .sistema(principal) }
            // The policy is pure: asked again, it says which of its times this was.
            let scheduled = ReservasPolicy().react(to: try decoded.event(asked)).first { $0.commandID == command }
            return switch scheduled?.kind {
            case ReservasPolicy.expire: .prazoDeConfirmacao(Instante(microssegundos: scheduled?.due ?? 0))
            case ReservasPolicy.complete: .fimDaReserva(Instante(microssegundos: scheduled?.due ?? 0))
            default: .sistema(principal)
            }
        }

        private func view(_ event: RecordedEvent) throws -> BookingHistoryView.Event {
            let explanation: Explicacao? =
                switch try decoded.event(event) {
                case .reservas(let known): known.explicacao(em: language, zona: zone)
                case .precos(let known): known.explicacao(em: language)
                case .checkin(let known): known.explicacao(em: language, zona: zone)
                case .usuarios, .espacos, .pagamentos, .notificacoes, .analytics, .financeiro: nil
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
        /// Absent where the event is none of this booking's.
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

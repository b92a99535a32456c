import Domain
import EventStore
import FoundationEssentials
import Testing

@testable import Projections

@Suite("From recorded events to changes")
struct ProjectorTests {
    /// As bookings ended before the type had its name of today.
    private struct ReservaEncerrada: EventoAntigo {
        static let tipo = "reservas.ReservaEncerrada"
        static let versaoDoEsquema = 1

        let reserva: ReservaID
        let em: Instante

        func promovido() -> ReservaConcluida { ReservaConcluida(reserva: reserva, em: em) }
    }

    private static let codec = CodecDeEventos(
        leitores: EventoDoDominio.leitores + [LeitorDeEvento(antigo: ReservaEncerrada.self) { .reservas(.reservaConcluida($0)) }]
    )

    private func recorded(_ type: String) -> RecordedEvent {
        RecordedEvent(
            position: Position(1),
            id: UUID(),
            stream: "reserva-01890a5d-ac96-774b-bcce-b302099a0006",
            version: StreamVersion(1),
            type: type,
            schemaVersion: 1,
            recordedAt: 1_770_000_000_000_000,
            commandID: UUID(),
            payload: Array(#"{"em":"2026-03-09T18:30:00Z","reserva":"01890a5d-ac96-774b-bcce-b302099a0006"}"#.utf8),
            metadata: Array(#"{"principal":"tester"}"#.utf8)
        )
    }

    @Test(
        "An event recorded under an earlier name of its type changes what it does under today's",
        arguments: ["reservas.ReservaEncerrada", "reservas.ReservaConcluida"]
    )
    func earlierName(type: String) async throws {
        for model in [ContasModel(), ReservasModel()] as [any ReadModel] {
            let projector = Projector(model, decoded: DecodedEvents(codec: Self.codec), opener: PlainOpener())
            let changes = try await projector.changes(by: [recorded(type)], skipping: [])
            #expect(changes.changed == Position(1), "\(model.name)")
        }
    }

    @Test("The audit trail calls an event by its name of today")
    func audit() async throws {
        let projector = Projector(ContasModel(), decoded: DecodedEvents(codec: Self.codec), opener: PlainOpener())
        let changes = try await projector.changes(by: [recorded("reservas.ReservaEncerrada")], skipping: [])
        let same = try await projector.changes(by: [recorded("reservas.ReservaConcluida")], skipping: [])
        #expect(String(describing: changes.tables) == String(describing: same.tables))
    }

    @Test("Of events that a model does not want, nothing is read")
    func unwanted() async throws {
        let projector = Projector(CatalogoModel(), decoded: DecodedEvents(codec: Self.codec), opener: PlainOpener())
        let changes = try await projector.changes(
            by: [recorded("reservas.ReservaEncerrada"), recorded("reservas.NuncaHouve")], skipping: [])
        #expect(changes.changed == nil)
    }
}

import Domain
import FoundationEssentials

@testable import EventStore

/// A tiny context to decide about: a stream is a room, each booking of a seat an event in it.
enum Seats {
    struct Taken: Error, Equatable {}

    static func booking(_ number: UInt64) -> EventoDoDominio {
        .reservas(.reservaConcluida(ReservaConcluida(reserva: ReservaID(alto: 0, baixo: number), em: Instante(microssegundos: someTime))))
    }

    /// Books one of the seats, or says that there is none.
    static func book(_ number: UInt64, in room: NomeDeFluxo, seats: Int = 1, _ loader: StreamLoader) async throws -> [EventosDoFluxo] {
        guard try await loader.load(room).count < seats else { throw Taken() }
        return [EventosDoFluxo(room, [booking(number)])]
    }
}

extension NomeDeFluxo {
    static let room = NomeDeFluxo(lido: "room")
    static let rules = NomeDeFluxo(lido: "rules")
    static let other = NomeDeFluxo(lido: "other")
}

extension CommandEnvelope {
    static func sample(
        _ id: UUID = UUID(),
        fingerprint: [UInt8] = [],
        mayRepeat: Bool = false,
        seconds: Int64 = 20
    ) -> CommandEnvelope {
        CommandEnvelope(
            commandID: id,
            fingerprint: fingerprint,
            mayRepeat: mayRepeat,
            deadline: systemClock() + seconds * 1_000_000,
            metadata: EventMetadata(principal: "test", correlation: "r-1")
        )
    }
}

extension TestWorld {
    func executor(_ client: AppendClient) -> CommandExecutor {
        CommandExecutor(reader: reader, client: client, clock: systemClock)
    }
}

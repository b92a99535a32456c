import Domain
import EventStore
import Testing

@testable import Projections

@Suite("Agenda")
struct AgendaQueriesTests {
    /// Minutes from noon: midnights (UTC) are at 720, 2160, 3600.
    private func log() throws -> TestLog {
        var log = TestLog()
        try log.book(1, try Samples.interval(0, 60), occupied: try Samples.interval(-10, 75))
        try log.book(2, try Samples.interval(700, 2200), seats: 2)
        try log.book(3, space: 2, try Samples.interval(100, 200))
        try log.book(4, try Samples.interval(300, 400), expires: 15)
        return log
    }

    @Test("What is taken is told once, whole, with buffers and without, by space and time")
    func busy() async throws {
        try await ReadSide.after(try log()) { read in
            // When two spaces are asked about from within a booking to within another, over three days
            let busy = try await read.agenda.busy([Samples.id(1), Samples.id(2)], during: try Samples.interval(50, 2170))
            // Then
            #expect(busy.map(\.booking) == [1, 4, 2, 3].map { Samples.id($0) })
            #expect(busy[0].occupied == (try Samples.interval(-10, 75)))
            #expect(busy[0].booked == (try Samples.interval(0, 60)))
            #expect(busy[2].occupied == (try Samples.interval(700, 2200)))
            #expect(busy.map(\.seats) == [1, 1, 2, 1])
            #expect(busy.map(\.space) == [1, 1, 1, 2].map { Samples.id($0) })
        }
    }

    @Test(
        "Intervals are half-open: what only touches is not busy",
        arguments: [
            (-20, -10, []), (-11, -9, [1]), (74, 76, [1]), (75, 99, []), (640, 700, []), (1000, 1100, [2]), (2199, 2300, [2]),
            (2200, 2300, []),
        ] as [(Int, Int, [Int])]
    )
    func borders(from: Int, to: Int, bookings: [Int]) async throws {
        try await ReadSide.after(try log()) { read in
            let busy = try await read.agenda.busy([Samples.id(1)], during: try Samples.interval(from, to))
            #expect(busy.map(\.booking) == bookings.map { Samples.id($0) })
        }
    }

    @Test("What was freed is free, and what was moved is where it went")
    func freed() async throws {
        var log = try log()
        // Given a hold that expires, and a booking that moves to overlap itself
        try log.record(4, .reservaExpirada(ReservaExpirada(reserva: Samples.id(4), expiraEm: Samples.time(15), em: Samples.time(16))))
        try log.free(1, of: 4, try Samples.interval(300, 400))
        let (old, new) = (try Samples.interval(0, 60), try Samples.interval(30, 90))
        let moved = ReservaRemarcada(
            reserva: Samples.id(1), de: Samples.schedule(old), para: Samples.schedule(new), regras: Samples.appliedRules,
            cotacao: Samples.quote(1, over: new), diferenca: .zero, por: Samples.id(1), em: Samples.time(17)
        )
        try log.record(1, .reservaRemarcada(moved))
        try log.free(1, of: 1, try Samples.interval(-10, 75))
        try log.occupy(1, by: 1, try Samples.interval(20, 105))
        try await ReadSide.after(log) { read in
            let busy = try await read.agenda.busy([Samples.id(1)], during: try Samples.interval(-20, 600))
            #expect(busy.map(\.booking) == [Samples.id(1)])
            #expect(busy.map(\.occupied) == [try Samples.interval(20, 105)])
            #expect(busy.map(\.booked) == [new])
        }
    }

    @Test("The days of spaces are as the domain's own agenda has them")
    func agendas() async throws {
        let log = try log()
        let days = try Samples.interval(0, 2200).diasUTC
        // Given what the domain makes of the same events
        var states: [EspacoID: [DataCivil: Agenda]] = [:]
        for space in [1, 2, 3] {
            let id: EspacoID = Samples.id(space)
            for day in days {
                let events = log.events.filter { $0.stream == NomeDeFluxo.agenda(id, day).texto }
                states[id, default: [:]][day] = try events.reduce(Agenda.inicial) { agenda, event in
                    guard case .reservas(let event) = try CodecDeEventos.padrao.decode(event) else { return agenda }
                    return agenda.evoluindo(com: event)
                }
            }
        }
        try await ReadSide.after(log) { read in
            // When
            let agendas = try await read.agenda.agendas(states.mapValues { Array($0.keys) })
            // Then
            #expect(agendas == states.mapValues { Agendas($0) })
            #expect(agendas[Samples.id(1)]?.maiorOcupacao(em: try Samples.interval(0, 2200)) == 2)
        }
    }
}

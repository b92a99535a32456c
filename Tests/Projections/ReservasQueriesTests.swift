import Domain
import EventStore
import Testing

@testable import Projections

@Suite("Bookings")
struct ReservasQueriesTests {
    @Test("A hold carries all that was agreed")
    func hold() async throws {
        var log = TestLog()
        let interval = try Samples.interval(60, 120)
        try log.book(1, user: 3, space: 4, unit: 5, interval, occupied: try Samples.interval(60, 135), notes: "janela", expires: 15, at: 2)
        try await ReadSide.after(log) { read in
            let booking = try #require(try await read.reservas.booking(Samples.id(1)))
            #expect((booking.user, booking.space, booking.unit) == (Samples.id(3), Samples.id(4), Samples.id(5)))
            #expect(booking.schedule == Samples.schedule(interval, occupied: try Samples.interval(60, 135)))
            #expect(booking.status == .pending)
            #expect(booking.quote == Samples.quote(10_000, over: interval))
            #expect(booking.rulesVersion == Samples.appliedRules.versao)
            #expect((booking.notes, booking.createdBy) == ("janela", Samples.id(3)))
            #expect((booking.createdAt, booking.expiresAt, booking.confirmedAt) == (Samples.time(2), Samples.time(15), nil))
            #expect(booking.cancellation == nil)
            #expect(booking.position == Position(1))
            #expect(try await read.reservas.booking(Samples.id(2)) == nil)
        }
    }

    /// What follows a hold of booking 1.
    enum Story: CaseIterable {
        case confirmed, expired, cancelled, completed

        var events: [EventoDeReservas] {
            let id: ReservaID = Samples.id(1)
            let confirmed = EventoDeReservas.reservaConfirmada(ReservaConfirmada(reserva: id, motivo: .operador, em: Samples.time(20)))
            switch self {
            case .confirmed: return [confirmed]
            case .expired: return [.reservaExpirada(ReservaExpirada(reserva: id, expiraEm: Samples.time(15), em: Samples.time(16)))]
            case .cancelled:
                let cancelled = ReservaCancelada(
                    reserva: id, motivo: .operador, por: Samples.id(8), justificativa: PlainOpener.seal("chuva", field: "justificativa"),
                    reembolso: Samples.refund(10_000), em: Samples.time(30)
                )
                return [confirmed, .reservaCancelada(cancelled)]
            case .completed: return [confirmed, .reservaConcluida(ReservaConcluida(reserva: id, em: Samples.time(40)))]
            }
        }

        var status: BookingStatus {
            switch self {
            case .confirmed: .active
            case .expired: .expired
            case .cancelled: .cancelled
            case .completed: .completed
            }
        }
    }

    @Test("A booking's status follows its life", arguments: Story.allCases)
    func status(story: Story) async throws {
        var log = TestLog()
        try log.book(1, try Samples.interval(60, 120), expires: 15)
        for event in story.events { try log.record(1, event) }
        try await ReadSide.after(log) { read in
            let booking = try #require(try await read.reservas.booking(Samples.id(1)))
            #expect(booking.status == story.status)
            #expect(booking.position == log.head)
            #expect(booking.confirmedAt == (story == .expired ? nil : Samples.time(20)))
            #expect(booking.expiresAt == (story == .expired ? Samples.time(15) : nil))
            #expect(booking.completedAt == (story == .completed ? Samples.time(40) : nil))
            #expect(booking.cancelledAt == (story == .cancelled ? Samples.time(30) : nil))
            if story == .cancelled {
                let cancellation = try #require(booking.cancellation)
                #expect((cancellation.by, cancellation.reason, cancellation.note) == (Samples.id(8), .operador, "chuva"))
                #expect(cancellation.refund == Samples.refund(10_000))
            }
        }
    }

    @Test("A booking without a hold is active at once; moved, it has the new time and price and keeps the rest")
    func moved() async throws {
        var log = TestLog()
        let (old, new) = (try Samples.interval(60, 120), try Samples.interval(90, 180))
        try log.book(1, old, notes: "janela")
        let moved = ReservaRemarcada(
            reserva: Samples.id(1), de: Samples.schedule(old), para: Samples.schedule(new), regras: Samples.appliedRules,
            cotacao: Samples.quote(15_000, over: new), diferenca: Dinheiro(centavos: 5_000), por: Samples.id(1), em: Samples.time(5)
        )
        try log.record(1, .reservaRemarcada(moved))
        try await ReadSide.after(log) { read in
            let booking = try #require(try await read.reservas.booking(Samples.id(1)))
            #expect(booking.status == .active)
            #expect(booking.schedule == Samples.schedule(new))
            #expect(booking.quote.total == Dinheiro(centavos: 15_000))
            #expect((booking.notes, booking.createdAt) == ("janela", Samples.time(0)))
        }
    }

    @Test(
        "Bookings are found by member, space, unit, status and time, the newest first, page by page",
        arguments: [
            (BookingFilter(), [6, 5, 4, 3, 2, 1]),
            (BookingFilter(user: Samples.id(1)), [5, 3, 1]),
            (BookingFilter(space: Samples.id(2)), [5, 2]),
            (BookingFilter(unit: Samples.id(2)), [4]),
            (BookingFilter(status: .pending), [6]),
            (BookingFilter(user: Samples.id(2), status: .active), [4, 2]),
            (BookingFilter(from: Samples.time(300)), [6, 5, 4, 3]),
            (BookingFilter(to: Samples.time(300)), [2, 1]),
            (BookingFilter(from: Samples.time(259), to: Samples.time(301)), [3, 2]),
            (BookingFilter(status: .noShow), []),
        ] as [(BookingFilter, [Int])]
    )
    func list(filter: BookingFilter, found: [Int]) async throws {
        // Given bookings of an hour each hundred minutes, two of them made at each minute
        var log = TestLog()
        for number in 1...6 {
            try log.book(
                number, user: number.isMultiple(of: 2) ? 2 : 1, space: number % 3 == 2 ? 2 : 1, unit: number == 4 ? 2 : 1,
                try Samples.interval(number * 100, number * 100 + 60), expires: number == 6 ? 15 : nil, at: number / 2
            )
        }
        try await ReadSide.after(log) { read in
            let ids = try await pages { try await read.reservas.bookings(filter, limit: 2, after: $0) }.flatMap(\.self).map(\.id)
            #expect(ids == found.map { Samples.id($0) })
        }
    }
}

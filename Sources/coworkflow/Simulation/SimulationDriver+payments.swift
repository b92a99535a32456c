import Domain
import FoundationEssentials
import HTTP
import NIOHTTP1

/// Who pays, how, and what goes wrong on the way.
extension SimulationDriver {
    private struct ChargeReply: Decodable, Sendable {
        let paymentId: String
        let transactionId: String
        let status: String
    }

    private struct Bill: Sendable {
        let booking: String
        let way: WayToPay
        let token: String
    }

    /// Bookings that have just been made, or cost more than before.
    func pay(_ ids: [String]) async throws {
        guard !ids.isEmpty else { return }
        try await signIn(ids.compactMap { bookings[$0]?.member })
        let bills = ids.compactMap { id -> Bill? in
            guard let booking = bookings[id] else { return nil }
            return Bill(booking: id, way: dice.pick(WayToPay.all), token: booking.member.map { members[$0].token } ?? desk.token)
        }
        try await payByPix(bills)
        try await payByCard(bills)
        try await rest.come()
    }

    // MARK: PIX

    private func payByPix(_ bills: [Bill]) async throws {
        let bills = bills.filter { ![.card, .secondCard, .never].contains($0.way) }
        let client = client
        let replies = try await together(bills) { bill in
            try await client.send(.POST, "/payments/charge", ["reservation_id": .text(bill.booking), "method": "pix"], as: bill.token)
        }
        var charges: [(bill: Bill, transaction: String)] = []
        for (bill, reply) in zip(bills, replies) {
            note(reply)
            guard reply.isDone else { continue }
            let charge = try reply.decode(ChargeReply.self)
            bookings[bill.booking]?.payment = charge.paymentId
            charges.append((bill, charge.transactionId))
        }
        for (way, behaviour) in Self.faults {
            let concerned = charges.filter { $0.bill.way == way }
            guard !concerned.isEmpty else { continue }
            try await behave(behaviour)
            for charge in concerned { try await decide(charge.transaction, "approve", charge.bill.booking) }
            // Before the next behaviour begins.
            try await rest.come()
        }
        try await behave([:])
        for charge in charges {
            switch charge.bill.way {
            case .refused: note(try await client.control(.POST, "/control/charges/\(charge.transaction)/refuse"))
            case .late: plan(.payLate(transaction: charge.transaction), charge.bill.booking, at: clock.time + .minutos(23))
            case .pix, .repeated, .reordered, .lost, .card, .secondCard, .never: break
            }
        }
    }

    private static let faults: [(WayToPay, Body)] = [
        (.pix, [:]), (.repeated, ["sendings": 3]), (.reordered, ["sendings": 2, "reorder": true]), (.lost, ["lose": true]),
    ]

    private func decide(_ transaction: String, _ verdict: String, _ booking: String) async throws {
        let reply = try await client.control(.POST, "/control/charges/\(transaction)/\(verdict)")
        guard reply.isDone else { throw reply.failure }
        bookings[booking]?.standing = .confirmed
        expect(booking)
    }

    /// How the provider behaves from now on.
    func behave(_ behaviour: Body) async throws {
        let reply = try await client.control(.PUT, "/control", behaviour)
        guard reply.isDone else { throw reply.failure }
    }

    // MARK: Cards

    private func payByCard(_ bills: [Bill]) async throws {
        let bills = bills.filter { $0.way == .card || $0.way == .secondCard }
        guard !bills.isEmpty else { return }
        try await behave(["charges": "refuse"])
        _ = try await charge(bills.filter { $0.way == .secondCard })
        try await behave(["charges": "approve"])
        for (bill, charge) in try await charge(bills) {
            bookings[bill.booking]?.payment = charge.paymentId
            guard charge.status == "approved" else { continue }
            bookings[bill.booking]?.standing = .confirmed
            expect(bill.booking)
        }
        try await behave([:])
    }

    private func charge(_ bills: [Bill]) async throws -> [(Bill, ChargeReply)] {
        let client = client
        let replies = try await together(bills) { bill in
            let body: Body = ["reservation_id": .text(bill.booking), "method": "card", "card_token": "tok_simulado"]
            return try await client.send(.POST, "/payments/charge", body, as: bill.token)
        }
        return try zip(bills, replies).compactMap { bill, reply in
            note(reply)
            return reply.isDone ? (bill, try reply.decode(ChargeReply.self)) : nil
        }
    }
}

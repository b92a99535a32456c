import Domain
import FoundationEssentials
import HTTP
import NIOHTTP1

/// What members owe beside bookings: the fees of their plans, and time that they stayed on.
extension SimulationDriver {
    /// A charge that somebody has decided about.
    struct Due: Sendable {
        enum Way: Sendable {
            case pix
            case card
            /// In cash.
            case desk
            /// Asks for a PIX now, and pays it a day after the charge has closed.
            case tooLate
            /// Pays a PIX that was asked for before.
            case afterwards(transaction: String)
        }

        let charge: String
        /// Nil for a visitor of the desk.
        let member: Int?
        let expires: Instante
        let way: Way
    }

    private struct OpenCharge: Decodable {
        let id: String
        let kind: String
        let userId: String
        let amountCents: Int64
        let createdAt: String
        let expiresAt: String
    }

    private struct Made: Decodable {
        let transactionId: String
    }

    /// When in a member's day the mail about what they owe comes.
    private static let morning = 9 * 60
    private static let ways: [(Due.Way?, Int)] = [(.pix, 68), (.card, 12), (.desk, 9), (.tooLate, 4), (nil, 7)]

    /// Members look at what they owe, and pay what they have decided to pay by now.
    func settleCharges(_ local: DataHoraLocal) async throws {
        if local.hora.minutos == Self.morning { try await decideCharges() }
        guard let due = dues.removeValue(forKey: clock.time.microssegundos) else { return }
        let payable = due.filter { $0.member.map { !erased.contains($0) } ?? true }
        try await signIn(payable.compactMap(\.member))
        for due in payable { try await settle(due) }
        try await behave([:])
        try await rest.come()
    }

    /// Most pay soon, some after days, some when it is too late, some never.
    private func decideCharges() async throws {
        let open = try await client.list("/payments?status=pending&limit=200", OpenCharge.self, as: desk.token)
        let unknown = open.filter { ["subscription", "overtime"].contains($0.kind) && !knownCharges.contains($0.id) }
        let owed = unknown.map { charge in (charge: charge, member: members.firstIndex { $0.id == charge.userId }) }
        func order(_ owed: (charge: OpenCharge, member: Int?)) -> (Int, String, String, Int64) {
            (owed.member ?? -1, owed.charge.createdAt, owed.charge.kind, owed.charge.amountCents)
        }
        // Ids differ from run to run; of what is alike but for its id it does not matter which is first.
        for (charge, member) in owed.sorted(by: { order($0) < order($1) }) {
            knownCharges.insert(charge.id)
            let chosen = dice.pick(Self.ways)
            guard let way = chosen.map({ member == nil ? .desk : $0 }), let expires = Instante(charge.expiresAt) else { continue }
            // None of them before the day is over: a fee runs for ten days.
            let wait = dice.pick([(0, 60), (dice.among(1...3), 25), (dice.among(4...8), 15)])
            plan(Due(charge: charge.id, member: member, expires: expires, way: way), at: clock.time + .horas(24 * wait))
        }
    }

    private func plan(_ due: Due, at time: Instante) {
        guard let step = step(at: time) else { return }
        dues[step, default: []].append(due)
    }

    private func settle(_ due: Due) async throws {
        let token = due.member.map { members[$0].token } ?? desk.token
        switch due.way {
        case .pix: if let transaction = try await pix(for: due, token) { try await approve(transaction) }
        case .tooLate:
            guard let transaction = try await pix(for: due, token) else { return }
            let afterwards = Due(
                charge: due.charge, member: due.member, expires: due.expires, way: .afterwards(transaction: transaction)
            )
            plan(afterwards, at: due.expires + .horas(24))
        case .afterwards(let transaction): try await approve(transaction)
        case .card:
            try await behave(["charges": "approve"])
            let body: Body = ["payment_id": .text(due.charge), "method": "card", "card_token": "tok_simulado"]
            note(try await client.send(.POST, "/payments/charge", body, as: token))
            try await behave([:])
        case .desk:
            let body: Body = ["payment_id": .text(due.charge), "method": "cash"]
            note(try await client.send(.POST, "/payments/desk", body, as: desk.token))
        }
    }

    /// - Returns: nil where it can be paid no more.
    private func pix(for due: Due, _ token: String) async throws -> String? {
        let reply = try await client.send(.POST, "/payments/charge", ["payment_id": .text(due.charge), "method": "pix"], as: token)
        note(reply)
        return reply.isDone ? try reply.decode(Made.self).transactionId : nil
    }

    private func approve(_ transaction: String) async throws {
        note(try await client.control(.POST, "/control/charges/\(transaction)/approve"))
    }
}

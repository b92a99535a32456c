import Domain
import HTTP
import NIOHTTP1

/// Money that goes back with difficulties: a provider that takes its time or refuses, and what the desk has to hand over.
extension SimulationDriver {
    /// How the provider takes what is asked back.
    enum Mood: Sendable {
        case good
        case slow
        case unwilling

        /// With weights.
        static let all: [(Mood, Int)] = [(.good, 86), (.slow, 9), (.unwilling, 5)]

        var behaviour: Body {
            switch self {
            case .good: [:]
            case .slow: ["refunds": "later", "delay_ms": 2_700_000]
            case .unwilling: ["refunds": "refuse"]
            }
        }
    }

    private struct ChargeView: Decodable {
        struct Refund: Decodable {
            let id: String
            let status: String
            let amountCents: Int64
        }

        let id: String
        /// Absent from lists.
        let refunds: [Refund]?
    }

    /// Has the provider behave somehow until it is told otherwise. What it refuses, the desk asks for again the next day.
    func takeMood(about bookings: [String]) async throws -> Mood {
        let mood = dice.pick(Mood.all)
        guard mood != .good else { return mood }
        try await behave(mood.behaviour)
        if mood == .unwilling {
            for id in bookings { plan(.insist, id, at: clock.time + .horas(24)) }
        }
        return mood
    }

    /// Asks again for refunds that were refused, and hands over those of money that the desk took.
    func settleRefunds(_ due: [(Deed, String)]) async throws {
        var isAnythingDone = false
        for (deed, id) in due {
            var wanted: String?
            if case .insist = deed { wanted = "refused" }
            if case .handOver = deed { wanted = "requested" }
            guard let wanted else { continue }
            for charge in try await charges(of: id) {
                for refund in charge.refunds ?? [] where refund.status == wanted {
                    note(try await settle(refund, of: charge.id))
                    isAnythingDone = true
                }
            }
        }
        if isAnythingDone { try await rest.come() }
    }

    private func settle(_ refund: ChargeView.Refund, of charge: String) async throws -> Reply {
        if refund.status == "requested" {
            return try await client.send(.POST, "/payments/\(charge)/refunds/\(refund.id)/handed-over", as: desk.token)
        }
        let body: Body = [
            "payment_id": .text(charge), "amount_cents": .number(refund.amountCents), "reason": "O estorno tinha sido recusado.",
        ]
        return try await client.send(.POST, "/payments/refund", body, as: desk.token)
    }

    private func charges(of booking: String) async throws -> [ChargeView] {
        let charges = try await client.send(.GET, "/payments?reservation_id=\(booking)", as: desk.token).decode([ChargeView].self)
        var views: [ChargeView] = []
        for charge in charges {
            views.append(try await client.send(.GET, "/payments/\(charge.id)", as: desk.token).decode(ChargeView.self))
        }
        return views
    }
}

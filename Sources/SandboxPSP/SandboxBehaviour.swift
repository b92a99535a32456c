/// How the sandbox treats what it is asked for. Tests, demonstrations and simulations set it.
package struct SandboxBehaviour: Codable, Sendable, Equatable {
    package enum Verdict: String, Codable, Sendable {
        /// Until somebody decides through the control routes.
        case wait
        case approve
        case refuse
    }

    package enum Refunds: String, Codable, Sendable {
        case done
        /// Said to be under way, and done after the delay.
        case later
        case refuse
    }

    package var charges = Verdict.wait
    package var refunds = Refunds.done
    /// How long a verdict, or a later refund, takes.
    package var delayMs: Int64 = 0
    /// How long the answer to a charge takes once it is made. Its webhook does not wait for it.
    package var answerMs: Int64 = 0
    /// How often each webhook is sent.
    package var sendings = 1
    /// Whether webhooks that wait together are sent the last first.
    package var reorder = false
    /// Whether webhooks are lost.
    package var lose = false
    /// Whether nothing is answered but 503.
    package var down = false

    package init() {}

    /// As sent to the control route: what is left out is as in a sandbox that has just begun.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        charges = try container.decodeIfPresent(Verdict.self, forKey: .charges) ?? .wait
        refunds = try container.decodeIfPresent(Refunds.self, forKey: .refunds) ?? .done
        delayMs = min(max(try container.decodeIfPresent(Int64.self, forKey: .delayMs) ?? 0, 0), 86_400_000)
        answerMs = min(max(try container.decodeIfPresent(Int64.self, forKey: .answerMs) ?? 0, 0), 60_000)
        sendings = min(max(try container.decodeIfPresent(Int.self, forKey: .sendings) ?? 1, 1), 10)
        reorder = try container.decodeIfPresent(Bool.self, forKey: .reorder) ?? false
        lose = try container.decodeIfPresent(Bool.self, forKey: .lose) ?? false
        down = try container.decodeIfPresent(Bool.self, forKey: .down) ?? false
    }
}

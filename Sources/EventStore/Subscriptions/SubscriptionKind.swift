/// The kinds of subscription, told apart by the schema that their checkpoints and dead letters lie in.
package enum SubscriptionKind: String, Sendable, CaseIterable {
    case policies = "policy"
    case readModels = "read_model"

    var schema: String {
        switch self {
        case .policies: "subs"
        case .readModels: "read"
        }
    }
}

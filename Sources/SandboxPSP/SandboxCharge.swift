import Domain

/// A try to pay as the sandbox keeps it.
struct SandboxCharge: Codable, Sendable, Equatable {
    enum Status: String, Codable, Sendable {
        case pending
        case approved
        case refused
        case expired
    }

    let transaction: String
    let method: MetodoDePagamento
    let amountCents: Int64
    let expiresAt: Instante
    var status = Status.pending
    var paidCents: Int64?
    /// What banks call the payment.
    var reference: String?
    var refusal: MotivoDaRecusa?
    /// Where a payer's bank would find the charge.
    let location: String?
    var refunds: [SandboxRefund] = []
}

/// A giving back as the sandbox keeps it.
struct SandboxRefund: Codable, Sendable, Equatable {
    enum Status: String, Codable, Sendable {
        case processing
        case done
        case refused
    }

    let id: String
    let amountCents: Int64
    var status: Status
    var reference: String?
    var refusal: MotivoDaRecusa?
}

/// What the sandbox tells the one that it takes money for.
struct SandboxEvent: Codable, Sendable {
    struct Charge: Codable, Sendable {
        let transaction: String
        let method: MetodoDePagamento
        let status: SandboxCharge.Status
        let amountCents: Int64
        let paidCents: Int64?
        let reference: String?
        let refusal: MotivoDaRecusa?

        init(_ charge: SandboxCharge) {
            transaction = charge.transaction
            method = charge.method
            status = charge.status
            amountCents = charge.amountCents
            paidCents = charge.paidCents
            reference = charge.reference
            refusal = charge.refusal
        }
    }

    let id: String
    let transaction: String
    var charge: Charge?
    var refundId: String?
    var refund: SandboxRefund?
}

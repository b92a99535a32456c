import Domain
import FoundationEssentials
import HTTP
import HTTPTypes
import Hummingbird

/// The sandbox's API: what a payment service asks, and how the sandbox is told to behave.
struct SandboxRoutes: Sendable {
    let bank: SandboxBank

    func add(to router: Router<CoworkRequestContext>) {
        router.put("charges/:transaction", use: open)
        router.get("charges/:transaction", use: show)
        router.put("charges/:transaction/refunds/:refund", use: refund)
        router.get("control", use: behaviour)
        router.put("control", use: behave)
        router.get("control/waiting", use: waiting)
        router.post("control/charges/:transaction/approve", use: approve)
        router.post("control/charges/:transaction/refuse", use: refuse)
    }

    private struct ChargeInput: Decodable {
        let method: MetodoDePagamento
        let amountCents: Int64
        let expiresAt: String
        let cardToken: String?
    }

    @Sendable private func open(_ request: Request, _ context: CoworkRequestContext) async throws -> JSONAnswer<SandboxCharge> {
        try await requireUp()
        let transaction = try Self.transaction(context)
        let input = try await request.json(ChargeInput.self).value
        guard !input.method.noBalcao else { throw Problem.invalid(field: "method", "must be pix or cartao") }
        guard input.amountCents > 0 else { throw Problem.invalid(field: "amount_cents", "must be more than zero") }
        guard let expires = Instante(input.expiresAt) else { throw Problem.invalid(field: "expires_at", "must be a time") }
        guard (input.cardToken != nil) == (input.method == .cartao) else { throw Problem.invalid(field: "card_token", "goes with a card") }
        let location = input.method == .pix ? "pix.sandbox.test/qr/v2/\(transaction.texto)" : nil
        let wanted = SandboxCharge(
            transaction: transaction.texto, method: input.method, amountCents: input.amountCents, expiresAt: expires, location: location
        )
        let charge = try await refusing { try await bank.open(wanted) }
        let wait = await bank.behaviour.answerMs
        if wait > 0 { try await Task.sleep(for: .milliseconds(wait)) }
        return JSONAnswer(charge)
    }

    @Sendable private func show(_ request: Request, _ context: CoworkRequestContext) async throws -> JSONAnswer<SandboxCharge> {
        try await requireUp()
        guard let charge = await bank.charge(try Self.transaction(context).texto) else { throw Problem.notFound }
        return JSONAnswer(charge)
    }

    private struct RefundInput: Decodable {
        let amountCents: Int64
    }

    @Sendable private func refund(_ request: Request, _ context: CoworkRequestContext) async throws -> JSONAnswer<SandboxRefund> {
        try await requireUp()
        let transaction = try Self.transaction(context)
        let id: EstornoID = try context.id("refund")
        let input = try await request.json(RefundInput.self).value
        return JSONAnswer(try await refusing { try await bank.refund(id.texto, of: transaction.texto, cents: input.amountCents) })
    }

    @Sendable private func behaviour(_ request: Request, _ context: CoworkRequestContext) async throws -> JSONAnswer<SandboxBehaviour> {
        JSONAnswer(await bank.behaviour)
    }

    /// A driver of tests or simulations goes on when nothing waits.
    @Sendable private func waiting(_ request: Request, _ context: CoworkRequestContext) async throws -> JSONAnswer<SandboxWaiting> {
        JSONAnswer(await bank.waiting())
    }

    @Sendable private func behave(_ request: Request, _ context: CoworkRequestContext) async throws -> JSONAnswer<SandboxBehaviour> {
        await bank.set(try await request.json(SandboxBehaviour.self).value)
        return JSONAnswer(await bank.behaviour)
    }

    private struct Payment: Decodable {
        /// Another amount than is owed.
        let amountCents: Int64?
    }

    @Sendable private func approve(_ request: Request, _ context: CoworkRequestContext) async throws -> JSONAnswer<Message> {
        let transaction = try Self.transaction(context)
        let body = try await request.bytes()
        let cents = body.isEmpty ? nil : try JSON.decode(Payment.self, from: body).amountCents
        try await refusing { try await bank.decide(transaction.texto, approve: true, cents: cents) }
        return JSONAnswer(Message("approved"))
    }

    @Sendable private func refuse(_ request: Request, _ context: CoworkRequestContext) async throws -> JSONAnswer<Message> {
        let transaction = try Self.transaction(context)
        try await refusing { try await bank.decide(transaction.texto, approve: false) }
        return JSONAnswer(Message("refused"))
    }

    private static func transaction(_ context: CoworkRequestContext) throws(Problem) -> TransacaoID {
        guard let transaction = context.parameters.get("transaction").flatMap({ TransacaoID($0) }) else { throw .notFound }
        return transaction
    }

    private func requireUp() async throws {
        if await bank.behaviour.down { throw Problem.unavailable }
    }

    private func refusing<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let refusal as SandboxBank.Refusal {
            switch refusal {
            case .unknown: throw Problem.notFound
            case .different: throw Problem(.conflict, code: "different", detail: "This name stands for something else.")
            case .exceeds: throw Problem(.unprocessableContent, code: "exceeds", detail: "More would go back than came in.")
            case .notPaid: throw Problem(.conflict, code: "not_paid", detail: "The charge is not paid.")
            case .settled: throw Problem(.conflict, code: "settled", detail: "The charge is paid already.")
            case .full: throw Problem(.serviceUnavailable, code: "full", detail: "The sandbox keeps no more charges.")
            }
        }
    }
}

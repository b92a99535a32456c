import Domain
import EventStore
import FoundationEssentials
package import HTTP
import HTTPTypes
package import Hummingbird

/// Payments over HTTP.
package struct PagamentosRoutes: Sendable {
    private let commands: CommandHandling
    private let keyring: Keyring
    private let desk: PaymentDesk
    private let settlement: Settlement

    /// - Parameter provider: whoever runs the service shuts it down.
    package init(_ dependencies: ServiceDependencies, provider: any PaymentProvider) {
        commands = dependencies.commands
        keyring = dependencies.keyring
        settlement = Settlement(commands: dependencies.commands, reader: dependencies.reader, provider: provider)
        desk = PaymentDesk(settlement: settlement, zones: dependencies.zones)
    }

    package func add(to router: Router<CoworkRequestContext>) {
        router.post("payments/charge", use: charge)
        router.post("payments/desk", use: take)
        router.post("payments/refund", use: refund)
        router.post("payments/:payment/refunds/:refund/handed-over", use: handOver)
        router.post("payments/webhook/:provider", use: webhook)
        // Providers of PIX add this to the address that they are given (Central Bank's Pix API, "Webhooks").
        router.post("payments/webhook/:provider/pix", use: webhook)
    }

    private struct ChargeInput: Decodable {
        let reservationId: String?
        let paymentId: String?
        let method: String
        /// What the provider keeps the card under; never a card's number.
        let cardToken: String?
    }

    @Sendable private func charge(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<ChargeView> {
        let identity = try context.signedIn()
        let (input, body) = try await request.json(ChargeInput.self)
        let subject = try Self.subject(input.reservationId, input.paymentId)
        switch input.method {
        case "pix":
            guard input.cardToken == nil else { throw Problem.invalid(field: "card_token", "goes with the method card") }
            return try await desk.pix(subject, by: identity.actor, request, context, body)
        case "card":
            guard let text = input.cardToken else { throw Problem.invalid(field: "card_token", "is required with the method card") }
            return try await desk.card(subject, try TokenDeCartao(text), by: identity.actor, request, context, body)
        default: throw Problem.invalid(field: "method", "must be pix or card")
        }
    }

    /// What is to be paid: a booking, or a charge.
    private static func subject(_ booking: String?, _ payment: String?) throws(Problem) -> PaymentDesk.Subject {
        guard let payment else {
            guard let booking = booking.flatMap({ ReservaID($0) }) else {
                throw .invalid(field: "reservation_id", "must be the id of a booking")
            }
            return .booking(booking)
        }
        guard booking == nil else { throw .invalid(field: "payment_id", "goes without reservation_id") }
        guard let payment = PagamentoID(payment) else { throw .invalid(field: "payment_id", "must be the id of a payment") }
        return .payment(payment)
    }

    private struct RefundInput: Decodable {
        let paymentId: String
        let amount: Double?
        let amountCents: Int64?
        let reason: String
    }

    @Sendable private func refund(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<RefundView> {
        let identity = try context.signedIn()
        guard identity.actor.opera else { throw RecusaDePagamentos.soEquipe }
        let (input, body) = try await request.json(RefundInput.self)
        guard let payment = PagamentoID(input.paymentId) else {
            throw Problem.invalid(field: "payment_id", "must be the id of a payment")
        }
        let reason = input.reason.trimmingPrefix(while: \.isWhitespace)
        guard !reason.isEmpty else { throw RecusaDePagamentos.justificativaObrigatoria }
        guard reason.unicodeScalars.count <= 1000 else { throw Problem.invalid(field: "reason", "must have at most 1000 characters") }
        let amount = try Self.amount(input)
        let refund: EstornoID = commands.newID()
        let execution = try await commands.run(request, context, body: body) { loader in
            let state = Pagamento.dobrar(try await loader.load(.pagamento(payment)))
            guard let data = state.dados, identity.actor.atende(data.unidade) else { throw RecusaDePagamentos.pagamentoNaoEncontrado }
            return try EstornarPagamento(
                estorno: refund,
                ator: identity.actor,
                valor: amount,
                justificativa: try await self.seal(String(reason), of: data.usuario, loader),
                agora: commands.now
            ).decidir(pagamento: state)
        }
        guard let asked = execution.events.lazy.compactMap(\.askedRefund).first else { throw Problem.notFound }
        // It is recorded, and a timer does it; what can be done at once is said at once.
        let progress = (try? await settlement.refund(asked.estorno, of: payment)) ?? .processing
        return CommandAnswer(RefundView(asked, progress), at: execution.position)
    }

    private struct DeskInput: Decodable {
        let reservationId: String?
        let paymentId: String?
        let method: String
        let amountCents: Int64?
        /// Of the card machine's receipt.
        let reference: String?
    }

    @Sendable private func take(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<ChargeView> {
        let identity = try context.signedIn()
        guard identity.actor.opera else { throw RecusaDePagamentos.soEquipe }
        let (input, body) = try await request.json(DeskInput.self)
        let subject = try Self.subject(input.reservationId, input.paymentId)
        guard let method = MetodoDePagamento.allCases.first(where: { $0.noBalcao && $0.codigo == input.method }) else {
            throw Problem.invalid(field: "method", "must be cash or card_machine")
        }
        if let reference = input.reference, !(1...64).contains(reference.utf8.count) || TokenDeCartao.pareceNumero(reference) {
            throw Problem.invalid(field: "reference", "must be a receipt's number of at most 64 characters, and no card's")
        }
        let command = ReceberNoBalcao(
            ator: identity.actor,
            metodo: method,
            valor: input.amountCents.map { Dinheiro(centavos: $0) },
            referencia: input.reference,
            agora: commands.now
        )
        let execution = try await commands.run(request, context, body: body) { loader in try await desk.take(command, for: subject, loader)
        }
        guard let view = try ChargeView(execution.events, zone: .utc) else { throw Problem.notFound }
        return CommandAnswer(view, at: execution.position)
    }

    @Sendable private func handOver(_ request: Request, _ context: CoworkRequestContext) async throws -> CommandAnswer<Message> {
        let identity = try context.signedIn()
        let (payment, refund): (PagamentoID, EstornoID) = (try context.id("payment"), try context.id("refund"))
        let execution = try await commands.run(request, context, body: []) { loader in
            try DevolverNoBalcao(estorno: refund, ator: identity.actor, agora: commands.now)
                .decidir(pagamento: .dobrar(try await loader.load(.pagamento(payment))))
        }
        return CommandAnswer(Message("ok"), at: execution.position)
    }

    /// Nothing of an erased person's is sealed any more, and their money goes back all the same.
    private func seal(_ reason: String, of user: UsuarioID, _ loader: StreamLoader) async throws -> Selado? {
        do {
            return try await loader.seal(reason, of: user, field: "justificativa", with: keyring)
        } catch RecusaDeUsuarios.naoEncontrado {
            return nil
        }
    }

    /// - Returns: nil where all is asked back.
    private static func amount(_ input: RefundInput) throws(Problem) -> Dinheiro? {
        if let cents = input.amountCents {
            guard input.amount.map({ $0 == Double(cents) / 100 }) ?? true else {
                throw .invalid(field: "amount_cents", "must be the same as amount")
            }
            return Dinheiro(centavos: cents)
        }
        guard let amount = input.amount else { return nil }
        let cents = (amount * 100).rounded()
        guard abs(amount) < 1e12, abs(amount * 100 - cents) < 1e-4 else { throw .invalid(field: "amount", "must be in whole cents") }
        return Dinheiro(centavos: Int64(cents))
    }

    @Sendable private func webhook(_ request: Request, _ context: CoworkRequestContext) async throws -> JSONAnswer<Message> {
        guard context.parameters.get("provider") == settlement.provider.name else { throw Problem.notFound }
        let parameters = request.uri.queryParameters.map { (String($0.key), String($0.value)) }
        let webhook = Webhook(
            headers: request.headers,
            query: Dictionary(parameters) { first, _ in first },
            body: try await request.bytes(),
            now: commands.now
        )
        for notice in try await Self.notices(in: webhook, of: settlement.provider) { _ = try await settlement.record(notice) }
        return JSONAnswer(Message("ok"))
    }

    private static func notices(in webhook: Webhook, of provider: any PaymentProvider) async throws -> [ProviderNotice] {
        do {
            return try await provider.notices(in: webhook)
        } catch WebhookError.unsigned {
            throw Problem(.unauthorized, code: "invalid_signature", detail: "The webhook is not signed by the provider.")
        } catch WebhookError.tooOld {
            throw Problem(.unauthorized, code: "signature_expired", detail: "The webhook's signature is too old, or from the future.")
        } catch WebhookError.malformed {
            throw Problem.malformed("The webhook does not say what it should.")
        } catch is ProviderError {
            throw Problem.unavailable
        }
    }
}

extension EventoDoDominio {
    fileprivate var askedRefund: EstornoSolicitado? {
        if case .pagamentos(.estornoSolicitado(let event)) = self { return event }
        return nil
    }
}

package import Domain
package import HTTPTypes

/// Who takes the money: everything that is asked of a payment service provider. Each request names the try to pay, or the giving back, and
/// may be repeated with the same name: it takes effect once.
package protocol PaymentProvider: Sendable {
    /// As in `POST /payments/webhook/{provider}`.
    var name: String { get }

    /// Has the provider take a PIX until the order expires.
    func createPix(_ order: ChargeOrder) async throws(ProviderError) -> String
    /// Has the provider charge a card that it keeps.
    func chargeCard(_ order: ChargeOrder, token: TokenDeCartao) async throws(ProviderError) -> ChargeStatus
    /// What became of a try to pay.
    func status(of transaction: TransacaoID) async throws(ProviderError) -> ChargeStatus
    /// Gives money back, or says how far that is.
    func refund(_ order: RefundOrder) async throws(ProviderError) -> RefundProgress
    /// What a webhook says. Its word is taken only where it is signed, or confirmed by asking back.
    func notices(in webhook: Webhook) async throws -> [ProviderNotice]

    func shutDown() async
}

/// What is to be paid.
package struct ChargeOrder: Sendable {
    package let transaction: TransacaoID
    package let amount: Dinheiro
    package let now: Instante
    package let expires: Instante
}

/// What is to be given back.
package struct RefundOrder: Sendable {
    package let refund: EstornoID
    package let transaction: TransacaoID
    /// What the provider calls the payment.
    package let reference: String?
    package let amount: Dinheiro
}

/// Where a try to pay stands at the provider.
package enum ChargeStatus: Sendable, Equatable {
    /// The provider has not heard of it.
    case unknown
    case pending
    /// The provider has the money; `reference` is what it calls the payment.
    case approved(MetodoDePagamento, Dinheiro, reference: String?)
    case refused(MetodoDePagamento, MotivoDaRecusa)
    case expired
}

/// Where a giving back stands at the provider.
package enum RefundProgress: Sendable, Equatable {
    case processing
    case done(reference: String?)
    case refused(MotivoDaRecusa)
}

/// What a provider says unasked.
package struct ProviderNotice: Sendable, Equatable {
    package enum Content: Sendable, Equatable {
        case charge(TransacaoID, ChargeStatus)
        case refund(EstornoID, TransacaoID, RefundProgress)
    }

    /// The same however often the notice comes.
    package let id: String
    package let content: Content
}

/// A webhook's request.
package struct Webhook: Sendable {
    package let headers: HTTPFields
    package let query: [String: String]
    package let body: [UInt8]
    package let now: Instante
}

/// Why a provider did not do what it was asked.
package enum ProviderError: Error, Sendable, Equatable {
    /// It did not answer, or not sensibly: what became of it is not known. The same again finds out.
    case unavailable
    /// It will not, whenever it is asked.
    case rejected
    /// It does not take money that way.
    case unsupported(MetodoDePagamento)
}

/// Why a webhook is not listened to.
package enum WebhookError: Error, Sendable, Equatable {
    case unsigned
    case tooOld
    case malformed
}

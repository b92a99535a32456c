package import Crypto
package import Domain
import FoundationEssentials
import HTTP
import HTTPTypes

/// The sandbox PSP (`coworkflow sandbox-psp`), which settles by signed webhooks.
package struct SandboxProvider: PaymentProvider {
    package let name = "sandbox"

    private let client: ProviderClient
    private let signature: WebhookSignature
    private let merchant: Merchant

    /// - Parameters:
    ///   - url: of the sandbox, without a slash at its end.
    ///   - key: shared with it; signs its webhooks.
    package init(url: String, key: SymmetricKey, merchant: Merchant) {
        client = ProviderClient(base: url)
        signature = WebhookSignature(key: key)
        self.merchant = merchant
    }

    private struct ChargeInput: Encodable {
        let method: String
        let amountCents: Int64
        let expiresAt: String
        let cardToken: String?
    }

    private struct Charge: Decodable {
        let transaction: String
        let method: String
        let status: String
        let amountCents: Int64
        let paidCents: Int64?
        let reference: String?
        let refusal: String?
        let location: String?
    }

    private struct RefundInput: Encodable {
        let amountCents: Int64
    }

    private struct Refund: Decodable {
        let status: String
        let reference: String?
        let refusal: String?
    }

    private struct Event: Decodable {
        let id: String
        let transaction: String
        let charge: Charge?
        let refundId: String?
        let refund: Refund?
    }

    package func createPix(_ order: ChargeOrder) async throws(ProviderError) -> String {
        let charge = try await put(order, .pix, token: nil)
        guard let location = charge.location else { throw .unavailable }
        return try merchant.code(location: location)
    }

    package func chargeCard(_ order: ChargeOrder, token: TokenDeCartao) async throws(ProviderError) -> ChargeStatus {
        Self.status(try await put(order, .cartao, token: token))
    }

    package func status(of transaction: TransacaoID) async throws(ProviderError) -> ChargeStatus {
        let answer = try await client.send(.GET, "/charges/\(transaction.texto)")
        if answer.status == 404 { return .unknown }
        return Self.status(try Self.read(answer))
    }

    package func refund(_ order: RefundOrder) async throws(ProviderError) -> RefundProgress {
        let body = try Self.bytes(RefundInput(amountCents: order.amount.centavos))
        let refund: Refund = try Self.read(
            try await client.send(.PUT, "/charges/\(order.transaction.texto)/refunds/\(order.refund.texto)", body: body)
        )
        return Self.progress(refund)
    }

    package func notices(in webhook: Webhook) async throws -> [ProviderNotice] {
        guard let header = HTTPField.Name(WebhookSignature.header).flatMap({ webhook.headers[$0] }) else { throw WebhookError.unsigned }
        do {
            try signature.verify(header, of: webhook.body, at: webhook.now)
        } catch .tooOld {
            throw WebhookError.tooOld
        } catch {
            throw WebhookError.unsigned
        }
        let event = try JSON.decode(Event.self, from: webhook.body)
        guard let transaction = TransacaoID(event.transaction), (1...100).contains(event.id.utf8.count) else {
            throw WebhookError.malformed
        }
        if let charge = event.charge { return [ProviderNotice(id: event.id, content: .charge(transaction, Self.status(charge)))] }
        guard let refund = event.refund, let id = event.refundId.flatMap({ EstornoID($0) }) else { throw WebhookError.malformed }
        return [ProviderNotice(id: event.id, content: .refund(id, transaction, Self.progress(refund)))]
    }

    package func shutDown() async { await client.shutDown() }

    private func put(
        _ order: ChargeOrder,
        _ method: MetodoDePagamento,
        token: TokenDeCartao?
    ) async throws(ProviderError) -> Charge {
        let input = ChargeInput(
            method: method.rawValue, amountCents: order.amount.centavos, expiresAt: order.expires.texto, cardToken: token?.texto
        )
        return try Self.read(try await client.send(.PUT, "/charges/\(order.transaction.texto)", body: try Self.bytes(input)))
    }

    private static func bytes(_ input: some Encodable) throws(ProviderError) -> [UInt8] {
        do { return try JSON.encode(input) } catch { throw .rejected }
    }

    private static func read<Value: Decodable>(_ answer: ProviderClient.Answer) throws(ProviderError) -> Value {
        guard answer.status < 400 else { throw .rejected }
        do { return try JSON.decode(Value.self, from: answer.body) } catch { throw .unavailable }
    }

    private static func status(_ charge: Charge) -> ChargeStatus {
        guard let method = MetodoDePagamento(rawValue: charge.method), !method.noBalcao else { return .unknown }
        return switch charge.status {
        case "approved": .approved(method, Dinheiro(centavos: charge.paidCents ?? charge.amountCents), reference: charge.reference)
        case "refused": .refused(method, charge.refusal.flatMap(MotivoDaRecusa.init(rawValue:)) ?? .outro)
        case "expired": .expired
        default: .pending
        }
    }

    private static func progress(_ refund: Refund) -> RefundProgress {
        switch refund.status {
        case "done": .done(reference: refund.reference)
        case "refused": .refused(refund.refusal.flatMap(MotivoDaRecusa.init(rawValue:)) ?? .outro)
        default: .processing
        }
    }
}

/// Who receives the money, as payers' banks show it.
package struct Merchant: Sendable {
    /// At most 25 characters, as the BR Code has it.
    package let name: String
    /// At most 15.
    package let city: String

    /// - Throws: `ErroDoCodigoPix` for what no BR Code can hold.
    package init(name: String, city: String) throws {
        _ = try CodigoPix(conta: .url("pix.example.com/x"), nome: name, cidade: city)
        self.name = name
        self.city = city
    }

    /// A code good for one payment of the charge that lies there.
    func code(location: String) throws(ProviderError) -> String {
        do {
            return try CodigoPix(conta: .url(location), nome: name, cidade: city, usoUnico: true).texto
        } catch {
            throw .rejected
        }
    }
}

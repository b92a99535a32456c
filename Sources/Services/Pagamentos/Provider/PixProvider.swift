import AsyncHTTPClient
import Crypto
package import Domain
import Foundation
import HTTP
import NIOSSL

/// A provider that speaks the Central Bank's Pix API (version 2): charges with an expiry (`cob`), refunds (`devolucao`), webhooks. A
/// webhook is a hint only: what became of the charge is asked for over the connection that both sides have proved themselves on.
package struct PixProvider: PaymentProvider {
    package let name = "pix"

    private let client: ProviderClient
    private let tokens: PixTokens
    private let settings: PixSettings
    private let merchant: Merchant

    /// - Throws: where certificates are named that cannot be read.
    package init(_ settings: PixSettings, merchant: Merchant) throws {
        var configuration = HTTPClient.Configuration()
        configuration.tlsConfiguration = try Self.tls(settings)
        client = ProviderClient(base: settings.url, configuration: configuration)
        tokens = PixTokens(settings, configuration: configuration)
        self.settings = settings
        self.merchant = merchant
    }

    private static func tls(_ settings: PixSettings) throws -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let certificate = settings.certificate, let key = settings.privateKey {
            tls.certificateChain = try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) }
            tls.privateKey = .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
        }
        if let roots = settings.trustRoots { tls.additionalTrustRoots = [.file(roots)] }
        return tls
    }

    package func createPix(_ order: ChargeOrder) async throws(ProviderError) -> String {
        let seconds = max(1, (order.expires - order.now).microssegundos / 1_000_000)
        let input = PixCharge.Input(
            calendario: .init(expiracao: seconds), valor: .init(original: CodigoPix.valorEscrito(order.amount)), chave: settings.key
        )
        let path = "/cob/\(order.transaction.texto)"
        var answer = try await send(.PUT, path, Self.bytes(input))
        // The charge may be there from a try whose answer got lost; some providers will not hear of it twice.
        if [400, 409, 422].contains(answer.status) { answer = try await send(.GET, path) }
        let charge: PixCharge = try Self.read(answer)
        guard charge.txid == order.transaction.texto, Self.amount(charge.valor.original) == order.amount else { throw .rejected }
        if let code = charge.pixCopiaECola, (try? CodigoPix(lendo: code)) != nil { return code }
        guard let location = charge.location ?? charge.loc?.location else { throw .unavailable }
        return try merchant.code(location: location)
    }

    package func chargeCard(_ order: ChargeOrder, token: TokenDeCartao) async throws(ProviderError) -> ChargeStatus {
        throw .unsupported(.cartao)
    }

    package func status(of transaction: TransacaoID) async throws(ProviderError) -> ChargeStatus {
        let answer = try await send(.GET, "/cob/\(transaction.texto)")
        if answer.status == 404 { return .unknown }
        let charge: PixCharge = try Self.read(answer)
        if let paid = charge.pix?.first {
            guard let amount = Self.amount(paid.valor) else { throw .unavailable }
            return .approved(.pix, amount, reference: paid.endToEndId)
        }
        switch charge.status {
        case "REMOVIDA_PELO_USUARIO_RECEBEDOR", "REMOVIDA_PELO_PSP": return .expired
        // Concluded without saying by which payment: that comes.
        default: return .pending
        }
    }

    package func refund(_ order: RefundOrder) async throws(ProviderError) -> RefundProgress {
        guard let payment = order.reference else { throw .rejected }
        // At most 35 letters and digits: a UUID without its hyphens.
        let path = "/pix/\(payment)/devolucao/\(order.refund.texto.filter { $0 != "-" })"
        var answer = try await send(.GET, path)
        if answer.status == 404 {
            answer = try await send(.PUT, path, Self.bytes(PixRefund.Input(valor: CodigoPix.valorEscrito(order.amount))))
        }
        let refund: PixRefund = try Self.read(answer)
        guard Self.amount(refund.valor) == order.amount else { throw .rejected }
        return switch refund.status {
        case "DEVOLVIDO": .done(reference: refund.rtrId)
        case "NAO_REALIZADO": .refused(.outro)
        default: .processing
        }
    }

    package func notices(in webhook: Webhook) async throws -> [ProviderNotice] {
        guard let secret = webhook.query["hmac"], Self.same(secret, settings.webhookSecret) else { throw WebhookError.unsigned }
        let said: PixWebhook
        do { said = try JSONDecoder().decode(PixWebhook.self, from: Data(webhook.body)) } catch { throw WebhookError.malformed }
        guard said.pix.count <= 100 else { throw WebhookError.malformed }
        var notices: [ProviderNotice] = []
        for transaction in Set(said.pix.compactMap(\.txid).compactMap { TransacaoID($0) }).sorted() {
            let status = try await status(of: transaction)
            // Named by what it says: a webhook has no id of its own, and may come before the charge is settled and after.
            guard case .approved(_, _, let reference) = status else { continue }
            notices.append(
                ProviderNotice(id: "\(transaction.texto) \(reference ?? "")", content: .charge(transaction, status))
            )
        }
        return notices
    }

    package func shutDown() async {
        await client.shutDown()
        await tokens.shutDown()
    }

    private func send(_ method: ProviderClient.Method, _ path: String, _ body: [UInt8]? = nil) async throws(ProviderError)
        -> ProviderClient.Answer
    {
        let answer = try await client.send(method, path, headers: ["Authorization": "Bearer \(try await tokens.token())"], body: body)
        guard answer.status == 401 else { return answer }
        // Revoked before its time.
        await tokens.forget()
        return try await client.send(method, path, headers: ["Authorization": "Bearer \(try await tokens.token())"], body: body)
    }

    private static func bytes(_ input: some Encodable) throws(ProviderError) -> [UInt8] {
        do { return Array(try JSONEncoder().encode(input)) } catch { throw .rejected }
    }

    private static func read<Value: Decodable>(_ answer: ProviderClient.Answer) throws(ProviderError) -> Value {
        guard answer.status < 400 else { throw answer.status == 401 || answer.status == 403 ? .unavailable : .rejected }
        do { return try JSONDecoder().decode(Value.self, from: Data(answer.body)) } catch { throw .unavailable }
    }

    private static func amount(_ text: String) -> Dinheiro? { try? CodigoPix.valor(text) }

    /// In constant time: equal texts have equal codes under a key that nobody knows.
    private static func same(_ one: String, _ other: String) -> Bool {
        let key = SymmetricKey(size: .bits256)
        let code = HMAC<SHA256>.authenticationCode(for: Array(one.utf8), using: key)
        return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: Array(other.utf8), using: key)
    }
}

import Domain
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import PagamentosService

/// The real provider's side of the Central Bank's Pix API.
@Suite struct PixProviderTests {
    private static let now = Instante(segundos: 1_772_463_600)

    private func with(_ body: @Sendable @escaping (PixProvider, PixStandIn, PixProvider) async throws -> Void) async throws {
        let standIn = PixStandIn(receiver: "chave@exemplo.test")
        let application = Application(router: standIn.router(), configuration: .init(address: .hostname("127.0.0.1", port: 0)))
        try await application.test(.live) { client in
            let port = try #require(client.port)
            func provider(_ secret: String) throws -> PixProvider {
                try PixProvider(
                    PixSettings(
                        url: "http://127.0.0.1:\(port)", tokenURL: "http://127.0.0.1:\(port)/token", clientID: "cliente",
                        clientSecret: secret, key: "chave@exemplo.test", webhookSecret: "segredo-do-webhook"
                    ),
                    merchant: try Merchant(name: "CoworkFlow", city: "SAO PAULO")
                )
            }
            let (right, wrong) = (try provider("segredo"), try provider("errado"))
            do {
                try await body(right, standIn, wrong)
            } catch {
                await right.shutDown()
                await wrong.shutDown()
                throw error
            }
            await right.shutDown()
            await wrong.shutDown()
        }
        #expect(await standIn.violations.filter { $0 != "more goes back than came in" } == [])
    }

    private func order(_ cents: Int64 = 6_000, number: Int = 1) throws -> ChargeOrder {
        let payment = PagamentoID(alto: 0x0189_0A5D_AC96_774B, baixo: 0xBCCE_0000_0000_0001)
        return ChargeOrder(
            transaction: try #require(TransacaoID(payment, tentativa: number)), amount: Dinheiro(centavos: cents), now: Self.now,
            expires: Self.now + .minutos(14)
        )
    }

    private func refund(_ reference: String?, _ cents: Int64, _ number: UInt64 = 7) throws -> RefundOrder {
        RefundOrder(
            refund: EstornoID(alto: 0x0189_0A5D_AC96_774B, baixo: 0xBCCE_0000_0000_0000 | number), transaction: try order().transaction,
            reference: reference, amount: Dinheiro(centavos: cents)
        )
    }

    @Test("A charge is made once however often it is asked for, and its code leads to it", arguments: [false, true])
    func charge(refusesRepeats: Bool) async throws {
        try await with { provider, standIn, _ in
            await standIn.set(refusesRepeats: refusesRepeats)
            let code = try await provider.createPix(try order())
            #expect(try await provider.createPix(try order()) == code)
            let location = "pix.example.com/qr/v2/\(try order().transaction.texto)"
            #expect(try CodigoPix(lendo: code).conta == .url(location))
            #expect(await standIn.cobs.count == 1)
            #expect(await standIn.tokens == 1)
            // The same name for another amount is not the same charge
            await #expect(throws: ProviderError.rejected) { try await provider.createPix(try order(7_000)) }
        }
    }

    @Test("What became of a charge is what the provider says of it")
    func status() async throws {
        try await with { provider, standIn, _ in
            let transaction = try order().transaction
            #expect(try await provider.status(of: transaction) == .unknown)
            _ = try await provider.createPix(try order())
            #expect(try await provider.status(of: transaction) == .pending)
            try await standIn.pay(transaction.texto)
            guard case .approved(.pix, let amount, let reference) = try await provider.status(of: transaction) else {
                Issue.record("not approved")
                return
            }
            #expect(amount == Dinheiro(centavos: 6_000) && reference?.hasPrefix("E") == true)
        }
    }

    @Test("Money goes back once, in parts, and never more than came in")
    func refunds() async throws {
        try await with { provider, standIn, _ in
            _ = try await provider.createPix(try order())
            try await standIn.pay(try order().transaction.texto)
            guard case .approved(_, _, let reference) = try await provider.status(of: try order().transaction) else { return }
            #expect(try await provider.refund(try refund(reference, 4_000)) == .done(reference: "D00000000202603021200abcdefghijk"))
            #expect(try await provider.refund(try refund(reference, 4_000)) == .done(reference: "D00000000202603021200abcdefghijk"))
            await #expect(throws: ProviderError.rejected) { try await provider.refund(try refund(reference, 4_001)) }
            await #expect(throws: ProviderError.rejected) { try await provider.refund(try refund(reference, 2_001, 8)) }
            await standIn.set(refundStatus: "EM_PROCESSAMENTO")
            #expect(try await provider.refund(try refund(reference, 2_000, 9)) == .processing)
            await standIn.settle(try refund(reference, 2_000, 9).refund.texto.filter { $0 != "-" }, as: "NAO_REALIZADO")
            #expect(try await provider.refund(try refund(reference, 2_000, 9)) == .refused(.outro))
            await #expect(throws: ProviderError.rejected) { try await provider.refund(try refund(nil, 1)) }
        }
    }

    @Test("Webhooks are listened to with the secret, and believed only where the provider says the same")
    func webhooks() async throws {
        try await with { provider, standIn, _ in
            let transaction = try order().transaction
            _ = try await provider.createPix(try order())
            let body = Array(
                "{\"pix\":[{\"endToEndId\":\"E1\",\"txid\":\"\(transaction.texto)\",\"valor\":\"60.00\",\"horario\":\"2026-03-02T12:00:00Z\"}]}"
                    .utf8)
            func notices(_ secret: String?, _ body: [UInt8]) async throws -> [ProviderNotice] {
                try await provider.notices(in: Webhook(headers: [:], query: secret.map { ["hmac": $0] } ?? [:], body: body, now: Self.now))
            }
            await #expect(throws: WebhookError.unsigned) { try await notices(nil, body) }
            await #expect(throws: WebhookError.unsigned) { try await notices("segredo", body) }
            await #expect(throws: WebhookError.malformed) { try await notices("segredo-do-webhook", Array("{}".utf8)) }
            #expect(try await notices("segredo-do-webhook", body).isEmpty)

            try await standIn.pay(transaction.texto)
            let said = try await notices("segredo-do-webhook", body)
            #expect(said.count == 1)
            #expect(try await notices("segredo-do-webhook", body) == said)
            let strangers = Array("{\"pix\":[{\"endToEndId\":\"E1\",\"txid\":\"alheio\"},{\"endToEndId\":\"E2\"}]}".utf8)
            #expect(try await notices("segredo-do-webhook", strangers).isEmpty)
        }
    }

    @Test("A token that was revoked is replaced; wrong credentials, and a provider that is down, are a matter of waiting")
    func tokens() async throws {
        try await with { provider, standIn, wrong in
            _ = try await provider.createPix(try order())
            await standIn.revoke()
            #expect(try await provider.status(of: try order().transaction) == .pending)
            await #expect(throws: ProviderError.unavailable) { try await wrong.createPix(try order()) }
            await standIn.set(isDown: true)
            await #expect(throws: ProviderError.unavailable) { try await provider.status(of: try order().transaction) }
            await #expect(throws: ProviderError.unsupported(.cartao)) {
                try await provider.chargeCard(try order(), token: try TokenDeCartao("tok_12345678x"))
            }
        }
    }

    @Test("A certificate that cannot be read is said to be one before anything is charged")
    func certificates() throws {
        #expect(throws: (any Error).self) {
            try PixProvider(
                PixSettings(
                    url: "https://x", tokenURL: "https://x/token", clientID: "c", clientSecret: "s", key: "k", webhookSecret: "w",
                    certificate: "/nonexistent/certificate.pem", privateKey: "/nonexistent/key.pem"
                ),
                merchant: try Merchant(name: "CoworkFlow", city: "SAO PAULO")
            )
        }
    }
}

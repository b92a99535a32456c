import Testing

@testable import NotificacoesService

@Suite struct DeliverySignatureTests {
    @Test("A delivery is signed as standardwebhooks.com has it: its published example verifies")
    func published() {
        // The example of the specification's reference libraries.
        let signature = DeliverySignature(secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        let headers = signature.headers(id: "msg_p5jXN8AQM9LWM0D4loKWxJek", time: 1_614_265_330, body: Array(#"{"test": 2432232314}"#.utf8))
        #expect(headers.first { $0.0 == "webhook-signature" }?.1 == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        #expect(headers.first { $0.0 == "webhook-id" }?.1 == "msg_p5jXN8AQM9LWM0D4loKWxJek")
        #expect(headers.first { $0.0 == "webhook-timestamp" }?.1 == "1614265330")
    }

    @Test("Secrets are long and no two are the same")
    func secrets() {
        let secrets = (0..<100).map { _ in DeliverySignature.freshSecret() }
        #expect(Set(secrets).count == 100)
        #expect(secrets.allSatisfy { $0.hasPrefix("whsec_") && $0.count == 50 })
    }
}

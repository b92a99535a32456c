import Testing

@testable import NotificacoesService

/// Where webhooks may lead, and where not.
@Suite struct AddressGuardTests {
    private func refusal(_ url: String, allowsLoopback: Bool = false) async -> String? {
        let judge = AddressGuard(allowsLoopback: allowsLoopback)
        do {
            _ = try await judge.resolve(try judge.target(url))
            return nil
        } catch {
            return (error as? AddressGuard.Refused)?.description ?? "\(error)"
        }
    }

    @Test(
        "Our own network is not called, however its address is written",
        arguments: [
            "https://127.0.0.1/", "https://localhost/x", "https://[::1]/", "https://10.1.2.3/", "https://172.16.0.1/",
            "https://192.168.1.1/",
            "https://169.254.169.254/latest/meta-data", "https://100.64.0.1/", "https://0.0.0.0/", "https://224.0.0.1/",
            "https://255.255.255.255/", "https://[fe80::1]/", "https://[fc00::1]/", "https://[::ffff:127.0.0.1]/",
            "https://[::ffff:a00:1]/",
            "https://[64:ff9b::10.0.0.1]/", "https://[2001:db8::1]/", "https://[2002:7f00:1::]/", "https://[::]/", "https://2130706433/",
            "https://0x7f.1/", "https://127.1/",
        ]
    )
    func neighbours(url: String) async {
        #expect(await refusal(url) != nil)
    }

    @Test("What is in the public network is called", arguments: ["https://93.184.216.34/", "https://[2606:2800:220:1::1]:8443/a?b=c"])
    func world(url: String) async {
        #expect(await refusal(url) == nil)
    }

    @Test(
        "What is no https URL is none that we call",
        arguments: [
            "", "ftp://93.184.216.34/", "http://93.184.216.34/", "https://", "https:///x", "https://user@93.184.216.34/",
            "https://93.184.216.34:0/", "https://93.184.216.34:99999/", "https://93.184.216.34\\@10.0.0.1/", "https://a b/", "javascript:x",
            "https://\u{430}.com/",
        ]
    )
    func forms(url: String) async {
        #expect(await refusal(url) != nil)
    }

    @Test("In development receivers beside us are called without a certificate, and nothing else is")
    func development() async {
        #expect(await refusal("http://127.0.0.1:9000/hook", allowsLoopback: true) == nil)
        #expect(await refusal("http://[::1]:9000/hook", allowsLoopback: true) == nil)
        #expect(await refusal("http://93.184.216.34/", allowsLoopback: true) != nil)
        #expect(await refusal("https://10.0.0.1/", allowsLoopback: true) != nil)
    }
}

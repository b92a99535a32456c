import Configuration
import Crypto
import Domain
import Foundation
import HTTP
import PagamentosService
import SandboxPSP

/// Who takes the money, by `payments.provider`: `sandbox` (the only one that development needs no settings for) or `pix`.
struct PaymentSettings: Sendable {
    /// What the sandbox PSP and its client share.
    struct Sandbox: Sendable {
        let url: String
        let port: Int
        /// Where the sandbox tells what became of charges.
        let webhook: String
        let key: SymmetricKey
        let behaviour: SandboxBehaviour
        /// Where it keeps its charges; nil to forget them.
        let file: String?
    }

    private enum Provider: Sendable {
        case sandbox(Sandbox)
        case pix(PixSettings)
        /// Nobody: only `pagamentos` needs to know.
        case none
    }

    private let provider: Provider
    private let merchant: Merchant

    var sandbox: Sandbox? {
        if case .sandbox(let sandbox) = provider { return sandbox }
        return nil
    }

    /// - Throws: `Settings.Problem` naming the variable.
    init(
        _ config: ConfigReader,
        environment: Settings.Environment,
        gatewayPort: Int,
        base: Int,
        secrets: Secrets
    ) throws {
        do {
            merchant = try Merchant(
                name: config.string(forKey: "payments.merchant.name", default: "CoworkFlow"),
                city: config.string(forKey: "payments.merchant.city", default: "SAO PAULO")
            )
        } catch {
            throw Settings.Problem.invalid(
                "payments.merchant.name", "and payments.merchant.city must have 25 and 15 characters at most, without accents"
            )
        }
        switch config.string(forKey: "payments.provider") ?? (environment == .development ? "sandbox" : nil) {
        case "sandbox":
            provider = .sandbox(
                try Self.sandbox(config, environment: environment, gatewayPort: gatewayPort, base: base, secrets: secrets)
            )
        case nil: provider = .none
        case "pix": provider = .pix(try Self.pix(config))
        default: throw Settings.Problem.invalid("payments.provider", "must be sandbox or pix")
        }
    }

    func makeProvider() throws -> any PaymentProvider {
        switch provider {
        case .sandbox(let sandbox): SandboxProvider(url: sandbox.url, key: sandbox.key, merchant: merchant)
        case .pix(let settings): try PixProvider(settings, merchant: merchant)
        case .none: throw Settings.Problem.missing("payments.provider")
        }
    }

    private static func sandbox(
        _ config: ConfigReader,
        environment: Settings.Environment,
        gatewayPort: Int,
        base: Int,
        secrets: Secrets
    ) throws -> Sandbox {
        let port = config.int(forKey: "sandbox.port", default: base + 10)
        var behaviour = SandboxBehaviour()
        if let seconds = config.int(forKey: "sandbox.approve.after") {
            guard (0...86_400).contains(seconds) else {
                throw Settings.Problem.invalid("sandbox.approve.after", "must be 0 to 86400 seconds")
            }
            behaviour.charges = .approve
            behaviour.delayMs = Int64(seconds) * 1000
        }
        let folder = environment == .development ? config.string(forKey: "data.dir") : nil
        return Sandbox(
            url: config.string(forKey: "sandbox.url", default: "http://127.0.0.1:\(port)"),
            port: port,
            webhook: config.string(forKey: "sandbox.webhook.url", default: "http://127.0.0.1:\(gatewayPort)/payments/webhook/sandbox"),
            key: secrets.webhooks(of: "sandbox"),
            behaviour: behaviour,
            file: config.string(forKey: "sandbox.file") ?? folder.map { URL(filePath: $0).appending(path: "sandbox-psp.jsonl").path }
        )
    }

    private static func pix(_ config: ConfigReader) throws -> PixSettings {
        PixSettings(
            url: try Settings.required(config, "pix.url"),
            tokenURL: try Settings.required(config, "pix.token.url"),
            clientID: try Settings.required(config, "pix.client.id"),
            clientSecret: try Settings.required(config, "pix.client.secret", isSecret: true),
            key: try Settings.required(config, "pix.key"),
            webhookSecret: try Settings.required(config, "pix.webhook.secret", isSecret: true),
            certificate: config.string(forKey: "pix.certificate"),
            privateKey: config.string(forKey: "pix.private.key"),
            trustRoots: config.string(forKey: "pix.trust.roots")
        )
    }
}

extension Secrets {
    /// What signs a payment provider's webhooks: it follows from the key that services know each other by, so that it need not be
    /// configured twice.
    fileprivate func webhooks(of provider: String) -> SymmetricKey {
        SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Array("webhooks \(provider)".utf8), using: identity))
    }
}

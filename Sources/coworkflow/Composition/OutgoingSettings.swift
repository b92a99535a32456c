import Configuration
import SMTP

/// What carries messages out of the system. A channel that is not configured is switched off.
struct OutgoingSettings: Sendable {
    struct Mail: Sendable {
        let server: SMTPConfiguration
        let from: MailMessage.Mailbox
    }

    /// A gateway for text or push messages that takes them by HTTP.
    struct Relay: Sendable {
        let url: String
        /// Signs what is sent.
        let key: String
    }

    /// From `smtp.url`, `smtp.ca.file`, `mail.from` and `mail.from.name`.
    let mail: Mail?
    /// From `sms.url` and `sms.key`.
    let sms: Relay?
    /// From `push.url` and `push.key`.
    let push: Relay?

    /// Nothing goes out.
    static let none = OutgoingSettings()

    private init() {
        (mail, sms, push) = (nil, nil, nil)
    }

    init(_ config: ConfigReader) throws {
        mail = try Self.mail(config)
        sms = try Self.relay(config, "sms")
        push = try Self.relay(config, "push")
    }

    private static func mail(_ config: ConfigReader) throws -> Mail? {
        guard let url = config.string(forKey: "smtp.url", isSecret: true), !url.isEmpty else { return nil }
        let from = try Settings.required(config, "mail.from")
        guard MailAddress.isPlain(from) else { throw Settings.Problem.invalid("mail.from", "must be a plain address, name@example.com") }
        do {
            return Mail(
                server: try SMTPConfiguration(url: url, certificates: config.string(forKey: "smtp.ca.file")),
                from: MailMessage.Mailbox(name: config.string(forKey: "mail.from.name", default: "CoworkFlow"), address: from)
            )
        } catch {
            throw Settings.Problem.invalid("smtp.url", "\(error)")
        }
    }

    private static func relay(_ config: ConfigReader, _ name: String) throws -> Relay? {
        guard let url = config.string(forKey: ConfigKey("\(name).url")), !url.isEmpty else { return nil }
        guard url.hasPrefix("https://") || url.hasPrefix("http://") else {
            throw Settings.Problem.invalid("\(name).url", "must be an http or https URL")
        }
        let key = try Settings.required(config, "\(name).key", isSecret: true)
        guard key.utf8.count >= 16 else { throw Settings.Problem.invalid("\(name).key", "must have 16 letters or more") }
        return Relay(url: url, key: key)
    }
}

/// Why a message was not taken.
package struct SMTPError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Kind: String, Sendable {
        /// Nobody answered, or the talk broke off: later it may go better.
        case unreachable
        /// The server said that it may go better later (a reply from 400 to 499).
        case deferred
        /// The server said no (a reply of 500 or more).
        case rejected
        /// The server wants no encryption, or its certificate is not to be trusted.
        case notSecure = "not_secure"
        /// The server does not know our user or password.
        case unauthorized
        /// Neither envelope nor configuration can be used as they are.
        case invalid
    }

    package let kind: Kind
    /// The server's last reply, 0 where there was none.
    package let reply: Int
    /// What libcurl calls it. Names no address and no text of the message.
    package let reason: String

    init(_ kind: Kind, reply: Int = 0, reason: String) {
        self.kind = kind
        self.reply = reply
        self.reason = reason
    }

    /// Whether the same message is worth another try.
    package var isTransient: Bool {
        switch kind {
        case .unreachable, .deferred, .notSecure, .unauthorized: true
        case .rejected, .invalid: false
        }
    }

    package var description: String { "\(kind.rawValue): \(reason)\(reply == 0 ? "" : " (\(reply))")" }
}

/// What went wrong between us and the broker.
///
/// Compare with the static accessors (`error == .rejected`); the explanatory text takes no part in equality.
/// No description ever holds a password or a message body.
package struct AMQPError: Error, Sendable, CustomStringConvertible {
    private enum Kind: String, Sendable {
        case notConnected = "not_connected"
        case tlsFailed = "tls_failed"
        case connectionLost = "connection_lost"
        case blocked
        case bufferFull = "buffer_full"
        case rejected
        case returned
        case timedOut = "timed_out"
        case cancelled
        case authenticationFailed = "authentication_failed"
        case invalidConfiguration = "invalid_configuration"
        case invalidMessage = "invalid_message"
        case closed
        case serverRefused = "server_refused"
    }

    private let kind: Kind
    private let text: String
    /// The broker's reply code when it refused (`404`, `406` …), otherwise nil.
    package let replyCode: UInt16?
    /// Whether the broker may have taken the message all the same: only a repeat with the same identity finds out.
    package let outcomeIsUnknown: Bool

    private init(_ kind: Kind, _ text: String, replyCode: UInt16? = nil, outcomeIsUnknown: Bool = false) {
        self.kind = kind
        self.text = text
        self.replyCode = replyCode
        self.outcomeIsUnknown = outcomeIsUnknown
    }

    /// There is no connection at the moment; nothing was sent.
    package static let notConnected = AMQPError(.notConnected, "not connected to the broker")
    /// There is no connection because TLS did not come about, mostly because the broker could not prove who it is; nothing was sent.
    package static let tlsFailed = AMQPError(.tlsFailed, "no TLS with the broker")
    /// The connection broke after the message was handed to it.
    package static let connectionLost = AMQPError(.connectionLost, "connection to the broker lost", outcomeIsUnknown: true)
    /// The broker is short of memory or disk and takes no messages; nothing was sent.
    package static let blocked = AMQPError(.blocked, "the broker takes no messages at the moment")
    /// `maximumPendingPublishes` messages, or `maximumPendingBytes` of them, already wait to be sent; nothing was sent.
    package static let bufferFull = AMQPError(.bufferFull, "too many messages wait to be sent")
    /// The broker refused the message (`basic.nack`), usually because a bounded queue is full.
    package static let rejected = AMQPError(.rejected, "the broker rejected the message")
    /// No queue is bound for the routing key of a mandatory message.
    package static let returned = AMQPError(.returned, "no queue takes the message")
    /// No answer within the time allowed.
    package static let timedOut = AMQPError(.timedOut, "no answer in time", outcomeIsUnknown: true)
    /// The calling task was cancelled while it waited.
    package static let cancelled = AMQPError(.cancelled, "cancelled while waiting for the broker", outcomeIsUnknown: true)
    /// The broker does not accept the user or the password.
    package static let authenticationFailed = AMQPError(.authenticationFailed, "the broker refused the credentials")
    /// The URL or the configuration makes no sense.
    package static let invalidConfiguration = AMQPError(.invalidConfiguration, "invalid configuration")
    /// The message cannot be expressed in AMQP; nothing was sent.
    package static let invalidMessage = AMQPError(.invalidMessage, "invalid message")
    /// `run()` has ended, so the connection will never be up again.
    package static let closed = AMQPError(.closed, "the connection is closed")

    /// The broker refused an operation, with AMQP's reply code and the broker's text.
    package static func serverRefused(code: UInt16, text: String) -> AMQPError {
        AMQPError(.serverRefused, "the broker refused: \(code) \(text)", replyCode: code)
    }

    static func invalidConfiguration(_ reason: String) -> AMQPError {
        AMQPError(.invalidConfiguration, reason)
    }

    static func invalidMessage(_ reason: String) -> AMQPError {
        AMQPError(.invalidMessage, reason)
    }

    static func connectionLost(detail: String) -> AMQPError {
        AMQPError(.connectionLost, "connection to the broker lost: \(detail)", outcomeIsUnknown: true)
    }

    static func notConnected(detail: String) -> AMQPError {
        AMQPError(.notConnected, "not connected to the broker: \(detail)")
    }

    static func tlsFailed(detail: String) -> AMQPError {
        AMQPError(.tlsFailed, detail)
    }

    static func authenticationFailed(text: String) -> AMQPError {
        AMQPError(.authenticationFailed, text)
    }

    /// The same error for a message that had been handed to the connection already.
    func withUnknownOutcome() -> AMQPError {
        AMQPError(kind, text, replyCode: replyCode, outcomeIsUnknown: true)
    }

    /// One of a handful of fixed words, fit for a metric's label.
    package var shortDescription: String { kind.rawValue }

    package var description: String { text }
}

extension AMQPError: Equatable {
    /// Same kind and, where the broker refused, same reply code.
    package static func == (lhs: AMQPError, rhs: AMQPError) -> Bool {
        lhs.kind == rhs.kind && lhs.replyCode == rhs.replyCode
    }
}

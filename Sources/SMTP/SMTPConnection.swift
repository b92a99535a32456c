import Blocking
import Clibcurl

/// Hands messages to a mail server, one at a time, over a connection that is kept as long as the server does.
///
/// An actor on a queue of its own: sending blocks that queue, never a thread of Swift's cooperative pool.
package actor SMTPConnection {
    private let executor = QueueExecutor(label: "coworkflow.smtp")
    private let configuration: SMTPConfiguration
    private var handle: CurlHandle?

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor holds its executor, and every job holds the actor.
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Connects with the first message.
    package init(_ configuration: SMTPConfiguration) {
        self.configuration = configuration
    }

    /// Hands one message over.
    ///
    /// - Parameters:
    ///   - sender: the envelope's sender, a plain address.
    ///   - recipient: the envelope's recipient, a plain address.
    ///   - message: headers and body, lines ended by CR LF.
    ///   - deadline: past which it is not begun; others may be before it.
    /// - Throws: `SMTPError`. Where the talk broke off at its very end, the message may have been taken all the same.
    package func send(from sender: String, to recipient: String, _ message: [UInt8], by deadline: ContinuousClock.Instant) throws(SMTPError)
    {
        guard ContinuousClock.now < deadline else { throw SMTPError(.unreachable, reason: "others were served first") }
        guard MailAddress.isPlain(sender), MailAddress.isPlain(recipient) else {
            throw SMTPError(.invalid, reason: "an envelope's address is none")
        }
        let handle = try open()
        do {
            try handle.send(from: sender, to: recipient, message)
        } catch {
            // What is left of a broken talk must not become the beginning of the next.
            self.handle = nil
            throw error
        }
    }

    private func open() throws(SMTPError) -> CurlHandle {
        if let handle { return handle }
        let fresh = try CurlHandle(configuration)
        handle = fresh
        return fresh
    }
}

import Synchronization

/// A few connections to one mail server, taken in turn.
package final class SMTPPool: Sendable {
    private let connections: [SMTPConnection]
    private let turn = Atomic(0)

    /// - Parameter count: how many messages are handed over at once.
    package init(_ configuration: SMTPConfiguration, connections count: Int = 4) {
        connections = (0..<max(count, 1)).map { _ in SMTPConnection(configuration) }
    }

    /// As `SMTPConnection.send`.
    ///
    /// - Parameter patience: how long it may wait for its turn.
    package func send(from sender: String, to recipient: String, _ message: [UInt8], patience: Duration) async throws(SMTPError) {
        let place = turn.wrappingAdd(1, ordering: .relaxed).oldValue
        let connection = connections[Int(UInt(bitPattern: place) % UInt(connections.count))]
        try await connection.send(from: sender, to: recipient, message, by: .now + patience)
    }
}

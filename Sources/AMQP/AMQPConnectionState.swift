/// Whether the connection is up. The generation counts connections from one, so that a consumer that sees it change
/// knows that messages may have passed meanwhile.
package enum AMQPConnectionState: Sendable, Equatable {
    case connected(generation: UInt64)
    case disconnected
}

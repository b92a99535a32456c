import Clibpq

/// What it takes to ask the server to end a connection's statement, from any thread and as often as wanted.
///
/// Invariant behind `@unchecked Sendable`: `request` is libpq's copy of the connection's address and key, which nothing changes after it was
/// made and which `PQcancel` only reads ("thread-safe", libpq's chapter on cancelling); it lives until `deinit`.
@safe final class CancelRequest: @unchecked Sendable {
    private let request: OpaquePointer

    /// - Parameter connection: a live `PGconn` that no other thread uses during the call.
    @unsafe init?(connection: OpaquePointer) {
        guard let request = unsafe PQgetCancel(connection) else { return nil }
        unsafe self.request = request
    }

    deinit {
        unsafe PQfreeCancel(request)
    }

    /// Asks over a connection of its own and waits until the server has heard.
    ///
    /// Afterwards the request can hit no statement that is sent later: the server's process has its signal before it can read more, and
    /// idle it takes no notice. For the same reason a request that comes before the statement does is lost.
    func send() {
        // The reason of a failure is not needed: whoever asked goes on waiting for the statement.
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { reason in
            _ = unsafe PQcancel(request, reason.baseAddress, Int32(reason.count))
        }
    }
}

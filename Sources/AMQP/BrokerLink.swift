import Crabbitmq
import Glibc

/// One TCP or TLS connection through librabbitmq, spoken frame by frame. Everything of C stays in here.
///
/// Used by one thread only. Memory: `connection` and `pool` live from `init` to `deinit`; what the library decodes lives
/// until the channel's buffers are released, which happens only after a frame has been copied into an `InboundFrame`; what
/// we encode lives in `pool` until the call that sends it has returned, because the library copies it to its outbound buffer.
@safe final class BrokerLink {
    // The invariant of these unsafe properties is the one of the type's comment.
    let connection: amqp_connection_state_t
    let pool: UnsafeMutablePointer<amqp_pool_t>
    private(set) var socket: Int32
    /// The largest body fragment we send: small enough for the socket to take at once when it says it is writable.
    private(set) var chunkSize = 32_768

    /// Opens the connection and, if wanted, has the broker prove who it is; blocks for the time allowed at most (and for the resolver).
    /// - Throws: `.notConnected` or `.tlsFailed`.
    init(_ configuration: AMQPConfiguration) throws(AMQPError) {
        guard let connection = unsafe amqp_new_connection() else {
            throw .notConnected
        }
        let pool = UnsafeMutablePointer<amqp_pool_t>.allocate(capacity: 1)
        unsafe init_amqp_pool(pool, 8_192)
        unsafe (self.connection, self.pool, self.socket) = (connection, pool, -1)
        let opening = try unsafe Self.makeSocket(connection, configuration.tls)
        let (seconds, attoseconds) = configuration.connectTimeout.components
        var limit = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        let status = unsafe amqp_socket_open_noblock(opening, configuration.host, Int32(configuration.port), &limit)
        guard status == AMQP_STATUS_OK.rawValue else { throw Self.openingFailure(status) }
        socket = unsafe amqp_get_sockfd(connection)
        // With an explicit send buffer, a writable socket has room for a third of it, far more than `chunkSize`.
        var size: Int32 = 212_992
        unsafe setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    /// A socket that is not open yet; the connection owns it.
    private static func makeSocket(_ connection: amqp_connection_state_t, _ tls: AMQPTLS?) throws(AMQPError) -> OpaquePointer {
        guard let tls else {
            guard let socket = unsafe amqp_tcp_socket_new(connection) else { throw .notConnected }
            return unsafe socket
        }
        guard let socket = unsafe amqp_ssl_socket_new(connection) else { throw .tlsFailed(detail: "TLS is not to be had") }
        unsafe amqp_ssl_socket_set_verify_peer(socket, 1)
        unsafe amqp_ssl_socket_set_verify_hostname(socket, 1)
        // The library's "latest" is the latest that OpenSSL knows.
        guard unsafe amqp_ssl_socket_set_ssl_versions(socket, AMQP_TLSv1_2, AMQP_TLSvLATEST) == AMQP_STATUS_OK.rawValue else {
            throw .tlsFailed(detail: "TLS 1.2 is not to be had")
        }
        guard unsafe amqp_ssl_socket_set_cacert(socket, tls.authorities) == AMQP_STATUS_OK.rawValue else {
            throw .tlsFailed(detail: "no certificates of authorities can be read from \(tls.authorities)")
        }
        if let certificate = tls.certificate, let key = tls.key,
            unsafe amqp_ssl_socket_set_key(socket, certificate, key) != AMQP_STATUS_OK.rawValue
        {
            throw .tlsFailed(detail: "no certificate with its key can be read from \(certificate) and \(key)")
        }
        return unsafe socket
    }

    private static func openingFailure(_ status: Int32) -> AMQPError {
        switch amqp_status_enum(status) {
        case AMQP_STATUS_SSL_PEER_VERIFY_FAILED:
            .tlsFailed(detail: "the broker's certificate is not signed by a trusted authority, or not valid now")
        case AMQP_STATUS_SSL_HOSTNAME_VERIFY_FAILED:
            .tlsFailed(detail: "the broker's certificate does not name the host")
        case AMQP_STATUS_SSL_CONNECTION_FAILED:
            .tlsFailed(detail: "no TLS could be agreed on; the port may be the plain one, or the broker want a certificate of ours")
        default:
            .notConnected(detail: unsafe amqp_error_string2(status).map { unsafe String(cString: $0) } ?? "status \(status)")
        }
    }

    deinit {
        unsafe amqp_destroy_connection(connection)
        unsafe empty_amqp_pool(pool)
        unsafe pool.deallocate()
    }

    func sendProtocolHeader() throws(AMQPError) {
        try check(unsafe amqp_send_header(connection))
    }

    /// Sets the agreed limits and starts the library's heartbeat timers.
    func tune(channelMax: UInt16, frameMax: UInt32, heartbeat: UInt16) throws(AMQPError) {
        try check(unsafe amqp_tune_connection(connection, Int32(channelMax), Int32(clamping: frameMax), Int32(heartbeat)))
        chunkSize = min(chunkSize, Int(frameMax) - 8)
    }

    /// Whether the library holds bytes or frames that polling the socket would not show.
    ///
    /// OpenSSL holds none: it reads from the socket one record at a time, and the library takes that whole, since its buffer is larger.
    var hasBufferedInput: Bool {
        unsafe amqp_data_in_buffer(connection) != 0 || amqp_frames_enqueued(connection) != 0
    }

    /// Whether a chunk can be sent without waiting.
    var isWritable: Bool {
        var descriptor = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&descriptor, 1, 0) == 1
    }

    /// Holds small segments back while several messages are sent together.
    func setCork(_ on: Bool) {
        var value: Int32 = on ? 1 : 0
        unsafe setsockopt(socket, Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// The next frame, or nil when nothing has arrived. Sends a heartbeat when one is due.
    /// - Throws: `.connectionLost` when the peer is gone or was silent for two heartbeats.
    func receive() throws(AMQPError) -> InboundFrame? {
        var frame = unsafe amqp_frame_t()
        var noWait = timeval(tv_sec: 0, tv_usec: 0)
        let status = unsafe amqp_simple_wait_frame_noblock(connection, &frame, &noWait)
        if status == AMQP_STATUS_TIMEOUT.rawValue { return nil }
        try check(status)
        let copy = unsafe decode(frame)
        unsafe amqp_maybe_release_buffers_on_channel(connection, frame.channel)
        return copy
    }

    /// Turns the library's status into our error.
    func check(_ status: Int32) throws(AMQPError) {
        guard status < 0 else { return }
        switch amqp_status_enum(status) {
        case AMQP_STATUS_INVALID_PARAMETER, AMQP_STATUS_TABLE_TOO_BIG:
            throw .invalidMessage("the C library cannot encode the frame (\(status))")
        default:
            let text = unsafe amqp_error_string2(status).map { unsafe String(cString: $0) } ?? "status \(status)"
            throw .connectionLost(detail: text)
        }
    }
}

import Crabbitmq
import Glibc

extension BrokerLink {
    /// Sends a method. What it points to lives in `pool`, which is recycled once the library has copied it.
    func send(_ method: OutboundMethod, on channel: UInt16) throws(AMQPError) {
        defer { unsafe recycle_amqp_pool(pool) }
        switch method {
        case .startOK, .tuneOK, .open, .connectionClose, .connectionCloseOK: try sendConnection(method)
        case .channelOpen, .channelClose, .channelCloseOK, .flowOK, .selectConfirms: try sendChannel(method, channel)
        case .declareExchange, .declareQueue, .bind, .unbind, .purge, .delete: try sendTopology(method, channel)
        case .prefetch, .consume, .cancel, .acknowledge, .refuse: try sendBasic(method, channel)
        }
    }

    private func sendConnection(_ method: OutboundMethod) throws(AMQPError) {
        switch method {
        case .startOK(let user, let password, let connectionName):
            try unsafe transmit(
                AMQP_CONNECTION_START_OK_METHOD, 0,
                amqp_connection_start_ok_t(
                    client_properties: table(clientProperties(connectionName)),
                    mechanism: bytes("PLAIN"),
                    response: bytes([0] + user.utf8 + [0] + password.utf8),
                    locale: bytes("en_US")
                )
            )
        case .tuneOK(let channelMax, let frameMax, let heartbeat):
            try transmit(
                AMQP_CONNECTION_TUNE_OK_METHOD, 0,
                amqp_connection_tune_ok_t(channel_max: channelMax, frame_max: frameMax, heartbeat: heartbeat)
            )
        case .open(let virtualHost):
            try unsafe transmit(
                AMQP_CONNECTION_OPEN_METHOD, 0,
                amqp_connection_open_t(virtual_host: bytes(virtualHost), capabilities: amqp_empty_bytes, insist: 0)
            )
        case .connectionClose:
            try unsafe transmit(
                AMQP_CONNECTION_CLOSE_METHOD, 0,
                amqp_connection_close_t(reply_code: 200, reply_text: bytes("bye"), class_id: 0, method_id: 0)
            )
        default:
            try transmit(AMQP_CONNECTION_CLOSE_OK_METHOD, 0, amqp_connection_close_ok_t())
        }
    }

    private func sendChannel(_ method: OutboundMethod, _ channel: UInt16) throws(AMQPError) {
        switch method {
        case .channelOpen:
            try unsafe transmit(AMQP_CHANNEL_OPEN_METHOD, channel, amqp_channel_open_t(out_of_band: amqp_empty_bytes))
        case .channelClose:
            try unsafe transmit(
                AMQP_CHANNEL_CLOSE_METHOD, channel,
                amqp_channel_close_t(reply_code: 200, reply_text: bytes("bye"), class_id: 0, method_id: 0)
            )
        case .flowOK(let active):
            try transmit(AMQP_CHANNEL_FLOW_OK_METHOD, channel, amqp_channel_flow_ok_t(active: active ? 1 : 0))
        case .selectConfirms:
            try transmit(AMQP_CONFIRM_SELECT_METHOD, channel, amqp_confirm_select_t(nowait: 0))
        default:
            try transmit(AMQP_CHANNEL_CLOSE_OK_METHOD, channel, amqp_channel_close_ok_t())
        }
    }

    private func sendTopology(_ method: OutboundMethod, _ channel: UInt16) throws(AMQPError) {
        switch method {
        case .declareExchange(let exchange):
            try unsafe transmit(
                AMQP_EXCHANGE_DECLARE_METHOD, channel,
                amqp_exchange_declare_t(
                    ticket: 0, exchange: bytes(exchange.name), type: bytes(exchange.kind.rawValue), passive: 0,
                    durable: exchange.durable ? 1 : 0, auto_delete: 0, internal: 0, nowait: 0, arguments: amqp_empty_table
                )
            )
        case .declareQueue(let queue, let passive):
            try unsafe transmit(
                AMQP_QUEUE_DECLARE_METHOD, channel,
                amqp_queue_declare_t(
                    ticket: 0, queue: bytes(queue.name), passive: passive ? 1 : 0, durable: queue.durable ? 1 : 0,
                    exclusive: queue.exclusive ? 1 : 0, auto_delete: queue.autoDelete ? 1 : 0, nowait: 0,
                    arguments: table(queue.arguments)
                )
            )
        case .bind(let binding):
            try unsafe transmit(
                AMQP_QUEUE_BIND_METHOD, channel,
                amqp_queue_bind_t(
                    ticket: 0, queue: bytes(binding.queue), exchange: bytes(binding.exchange),
                    routing_key: bytes(binding.routingKey), nowait: 0, arguments: amqp_empty_table
                )
            )
        case .unbind(let binding):
            try unsafe transmit(
                AMQP_QUEUE_UNBIND_METHOD, channel,
                amqp_queue_unbind_t(
                    ticket: 0, queue: bytes(binding.queue), exchange: bytes(binding.exchange),
                    routing_key: bytes(binding.routingKey), arguments: amqp_empty_table
                )
            )
        case .purge(let queue):
            try unsafe transmit(AMQP_QUEUE_PURGE_METHOD, channel, amqp_queue_purge_t(ticket: 0, queue: bytes(queue), nowait: 0))
        case .delete(let queue):
            try unsafe transmit(
                AMQP_QUEUE_DELETE_METHOD, channel,
                amqp_queue_delete_t(ticket: 0, queue: bytes(queue), if_unused: 0, if_empty: 0, nowait: 0)
            )
        default: break
        }
    }

    private func sendBasic(_ method: OutboundMethod, _ channel: UInt16) throws(AMQPError) {
        switch method {
        case .prefetch(let count):
            try transmit(
                AMQP_BASIC_QOS_METHOD, channel, amqp_basic_qos_t(prefetch_size: 0, prefetch_count: count, global: 0)
            )
        case .consume(let queue, let tag, let exclusive, let withoutAcknowledgement):
            try unsafe transmit(
                AMQP_BASIC_CONSUME_METHOD, channel,
                amqp_basic_consume_t(
                    ticket: 0, queue: bytes(queue), consumer_tag: bytes(tag), no_local: 0, no_ack: withoutAcknowledgement ? 1 : 0,
                    exclusive: exclusive ? 1 : 0, nowait: 0, arguments: amqp_empty_table
                )
            )
        case .cancel(let tag):
            try unsafe transmit(AMQP_BASIC_CANCEL_METHOD, channel, amqp_basic_cancel_t(consumer_tag: bytes(tag), nowait: 0))
        case .acknowledge(let tag, let multiple):
            try transmit(AMQP_BASIC_ACK_METHOD, channel, amqp_basic_ack_t(delivery_tag: tag, multiple: multiple ? 1 : 0))
        case .refuse(let tag, let requeue):
            try transmit(
                AMQP_BASIC_NACK_METHOD, channel, amqp_basic_nack_t(delivery_tag: tag, multiple: 0, requeue: requeue ? 1 : 0)
            )
        default: break
        }
    }

    /// Sends a whole message whose body is shorter than `chunkSize`. (One that fills its last frame exactly the library would
    /// send as if more followed, and the kernel would hold it back for 200 ms.)
    func publishWhole(_ content: OutboundContent, on channel: UInt16) throws(AMQPError) {
        defer { unsafe recycle_amqp_pool(pool) }
        var properties = unsafe properties(content)
        let status = unsafe content.message.body.withUnsafeBytes { body in
            unsafe amqp_basic_publish(
                connection, channel, bytes(content.exchange), bytes(content.routingKey), content.mandatory ? 1 : 0, 0, &properties,
                amqp_bytes_t(len: body.count, bytes: UnsafeMutableRawPointer(mutating: body.baseAddress))
            )
        }
        try check(status)
    }

    /// Sends all but the body of a longer message; `publishChunk` sends that piece by piece.
    func publishHead(_ content: OutboundContent, on channel: UInt16) throws(AMQPError) {
        defer { unsafe recycle_amqp_pool(pool) }
        try unsafe transmit(
            AMQP_BASIC_PUBLISH_METHOD, channel,
            amqp_basic_publish_t(
                ticket: 0, exchange: bytes(content.exchange), routing_key: bytes(content.routingKey),
                mandatory: content.mandatory ? 1 : 0, immediate: 0
            )
        )
        var properties = unsafe properties(content)
        let status = unsafe withUnsafeMutablePointer(to: &properties) { properties in
            var frame = unsafe amqp_frame_t()
            unsafe frame.frame_type = UInt8(AMQP_FRAME_HEADER)
            unsafe frame.channel = channel
            unsafe frame.payload.properties.class_id = UInt16(AMQP_BASIC_CLASS)
            unsafe frame.payload.properties.body_size = UInt64(content.message.body.count)
            unsafe frame.payload.properties.decoded = UnsafeMutableRawPointer(properties)
            return unsafe amqp_send_frame(connection, &frame)
        }
        try check(status)
    }

    /// Sends the body's next piece.
    /// - Returns: The offset after it.
    func publishChunk(of body: [UInt8], from offset: Int, on channel: UInt16) throws(AMQPError) -> Int {
        let end = min(body.count, offset + chunkSize)
        let status = unsafe body.withUnsafeBytes { body in
            let piece = unsafe UnsafeRawBufferPointer(rebasing: body[offset..<end])
            var frame = unsafe amqp_frame_t()
            unsafe frame.frame_type = UInt8(AMQP_FRAME_BODY)
            unsafe frame.channel = channel
            unsafe frame.payload.body_fragment = amqp_bytes_t(
                len: piece.count, bytes: UnsafeMutableRawPointer(mutating: piece.baseAddress)
            )
            return unsafe amqp_send_frame(connection, &frame)
        }
        try check(status)
        return end
    }

    /// The library only reads through `decoded`.
    private func transmit<Method>(_ id: UInt32, _ channel: UInt16, _ method: Method) throws(AMQPError) {
        var method = method
        let status = unsafe withUnsafeMutablePointer(to: &method) { unsafe amqp_send_method(connection, channel, id, $0) }
        try check(status)
    }

    private func clientProperties(_ connectionName: String) -> [String: AMQPFieldValue] {
        [
            "product": "CoworkFlow",
            "connection_name": .string(connectionName),
            "capabilities": .table([
                "authentication_failure_close": true, "basic.nack": true, "connection.blocked": true,
                "consumer_cancel_notify": true, "publisher_confirms": true,
            ]),
        ]
    }

    private func properties(_ content: OutboundContent) -> amqp_basic_properties_t {
        var properties = unsafe amqp_basic_properties_t()
        var flags = AMQP_BASIC_DELIVERY_MODE_FLAG
        let message = content.message
        func text(_ value: String?, _ flag: Int32) -> amqp_bytes_t {
            guard let value else { return unsafe amqp_empty_bytes }
            flags |= flag
            return unsafe bytes(value)
        }
        let mode = message.persistent ? AMQP_DELIVERY_PERSISTENT : AMQP_DELIVERY_NONPERSISTENT
        unsafe properties.delivery_mode = UInt8(mode.rawValue)
        unsafe properties.content_type = text(message.contentType, AMQP_BASIC_CONTENT_TYPE_FLAG)
        unsafe properties.correlation_id = text(message.correlationID, AMQP_BASIC_CORRELATION_ID_FLAG)
        unsafe properties.reply_to = text(message.replyTo, AMQP_BASIC_REPLY_TO_FLAG)
        unsafe properties.message_id = text(message.messageID, AMQP_BASIC_MESSAGE_ID_FLAG)
        unsafe properties.type = text(message.type, AMQP_BASIC_TYPE_FLAG)
        unsafe properties.expiration = text(message.expiration.map(milliseconds), AMQP_BASIC_EXPIRATION_FLAG)
        unsafe properties.app_id = text(content.publishTag.map(String.init), AMQP_BASIC_APP_ID_FLAG)
        if !message.headers.isEmpty {
            flags |= AMQP_BASIC_HEADERS_FLAG
            unsafe properties.headers = table(message.headers)
        }
        unsafe properties._flags = UInt32(bitPattern: flags)
        return unsafe properties
    }

    private func milliseconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        return String(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }

    private func bytes(_ text: String) -> amqp_bytes_t {
        var text = text
        return text.withUTF8 { unsafe copy(UnsafeRawBufferPointer($0)) }
    }

    private func bytes(_ bytes: [UInt8]) -> amqp_bytes_t {
        unsafe bytes.withUnsafeBytes { unsafe copy($0) }
    }

    private func copy(_ source: UnsafeRawBufferPointer) -> amqp_bytes_t {
        guard let start = source.baseAddress, source.count > 0 else { return unsafe amqp_empty_bytes }
        let target = unsafe allocate(source.count)
        unsafe target.copyMemory(from: start, byteCount: source.count)
        return unsafe amqp_bytes_t(len: source.count, bytes: target)
    }

    /// The pool aligns to eight bytes, enough for every type of the library.
    private func allocate(_ size: Int) -> UnsafeMutableRawPointer {
        guard let memory = unsafe amqp_pool_alloc(pool, size) else { fatalError("out of memory") }
        return unsafe memory
    }

    private func table(_ values: [String: AMQPFieldValue]) -> amqp_table_t {
        guard !values.isEmpty else { return unsafe amqp_empty_table }
        let size = unsafe MemoryLayout<amqp_table_entry_t>.stride * values.count
        let entries = unsafe allocate(size).bindMemory(to: amqp_table_entry_t.self, capacity: values.count)
        for (index, (key, value)) in values.enumerated() {
            unsafe (entries + index).initialize(to: amqp_table_entry_t(key: bytes(key), value: field(value)))
        }
        return unsafe amqp_table_t(num_entries: Int32(values.count), entries: entries)
    }

    private func array(_ values: [AMQPFieldValue]) -> amqp_array_t {
        guard !values.isEmpty else { return unsafe amqp_empty_array }
        let size = unsafe MemoryLayout<amqp_field_value_t>.stride * values.count
        let entries = unsafe allocate(size).bindMemory(to: amqp_field_value_t.self, capacity: values.count)
        for (index, value) in values.enumerated() {
            unsafe (entries + index).initialize(to: field(value))
        }
        return unsafe amqp_array_t(num_entries: Int32(values.count), entries: entries)
    }

    private func field(_ value: AMQPFieldValue) -> amqp_field_value_t {
        var field = unsafe amqp_field_value_t()
        let kind: amqp_field_value_kind_t
        switch value {
        case .bool(let value):
            kind = AMQP_FIELD_KIND_BOOLEAN
            unsafe field.value.boolean = value ? 1 : 0
        case .int64(let value):
            kind = AMQP_FIELD_KIND_I64
            unsafe field.value.i64 = value
        case .double(let value):
            kind = AMQP_FIELD_KIND_F64
            unsafe field.value.f64 = value
        case .string(let value):
            kind = AMQP_FIELD_KIND_UTF8
            unsafe field.value.bytes = bytes(value)
        case .bytes(let value):
            kind = AMQP_FIELD_KIND_BYTES
            unsafe field.value.bytes = bytes(value)
        case .timestamp(let value):
            kind = AMQP_FIELD_KIND_TIMESTAMP
            unsafe field.value.u64 = value
        case .array(let values):
            kind = AMQP_FIELD_KIND_ARRAY
            unsafe field.value.array = array(values)
        case .table(let values):
            kind = AMQP_FIELD_KIND_TABLE
            unsafe field.value.table = table(values)
        case .null:
            kind = AMQP_FIELD_KIND_VOID
        }
        unsafe field.kind = UInt8(kind.rawValue)
        return unsafe field
    }
}

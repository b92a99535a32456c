import Crabbitmq

extension BrokerLink {
    /// Copies a frame. The pointers in it are valid during the call (see the type), and `decoded` points to the struct that
    /// the method's number stands for: the library put it there.
    func decode(_ frame: amqp_frame_t) -> InboundFrame {
        let channel = unsafe frame.channel
        switch unsafe Int32(frame.frame_type) {
        case AMQP_FRAME_METHOD:
            return unsafe decode(frame.payload.method, channel)
        case AMQP_FRAME_HEADER:
            guard unsafe frame.payload.properties.class_id == AMQP_BASIC_CLASS,
                let properties = unsafe frame.payload.properties.decoded?.assumingMemoryBound(to: amqp_basic_properties_t.self)
            else { return .unexpected(channel: channel, method: 0) }
            return unsafe .header(
                channel: channel,
                bodySize: frame.payload.properties.body_size,
                message: message(properties.pointee),
                publishTag: publishTag(properties.pointee)
            )
        case AMQP_FRAME_BODY:
            return unsafe .body(channel: channel, bytes(frame.payload.body_fragment))
        default:
            return .unexpected(channel: channel, method: 0)
        }
    }

    private func decode(_ method: amqp_method_t, _ channel: UInt16) -> InboundFrame {
        guard let decoded = unsafe method.decoded else { return unsafe .unexpected(channel: channel, method: method.id) }
        switch unsafe method.id {
        case AMQP_CONNECTION_START_METHOD: return .start
        case AMQP_CONNECTION_TUNE_METHOD:
            let tune = unsafe decoded.assumingMemoryBound(to: amqp_connection_tune_t.self).pointee
            return .tune(channelMax: tune.channel_max, frameMax: tune.frame_max, heartbeat: tune.heartbeat)
        case AMQP_CONNECTION_OPEN_OK_METHOD: return .openOK
        case AMQP_CONNECTION_CLOSE_METHOD:
            let close = unsafe decoded.assumingMemoryBound(to: amqp_connection_close_t.self).pointee
            return unsafe .connectionClose(code: close.reply_code, text: string(close.reply_text))
        case AMQP_CONNECTION_CLOSE_OK_METHOD: return .connectionCloseOK
        case AMQP_CONNECTION_BLOCKED_METHOD:
            return unsafe .blocked(reason: string(decoded.assumingMemoryBound(to: amqp_connection_blocked_t.self).pointee.reason))
        case AMQP_CONNECTION_UNBLOCKED_METHOD: return .unblocked
        case AMQP_CHANNEL_CLOSE_METHOD:
            let close = unsafe decoded.assumingMemoryBound(to: amqp_channel_close_t.self).pointee
            return unsafe .channelClose(channel: channel, code: close.reply_code, text: string(close.reply_text))
        case AMQP_CHANNEL_CLOSE_OK_METHOD: return .channelCloseOK(channel: channel)
        case AMQP_CHANNEL_FLOW_METHOD:
            let flow = unsafe decoded.assumingMemoryBound(to: amqp_channel_flow_t.self).pointee
            return .flow(channel: channel, active: flow.active != 0)
        case AMQP_CHANNEL_OPEN_OK_METHOD, AMQP_EXCHANGE_DECLARE_OK_METHOD, AMQP_QUEUE_BIND_OK_METHOD, AMQP_QUEUE_UNBIND_OK_METHOD,
            AMQP_BASIC_QOS_OK_METHOD, AMQP_BASIC_CONSUME_OK_METHOD, AMQP_BASIC_CANCEL_OK_METHOD, AMQP_CONFIRM_SELECT_OK_METHOD:
            return .reply(channel: channel, .done)
        default: return unsafe decodeQueueOrBasic(method.id, decoded, channel)
        }
    }

    private func decodeQueueOrBasic(_ id: UInt32, _ decoded: UnsafeMutableRawPointer, _ channel: UInt16) -> InboundFrame {
        switch id {
        case AMQP_QUEUE_DECLARE_OK_METHOD:
            let queue = unsafe decoded.assumingMemoryBound(to: amqp_queue_declare_ok_t.self).pointee
            let status = unsafe AMQPQueueStatus(
                name: string(queue.queue),
                messageCount: Int(queue.message_count),
                consumerCount: Int(queue.consumer_count)
            )
            return .reply(channel: channel, .queue(status))
        case AMQP_QUEUE_PURGE_OK_METHOD:
            let purged = unsafe decoded.assumingMemoryBound(to: amqp_queue_purge_ok_t.self).pointee
            return .reply(channel: channel, .messageCount(Int(purged.message_count)))
        case AMQP_QUEUE_DELETE_OK_METHOD:
            let deleted = unsafe decoded.assumingMemoryBound(to: amqp_queue_delete_ok_t.self).pointee
            return .reply(channel: channel, .messageCount(Int(deleted.message_count)))
        case AMQP_BASIC_DELIVER_METHOD:
            let deliver = unsafe decoded.assumingMemoryBound(to: amqp_basic_deliver_t.self).pointee
            return unsafe .deliver(
                channel: channel,
                tag: deliver.delivery_tag,
                redelivered: deliver.redelivered != 0,
                exchange: string(deliver.exchange),
                routingKey: string(deliver.routing_key)
            )
        case AMQP_BASIC_RETURN_METHOD:
            let back = unsafe decoded.assumingMemoryBound(to: amqp_basic_return_t.self).pointee
            return unsafe .returned(
                channel: channel,
                code: back.reply_code,
                exchange: string(back.exchange),
                routingKey: string(back.routing_key)
            )
        case AMQP_BASIC_ACK_METHOD:
            let ack = unsafe decoded.assumingMemoryBound(to: amqp_basic_ack_t.self).pointee
            return .acknowledged(channel: channel, tag: ack.delivery_tag, multiple: ack.multiple != 0)
        case AMQP_BASIC_NACK_METHOD:
            let nack = unsafe decoded.assumingMemoryBound(to: amqp_basic_nack_t.self).pointee
            return .refused(channel: channel, tag: nack.delivery_tag, multiple: nack.multiple != 0)
        case AMQP_BASIC_CANCEL_METHOD:
            return .consumerCancelled(channel: channel)
        default:
            return .unexpected(channel: channel, method: id)
        }
    }

    private func message(_ properties: amqp_basic_properties_t) -> AMQPMessage {
        let flags = unsafe Int32(bitPattern: properties._flags)
        func text(_ flag: Int32, _ value: amqp_bytes_t) -> String? {
            flags & flag == 0 ? nil : unsafe string(value)
        }
        var message = AMQPMessage()
        message.contentType = unsafe text(AMQP_BASIC_CONTENT_TYPE_FLAG, properties.content_type)
        message.correlationID = unsafe text(AMQP_BASIC_CORRELATION_ID_FLAG, properties.correlation_id)
        message.replyTo = unsafe text(AMQP_BASIC_REPLY_TO_FLAG, properties.reply_to)
        message.messageID = unsafe text(AMQP_BASIC_MESSAGE_ID_FLAG, properties.message_id)
        message.type = unsafe text(AMQP_BASIC_TYPE_FLAG, properties.type)
        if flags & AMQP_BASIC_DELIVERY_MODE_FLAG != 0 {
            message.persistent = unsafe properties.delivery_mode == UInt8(AMQP_DELIVERY_PERSISTENT.rawValue)
        }
        if let milliseconds = unsafe text(AMQP_BASIC_EXPIRATION_FLAG, properties.expiration).flatMap({ Int64($0) }) {
            message.expiration = .milliseconds(milliseconds)
        }
        if flags & AMQP_BASIC_HEADERS_FLAG != 0 {
            message.headers = unsafe dictionary(properties.headers)
        }
        return message
    }

    private func publishTag(_ properties: amqp_basic_properties_t) -> UInt64? {
        guard unsafe Int32(bitPattern: properties._flags) & AMQP_BASIC_APP_ID_FLAG != 0 else { return nil }
        return unsafe UInt64(string(properties.app_id))
    }

    private func bytes(_ bytes: amqp_bytes_t) -> [UInt8] {
        unsafe [UInt8](UnsafeRawBufferPointer(start: bytes.bytes, count: bytes.len))
    }

    private func string(_ bytes: amqp_bytes_t) -> String {
        unsafe String(decoding: UnsafeRawBufferPointer(start: bytes.bytes, count: bytes.len), as: UTF8.self)
    }

    private func dictionary(_ table: amqp_table_t) -> [String: AMQPFieldValue] {
        var result: [String: AMQPFieldValue] = [:]
        for index in unsafe 0..<Int(table.num_entries) {
            let entry = unsafe table.entries[index]
            result[unsafe string(entry.key)] = unsafe value(entry.value)
        }
        return result
    }

    private func value(_ field: amqp_field_value_t) -> AMQPFieldValue {
        switch unsafe amqp_field_value_kind_t(UInt32(field.kind)) {
        case AMQP_FIELD_KIND_BOOLEAN: unsafe .bool(field.value.boolean != 0)
        case AMQP_FIELD_KIND_I8: unsafe .int64(Int64(field.value.i8))
        case AMQP_FIELD_KIND_U8: unsafe .int64(Int64(field.value.u8))
        case AMQP_FIELD_KIND_I16: unsafe .int64(Int64(field.value.i16))
        case AMQP_FIELD_KIND_U16: unsafe .int64(Int64(field.value.u16))
        case AMQP_FIELD_KIND_I32: unsafe .int64(Int64(field.value.i32))
        case AMQP_FIELD_KIND_U32: unsafe .int64(Int64(field.value.u32))
        case AMQP_FIELD_KIND_I64: unsafe .int64(field.value.i64)
        case AMQP_FIELD_KIND_U64: unsafe .int64(Int64(clamping: field.value.u64))
        case AMQP_FIELD_KIND_F32: unsafe .double(Double(field.value.f32))
        case AMQP_FIELD_KIND_F64: unsafe .double(field.value.f64)
        case AMQP_FIELD_KIND_DECIMAL: unsafe .double(decimal(field.value.decimal))
        case AMQP_FIELD_KIND_UTF8: unsafe .string(string(field.value.bytes))
        case AMQP_FIELD_KIND_BYTES: unsafe .bytes(bytes(field.value.bytes))
        case AMQP_FIELD_KIND_TIMESTAMP: unsafe .timestamp(field.value.u64)
        case AMQP_FIELD_KIND_TABLE: unsafe .table(dictionary(field.value.table))
        case AMQP_FIELD_KIND_ARRAY:
            unsafe .array(
                UnsafeBufferPointer(start: field.value.array.entries, count: Int(field.value.array.num_entries)).map { unsafe value($0) }
            )
        default: .null
        }
    }

    private func decimal(_ decimal: amqp_decimal_t) -> Double {
        var result = Double(decimal.value)
        for _ in 0..<decimal.decimals { result /= 10 }
        return result
    }
}

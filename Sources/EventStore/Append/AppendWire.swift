/// The bytes between append client and recorder. One AMQP message carries a batch: requests one way, outcomes back in
/// the same order.
enum AppendWire {
    private static let version: UInt8 = 1

    /// How many bytes a request takes in a message.
    static func size(of request: AppendRequest) -> Int {
        request.streams.reduce(32 + request.fingerprint.count) { size, stream in
            stream.events.reduce(size + 12 + stream.stream.utf8.count) { size, event in
                size + 30 + event.type.utf8.count + event.payload.count + event.metadata.count
            }
        }
    }

    static func encode(_ requests: [AppendRequest]) -> [UInt8] {
        var writer = ByteWriter(reservingCapacity: requests.reduce(5) { $0 + size(of: $1) })
        writer.write(version)
        writer.write(UInt32(requests.count))
        for request in requests {
            writer.write(request.commandID)
            writer.write(request.fingerprint)
            writer.write(request.deadline)
            writer.write(UInt32(request.streams.count))
            for stream in request.streams {
                writer.write(stream.stream)
                writer.write(stream.expected.rawValue)
                writer.write(UInt32(stream.events.count))
                for event in stream.events {
                    writer.write(event.id)
                    writer.write(event.type)
                    writer.write(event.schemaVersion)
                    writer.write(event.payload)
                    writer.write(event.metadata)
                }
            }
        }
        return writer.bytes
    }

    static func decodeRequests(_ bytes: [UInt8]) throws(ByteReader.Malformed) -> [AppendRequest] {
        var reader = ByteReader(bytes)
        guard try reader.read(UInt8.self) == version else { throw ByteReader.Malformed() }
        var requests: [AppendRequest] = []
        for _ in 0..<(try reader.readCount(minimumSize: 32)) {
            var request = AppendRequest(
                commandID: try reader.readUUID(),
                fingerprint: try reader.readBytes(),
                deadline: try reader.read(),
                streams: []
            )
            for _ in 0..<(try reader.readCount(minimumSize: 12)) {
                request.streams.append(try decodeStream(&reader))
            }
            requests.append(request)
        }
        guard reader.isAtEnd else { throw ByteReader.Malformed() }
        return requests
    }

    private static func decodeStream(_ reader: inout ByteReader) throws(ByteReader.Malformed) -> StreamAppend {
        var stream = StreamAppend(stream: try reader.readString(), expected: StreamVersion(try reader.read()))
        for _ in 0..<(try reader.readCount(minimumSize: 30)) {
            stream.events.append(
                NewEvent(
                    id: try reader.readUUID(),
                    type: try reader.readString(),
                    schemaVersion: try reader.read(),
                    payload: try reader.readBytes(),
                    metadata: try reader.readBytes()
                )
            )
        }
        return stream
    }

    /// - Parameter outcomes: nil for a request that was not recorded because the log has no room.
    static func encode(_ outcomes: [AppendOutcome?]) -> [UInt8] {
        var writer = ByteWriter(reservingCapacity: 24 * outcomes.count)
        writer.write(version)
        writer.write(UInt32(outcomes.count))
        for outcome in outcomes {
            switch outcome {
            case .accepted(let first, let last):
                writer.write(UInt8(0))
                writer.write(first.rawValue)
                writer.write(last.rawValue)
            case .repeated(let first, let last, let sameFingerprint):
                writer.write(UInt8(sameFingerprint ? 1 : 2))
                writer.write(first.rawValue)
                writer.write(last.rawValue)
            case .conflict(let stream, let actual):
                writer.write(UInt8(3))
                writer.write(stream)
                writer.write(actual.rawValue)
            case .expired:
                writer.write(UInt8(4))
            case .malformed:
                writer.write(UInt8(5))
            case nil:
                writer.write(UInt8(6))
            }
        }
        return writer.bytes
    }

    static func decodeOutcomes(_ bytes: [UInt8]) throws(ByteReader.Malformed) -> [AppendOutcome?] {
        var reader = ByteReader(bytes)
        guard try reader.read(UInt8.self) == version else { throw ByteReader.Malformed() }
        var outcomes: [AppendOutcome?] = []
        for _ in 0..<(try reader.readCount(minimumSize: 1)) {
            outcomes.append(try decodeOutcome(&reader))
        }
        guard reader.isAtEnd else { throw ByteReader.Malformed() }
        return outcomes
    }

    private static func decodeOutcome(_ reader: inout ByteReader) throws(ByteReader.Malformed) -> AppendOutcome? {
        switch try reader.read(UInt8.self) {
        case 0:
            return .accepted(first: Position(try reader.read()), last: Position(try reader.read()))
        case let code where code == 1 || code == 2:
            return .repeated(
                first: Position(try reader.read()),
                last: Position(try reader.read()),
                sameFingerprint: code == 1
            )
        case 3:
            return .conflict(stream: try reader.readString(), actual: StreamVersion(try reader.read()))
        case 4: return .expired
        case 5: return .malformed
        case 6: return nil
        default: throw ByteReader.Malformed()
        }
    }
}

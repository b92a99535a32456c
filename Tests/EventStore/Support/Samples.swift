import FoundationEssentials
import Logging
import Synchronization

@testable import EventStore

/// Swallows what is logged.
let quiet = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

/// A fixed moment: 2026-02-16T09:36:07.890123Z.
let someTime: Int64 = 1_771_234_567_890_123

/// The clock of the machine, in microseconds since the epoch.
@Sendable func systemClock() -> Int64 {
    Int64(Date().timeIntervalSince1970 * 1_000_000)
}

/// A value that several tasks of a test change.
final class Shared<Value: Sendable>: Sendable {
    private let guarded: Mutex<Value>

    init(_ value: Value) {
        guarded = Mutex(value)
    }

    @discardableResult
    func withLock<T: Sendable>(_ body: (inout Value) -> T) -> T {
        guarded.withLock { value in body(&value) }
    }

    var value: Value { withLock { $0 } }
}

extension UUID {
    /// The namespace of domain names (RFC 9562, section 6.6).
    static let dns = UUID(uuid: (0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8))
}

extension NewEvent {
    static func sample(_ type: String = "reservas.ReservaConcluida", id: UUID = UUID(), payload: String = "{}") -> NewEvent {
        NewEvent(id: id, type: type, schemaVersion: 1, payload: Array(payload.utf8), metadata: Array(#"{"principal":"test"}"#.utf8))
    }
}

extension AppendRequest {
    /// A request that adds events of one type to streams at the versions expected.
    static func sample(
        _ streams: KeyValuePairs<String, Int32> = ["a": 0],
        events: Int = 1,
        type: String = "reservas.ReservaConcluida",
        id: UUID = UUID(),
        fingerprint: [UInt8] = [],
        deadline: Int64 = .max
    ) -> AppendRequest {
        AppendRequest(
            commandID: id,
            fingerprint: fingerprint,
            deadline: deadline,
            streams: streams.map { stream, expected in
                StreamAppend(stream: stream, expected: StreamVersion(expected), events: (0..<events).map { _ in .sample(type) })
            }
        )
    }

    /// The same request with a stream that must be at a version.
    func guarding(_ stream: String, at version: Int32) -> AppendRequest {
        var request = self
        request.streams.append(StreamAppend(stream: stream, expected: StreamVersion(version)))
        return request
    }
}

extension RecordedEvent {
    static func sample(
        _ position: Int64,
        stream: String = "s",
        version: Int32 = 1,
        type: String = "reservas.ReservaConcluida",
        recordedAt: Int64 = someTime,
        payload: String = "{}",
        metadata: String = "{}"
    ) -> RecordedEvent {
        RecordedEvent(
            position: Position(position),
            id: UUID.v5(namespace: .dns, name: "\(position)".utf8),
            stream: stream,
            version: StreamVersion(version),
            type: type,
            schemaVersion: 1,
            recordedAt: recordedAt,
            commandID: UUID.v5(namespace: .dns, name: "command \(position)".utf8),
            payload: Array(payload.utf8),
            metadata: Array(metadata.utf8)
        )
    }
}

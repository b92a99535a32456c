import Crypto
import FoundationEssentials

/// The chain that makes tampering show: each event's SHA-256 covers the hash before it and every column, each prefixed
/// by its length so that no two rows can be read as the same bytes.
package enum EventHash {
    /// What stands before the first event.
    package static let origin = [UInt8](repeating: 0, count: 32)

    package static func hash(after previous: [UInt8], _ event: RecordedEvent) -> [UInt8] {
        var fields = ByteWriter(reservingCapacity: 320 + event.payload.count + event.metadata.count)
        fields.write(previous)
        fields.write(UInt32(8))
        fields.write(event.position.rawValue)
        fields.write(UInt32(16))
        fields.write(event.id)
        fields.write(event.stream)
        fields.write(UInt32(4))
        fields.write(event.version.rawValue)
        fields.write(event.type)
        fields.write(UInt32(2))
        fields.write(event.schemaVersion)
        fields.write(UInt32(8))
        fields.write(event.recordedAt)
        fields.write(UInt32(16))
        fields.write(event.commandID)
        fields.write(event.payload)
        fields.write(event.metadata)
        return Array(SHA256.hash(data: fields.bytes))
    }
}

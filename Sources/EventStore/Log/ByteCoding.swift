package import FoundationEssentials

/// Writes the little-endian, length-prefixed fields of our own wire format.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    init(reservingCapacity capacity: Int = 256) {
        bytes.reserveCapacity(capacity)
    }

    mutating func write(_ value: some FixedWidthInteger & BitwiseCopyable) {
        unsafe withUnsafeBytes(of: value.littleEndian) { value in
            // The bytes are those of the local copy and are copied before the closure returns.
            unsafe bytes.append(contentsOf: value)
        }
    }

    /// The sixteen bytes in their order of print.
    mutating func write(_ id: UUID) {
        unsafe withUnsafeBytes(of: id.uuid) { id in
            // As above.
            unsafe bytes.append(contentsOf: id)
        }
    }

    /// Four bytes of length, then the content.
    mutating func write(_ content: [UInt8]) {
        write(UInt32(content.count))
        bytes.append(contentsOf: content)
    }

    mutating func write(_ text: String) {
        let utf8 = text.utf8
        write(UInt32(utf8.count))
        bytes.append(contentsOf: utf8)
    }
}

/// Reads what `ByteWriter` wrote. Every read checks what is left, so that a truncated or hostile message is an error
/// and never a trap.
struct ByteReader {
    struct Malformed: Error {}

    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { index == bytes.count }

    mutating func read<Value: FixedWidthInteger & BitwiseCopyable>(_: Value.Type = Value.self) throws(Malformed) -> Value {
        let width = Value.bitWidth / 8
        guard bytes.count - index >= width else { throw Malformed() }
        defer { index += width }
        // Every bit pattern is a value of a fixed-width integer, and the bounds were checked.
        return unsafe Value(littleEndian: bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: Value.self))
    }

    mutating func readUUID() throws(Malformed) -> UUID {
        guard bytes.count - index >= 16 else { throw Malformed() }
        defer { index += 16 }
        // Any sixteen bytes are a uuid_t, a tuple of sixteen UInt8.
        return unsafe UUID(uuid: bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: uuid_t.self))
    }

    mutating func readBytes() throws(Malformed) -> [UInt8] {
        let count = Int(try read(UInt32.self))
        guard bytes.count - index >= count else { throw Malformed() }
        defer { index += count }
        return Array(bytes[index..<index + count])
    }

    mutating func readString() throws(Malformed) -> String {
        let count = Int(try read(UInt32.self))
        guard bytes.count - index >= count else { throw Malformed() }
        defer { index += count }
        guard let text = String(validating: bytes[index..<index + count], as: UTF8.self) else { throw Malformed() }
        return text
    }

    /// A count of items that take at least `minimumSize` bytes each: refuses what cannot fit, before anyone allocates.
    mutating func readCount(minimumSize: Int) throws(Malformed) -> Int {
        let count = Int(try read(UInt32.self))
        guard count * minimumSize <= bytes.count - index else { throw Malformed() }
        return count
    }
}

extension UUID {
    /// The sixteen bytes in their order of print.
    package var bytes: [UInt8] {
        let u = uuid
        return [u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7, u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15]
    }

    /// Nil unless there are sixteen bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        let b = Array(bytes)
        self.init(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]
            )
        )
    }
}

/// The bytes of parameters under construction, in network byte order.
package struct PostgresBuffer {
    private(set) var bytes: [UInt8] = []

    /// Appends an integer, most significant byte first.
    package mutating func append(_ value: some FixedWidthInteger & BitwiseCopyable) {
        unsafe withUnsafeBytes(of: value.bigEndian) { bytes in
            // The bytes are those of the local copy and are copied before the closure returns.
            unsafe self.bytes.append(contentsOf: bytes)
        }
    }

    /// Appends bytes as they are.
    package mutating func append(bytes: some Sequence<UInt8>) {
        self.bytes.append(contentsOf: bytes)
    }

    /// Appends a 32-bit length and then the value, or the length -1 for NULL: the form of array elements.
    package mutating func appendElement(_ value: some PostgresEncodable) {
        guard !value.isPostgresNull else { return append(Int32(-1)) }
        let start = bytes.count
        append(Int32(0))
        value.encode(into: &self)
        let length = Int32(truncatingIfNeeded: bytes.count - start - 4)
        for offset in 0..<4 {
            bytes[start + offset] = UInt8(truncatingIfNeeded: length >> (24 - 8 * Int32(offset)))
        }
    }

    /// Forgets the content but keeps ordinary amounts of memory for the next use.
    mutating func reset() {
        bytes.removeAll(keepingCapacity: bytes.capacity <= 256 * 1024)
    }
}

extension RawSpan {
    /// The integer at an offset, most significant byte first; nil past the end.
    func integer<T: FixedWidthInteger & BitwiseCopyable>(at offset: Int = 0, as type: T.Type) -> T? {
        guard offset >= 0, offset <= byteCount - MemoryLayout<T>.size else { return nil }
        // Every bit pattern is a value of a fixed-width integer, and the bounds were checked.
        return unsafe T(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: T.self))
    }

    /// The integer that fills the whole span; nil when the size differs.
    func wholeInteger<T: FixedWidthInteger & BitwiseCopyable>(as type: T.Type) -> T? {
        byteCount == MemoryLayout<T>.size ? integer(as: type) : nil
    }

    /// A copy of the bytes.
    var copied: [UInt8] {
        // The closure copies before it returns, so no pointer outlives the span.
        unsafe withUnsafeBytes { bytes in unsafe Array(bytes) }
    }
}

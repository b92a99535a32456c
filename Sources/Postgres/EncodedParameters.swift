/// The parameters of one statement in their binary form.
struct EncodedParameters {
    // Where each value lies in the buffer; nil for NULL.
    private var ranges: [Range<Int>?] = []
    private var buffer = PostgresBuffer()
    /// The parameters' types.
    private(set) var types: [UInt32] = []

    /// The protocol counts parameters in sixteen bits.
    static let maximumCount = 65535

    init(_ parameters: [any PostgresEncodable]) throws(PostgresError) {
        guard parameters.count <= Self.maximumCount else {
            throw PostgresError(.encoding, "\(parameters.count) parameters; a statement can have \(Self.maximumCount)")
        }
        ranges.reserveCapacity(parameters.count)
        types.reserveCapacity(parameters.count)
        for parameter in parameters {
            types.append(parameter.postgresType.rawValue)
            guard !parameter.isPostgresNull else {
                ranges.append(nil)
                continue
            }
            let start = buffer.bytes.count
            parameter.encode(into: &buffer)
            ranges.append(start..<buffer.bytes.count)
        }
        guard buffer.bytes.count <= Int(Int32.max) else {
            throw PostgresError(.encoding, "the parameters of a statement exceed 2 GiB")
        }
    }

    /// Lends libpq's three arrays. The pointers are valid until the closure returns.
    @unsafe func withPointers<R>(
        _ body: (
            Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
        ) -> R
    ) -> R {
        guard !ranges.isEmpty else { return body(0, nil, nil, nil) }
        let lengths = ranges.map { Int32($0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: ranges.count)
        return unsafe buffer.bytes.withUnsafeBytes { bytes in
            // An empty buffer may have no address, but nil would mean NULL: an empty value points at another byte.
            unsafe withUnsafePointer(to: 0 as CChar) { empty in
                let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? empty
                let values = unsafe ranges.map { range in unsafe range.map { unsafe base + $0.lowerBound } }
                return unsafe body(Int32(ranges.count), values, lengths, formats)
            }
        }
    }
}

import Crypto
package import FoundationEssentials

extension UUID {
    /// A time-ordered UUID (RFC 9562, version 7): 48 bits of milliseconds, the rest random.
    ///
    /// - Parameter microseconds: since the Unix epoch; the part below a millisecond goes into the 12 bits after the
    ///   time (RFC 9562, section 6.2, method 3), so that ids made one after another sort in that order.
    package static func v7(
        microseconds: Int64,
        using generator: inout some RandomNumberGenerator
    ) -> UUID {
        let milliseconds = UInt64(bitPattern: microseconds / 1000)
        let fraction = UInt64(microseconds % 1000) * 4096 / 1000
        let high = milliseconds << 16 | 0x7000 | fraction
        let low = (generator.next() as UInt64) >> 2 | 0x8000_0000_0000_0000
        return UUID(high: high, low: low)
    }

    /// A time-ordered UUID from the system's random numbers.
    package static func v7(microseconds: Int64) -> UUID {
        var generator = SystemRandomNumberGenerator()
        return v7(microseconds: microseconds, using: &generator)
    }

    /// The UUID that names `name` within `namespace` (RFC 9562, version 5).
    package static func v5(namespace: UUID, name: some Sequence<UInt8>) -> UUID {
        var sha1 = Insecure.SHA1()
        sha1.update(data: namespace.bytes)
        sha1.update(data: Array(name))
        var digest = Array(sha1.finalize().prefix(16))
        digest[6] = digest[6] & 0x0F | 0x50
        digest[8] = digest[8] & 0x3F | 0x80
        return UUID(bytes: digest) ?? namespace
    }

    init(high: UInt64, low: UInt64) {
        func byte(_ word: UInt64, _ shift: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> shift) }
        self.init(
            uuid: (
                byte(high, 56), byte(high, 48), byte(high, 40), byte(high, 32),
                byte(high, 24), byte(high, 16), byte(high, 8), byte(high, 0),
                byte(low, 56), byte(low, 48), byte(low, 40), byte(low, 32),
                byte(low, 24), byte(low, 16), byte(low, 8), byte(low, 0)
            )
        )
    }
}

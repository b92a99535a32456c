import Glibc

/// An IP address, four bytes or sixteen.
struct NetworkAddress: Sendable, Equatable {
    let bytes: [UInt8]

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Nil for families that are neither.
    @unsafe init?(_ entry: addrinfo) {
        guard let address = unsafe entry.ai_addr else { return nil }
        let (offset, count): (Int, Int)
        switch unsafe entry.ai_family {
        case AF_INET: (offset, count) = (4, 4)
        case AF_INET6: (offset, count) = (8, 16)
        default: return nil
        }
        guard unsafe Int(entry.ai_addrlen) >= offset + count else { return nil }
        // The structure has at least as many bytes as its length says.
        bytes = (0..<count).map { unsafe UnsafeRawPointer(address).load(fromByteOffset: offset + $0, as: UInt8.self) }
    }

    /// As it is written in numbers.
    var text: String {
        guard bytes.count == 16 else { return bytes.map(String.init).joined(separator: ".") }
        return stride(from: 0, to: 16, by: 2).map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }.joined(
            separator: ":")
    }

    var isLoopback: Bool {
        if let inner { return inner.isLoopback }
        return bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// Whether it is somewhere in the public network: not ourselves, not our neighbours, nothing reserved (IANA's special-purpose
    /// registries).
    var isPublic: Bool {
        if let inner { return inner.isPublic }
        return bytes.count == 4
            ? !Self.reserved4.contains { begins(with: $0.0, bits: $0.1) }
            : begins(with: [0x20], bits: 3) && !Self.reserved6.contains { begins(with: $0.0, bits: $0.1) }
    }

    /// The IPv4 address in an IPv6 one that only carries it.
    private var inner: NetworkAddress? {
        guard bytes.count == 16 else { return nil }
        let carriers: [[UInt8]] = [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]]
        return carriers.contains(Array(bytes.prefix(12))) ? NetworkAddress(bytes: Array(bytes.suffix(4))) : nil
    }

    private func begins(with prefix: [UInt8], bits: Int) -> Bool {
        for bit in 0..<bits {
            let mask: UInt8 = 0x80 >> UInt8(bit % 8)
            let wanted = bit / 8 < prefix.count ? prefix[bit / 8] : 0
            if bytes[bit / 8] & mask != wanted & mask { return false }
        }
        return true
    }

    private static let reserved4: [([UInt8], Int)] = [
        ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12), ([192, 0, 0], 24), ([192, 0, 2], 24),
        ([192, 88, 99], 24), ([192, 168], 16), ([198, 18], 15), ([198, 51, 100], 24), ([203, 0, 113], 24), ([224], 4), ([240], 4),
    ]

    /// Of those that begin with 2000::/3. Teredo and 6to4 lead to IPv4 addresses that nobody has looked at.
    private static let reserved6: [([UInt8], Int)] = [
        ([0x20, 0x01, 0x00], 23), ([0x20, 0x01, 0x0D, 0xB8], 32), ([0x20, 0x02], 16), ([0x3F, 0xFF], 20),
    ]
}

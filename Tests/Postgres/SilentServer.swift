import Glibc

/// Accepts connections, by the kernel's backlog, and never says a word.
final class SilentServer {
    private let descriptor: Int32
    let port: UInt16

    struct Failed: Error {}

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        // The pointers are to the local address, whose size is given; sockaddr_in begins as sockaddr does.
        let ok = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard ok else { throw Failed() }
    }

    deinit {
        close(descriptor)
    }
}

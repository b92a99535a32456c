import Gateway
import Glibc

extension Settings {
    /// To be called before anything starts: a server that cannot listen ends all others halfway, and their last words bury the reason.
    ///
    /// - Throws: `Problem` naming the setting of the first port on which something listens already.
    func checkPortsAreFree() throws(Problem) {
        guard Self.isFree(gatewayPort) else {
            throw .invalid("port", "is \(gatewayPort), where something listens already: stop it, or choose another")
        }
        if let sandbox = payments.sandbox, !Self.isFree(sandbox.port) {
            throw .invalid("sandbox.port", "is \(sandbox.port), where something listens already: stop it, or choose another")
        }
        for service in ServiceName.allCases where !Self.isFree(servicePortBase + service.portOffset) {
            throw .invalid(
                "service.port.base",
                "leads to port \(servicePortBase + service.portOffset), where something listens already: stop it, or choose another"
            )
        }
    }

    /// Whether nothing listens on a port of the loopback address. Says yes where it cannot find out.
    private static func isFree(_ port: Int) -> Bool {
        guard let number = in_port_t(exactly: port) else { return true }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        // As servers do: connections of the one before, on their way out, do not count.
        var yes: Int32 = 1
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = number.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let result = unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe bind(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return result == 0 || errno != EADDRINUSE
    }
}

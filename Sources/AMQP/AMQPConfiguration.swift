import FoundationEssentials

/// Where the broker is and how to behave towards it.
package struct AMQPConfiguration: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    package var host: String
    package var port: Int
    package var virtualHost: String
    package var user: String
    /// Never part of a description.
    package var password: String
    /// Whole seconds, at least one: a peer silent for twice as long is given up. Two seconds unless told.
    package var heartbeat: Duration = .seconds(2)
    /// Encryption; a plain connection if nil.
    package var tls: AMQPTLS?
    /// For the TCP connection (and TLS's handshake), and again for the login and the topology.
    package var connectTimeout: Duration = .seconds(5)
    /// Shown by the broker's management pages.
    package var connectionName = "coworkflow"
    /// How many messages may wait to be sent before publishers get `.bufferFull`.
    package var maximumPendingPublishes = 10_000
    /// How many bytes their bodies may have together before publishers get `.bufferFull`. A message that waits alone may have more.
    package var maximumPendingBytes = 64 << 20
    /// Bytes; the broker may lower it. At least 4,096.
    package var frameMax = 131_072

    /// Parses `amqp://user:password@host:port/vhost`, or `amqps://` for TLS.
    ///
    /// What is left out is `guest`, `guest`, port 5672 (5671 with TLS) and the virtual host `/`. Query items `heartbeat` and
    /// `connection_timeout` (whole seconds), `connection_name`, `frame_max`, `maximum_pending_publishes` and `maximum_pending_bytes` set the
    /// rest, and with TLS the paths `cacertfile`, `certfile` and `keyfile`; see ``AMQPTLS``.
    /// - Throws: `.invalidConfiguration`, its description naming the part.
    package init(url: String) throws(AMQPError) {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased() else {
            throw .invalidConfiguration("the AMQP URL cannot be parsed")
        }
        guard scheme == "amqp" || scheme == "amqps" else {
            throw .invalidConfiguration("the AMQP URL must start with amqp:// or amqps://")
        }
        guard var host = parts.host, !host.isEmpty else {
            throw .invalidConfiguration("the AMQP URL names no host")
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        }
        let virtualHost = String(parts.path.dropFirst())
        guard !parts.percentEncodedPath.dropFirst().contains("/") else {
            throw .invalidConfiguration("the virtual host in the AMQP URL must be percent-encoded")
        }
        self.host = host
        self.tls = scheme == "amqps" ? AMQPTLS() : nil
        self.port = parts.port ?? (scheme == "amqps" ? 5671 : 5672)
        self.virtualHost = virtualHost.isEmpty ? "/" : virtualHost
        self.user = parts.user ?? "guest"
        self.password = parts.password ?? "guest"
        for item in parts.queryItems ?? [] {
            try apply(item)
        }
        try validate()
    }

    private mutating func apply(_ item: URLQueryItem) throws(AMQPError) {
        func number() throws(AMQPError) -> Int {
            guard let number = item.value.flatMap({ Int($0) }) else {
                throw .invalidConfiguration("\(item.name) in the AMQP URL must be a whole number")
            }
            return number
        }
        func path() throws(AMQPError) -> String {
            guard tls != nil else { throw .invalidConfiguration("\(item.name) in the AMQP URL is for amqps:// only") }
            guard let path = item.value, !path.isEmpty, !path.utf8.contains(0) else {
                throw .invalidConfiguration("\(item.name) in the AMQP URL must be the path of a file")
            }
            return path
        }
        switch item.name {
        case "heartbeat": heartbeat = .seconds(try number())
        case "connection_timeout": connectTimeout = .seconds(try number())
        case "frame_max": frameMax = try number()
        case "maximum_pending_publishes": maximumPendingPublishes = try number()
        case "maximum_pending_bytes": maximumPendingBytes = try number()
        case "cacertfile", "certfile", "keyfile":
            let path = try path()
            if item.name == "cacertfile" { tls?.authorities = path }
            if item.name == "certfile" { tls?.certificate = path }
            if item.name == "keyfile" { tls?.key = path }
        case "connection_name": connectionName = item.value ?? ""
        default: throw .invalidConfiguration("unknown option \(item.name) in the AMQP URL")
        }
    }

    func validate() throws(AMQPError) {
        guard (1...65_535).contains(port) else { throw .invalidConfiguration("the port must lie in 1...65535") }
        guard heartbeat >= .seconds(1), heartbeat.components.attoseconds == 0, heartbeat <= .seconds(3_600) else {
            throw .invalidConfiguration("the heartbeat must be whole seconds, from 1 to 3600")
        }
        guard connectTimeout > .zero else { throw .invalidConfiguration("the connect timeout must be positive") }
        guard (4_096...1_048_576).contains(frameMax) else { throw .invalidConfiguration("frame_max must lie in 4096...1048576") }
        guard maximumPendingPublishes > 0 else { throw .invalidConfiguration("maximum_pending_publishes must be positive") }
        guard maximumPendingBytes > 0 else { throw .invalidConfiguration("maximum_pending_bytes must be positive") }
        guard (tls?.certificate == nil) == (tls?.key == nil) else {
            throw .invalidConfiguration("certfile and keyfile belong together")
        }
        guard !host.utf8.contains(0), virtualHost.utf8.count <= 255 else {
            throw .invalidConfiguration("the host or the virtual host is not usable")
        }
    }

    package var description: String {
        "\(tls == nil ? "amqp" : "amqps")://\(user)@\(host):\(port)/\(virtualHost == "/" ? "" : virtualHost)"
    }
    package var debugDescription: String { description }
}

extension AMQPConfiguration: CustomReflectable {
    /// Keeps `dump` and string interpolation of wrapping types from showing the password.
    package var customMirror: Mirror { Mirror(self, children: ["url": description]) }
}

/// Which mail server takes our messages, and how it is spoken to.
package struct SMTPConfiguration: Sendable {
    package enum Problem: Error, Sendable, Equatable, CustomStringConvertible {
        case invalid(String)

        package var description: String {
            switch self {
            case .invalid(let what): what
            }
        }
    }

    /// `smtp://host:port` or `smtps://host:port`, nothing else.
    let url: String
    let user: String?
    let password: String?
    /// Whether nothing is sent before the talk is encrypted.
    var requiresTLS: Bool
    /// A file with the certificates to trust, instead of the system's.
    let certificates: String?
    /// For one message, from the first packet to the last.
    package var timeout: Duration = .seconds(15)
    package var connectTimeout: Duration = .seconds(5)

    /// - Parameters:
    ///   - url: `smtp://user:password@host:port`, with STARTTLS where the server is not on loopback, or `smtps://…`. User and
    ///     password are percent-encoded.
    ///   - certificates: a PEM file of certificates to trust instead of the system's.
    /// - Throws: `Problem`, without the password.
    package init(url: String, certificates: String? = nil) throws(Problem) {
        guard let (scheme, rest) = Self.scheme(of: url) else { throw .invalid("must begin with smtp:// or smtps://") }
        var authority = rest.prefix { $0 != "/" }
        guard rest.dropFirst(authority.count).allSatisfy({ $0 == "/" }) else { throw .invalid("must have no path") }
        var credentials: [String] = []
        if let at = authority.lastIndex(of: "@") {
            let parts = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            for part in parts {
                guard let plain = Self.decoded(part) else { throw .invalid("has a user or password that is not percent-encoded") }
                credentials.append(plain)
            }
            authority = authority[authority.index(after: at)...]
        }
        guard credentials.isEmpty || credentials.count == 2 && !credentials[0].isEmpty else {
            throw .invalid("must have both a user and a password, or neither")
        }
        let host = try Self.host(of: authority)
        self.url = "\(scheme)://\(authority)"
        user = credentials.first
        password = credentials.last
        requiresTLS = scheme == "smtp" && !Self.isLoopback(host)
        self.certificates = certificates
    }

    private static func scheme(of url: String) -> (String, Substring)? {
        for scheme in ["smtps", "smtp"] where url.hasPrefix("\(scheme)://") { return (scheme, url.dropFirst(scheme.count + 3)) }
        return nil
    }

    /// The host of `host:port`, with letters that hosts and addresses are written in and no others.
    private static func host(of authority: Substring) throws(Problem) -> Substring {
        let allowed = authority.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
                true
            default: false
            }
        }
        guard allowed, !authority.isEmpty else { throw .invalid("must name a host") }
        guard !authority.hasPrefix("[") else { return authority.prefix { $0 != "]" }.dropFirst() }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let host = parts.first, !host.isEmpty else { throw .invalid("must name a host") }
        if parts.count == 2 {
            guard let port = UInt16(parts[1]), port > 0 else { throw .invalid("has a port that is none") }
        }
        return host
    }

    private static func isLoopback(_ host: Substring) -> Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

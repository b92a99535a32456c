extension PostgresConfiguration {
    /// Reads `postgresql://user:password@host:port/database?sslmode=…`.
    ///
    /// Parts may be percent-encoded. The user is required; the host defaults to 127.0.0.1, the port to 5432, the database to
    /// the user. Parameters after `?`: `host` (also the directory of a Unix socket), `port`, `dbname`, `user`, `password`,
    /// `application_name`, `sslmode`, `sslrootcert`, `connect_timeout` (seconds), `role`, `statement_timeout` and
    /// `idle_in_transaction_session_timeout` (milliseconds), `synchronous_commit`. Any other is an error.
    ///
    /// - Throws: ``PostgresError`` of kind `invalidConfiguration`, which never quotes the URL's values.
    package init(url: String) throws(PostgresError) {
        var rest = Substring(url)
        guard let scheme = ["postgresql://", "postgres://"].first(where: { rest.hasPrefix($0) }) else {
            throw Self.invalid("the database URL must begin with postgresql://")
        }
        rest = rest.dropFirst(scheme.count)
        guard !rest.contains("#") else { throw Self.invalid("the database URL has a fragment; write # as %23") }

        let query = rest.firstIndex(of: "?").map { rest[rest.index(after: $0)...] }
        rest = rest.prefix { $0 != "?" }
        let path = rest.firstIndex(of: "/").map { rest[rest.index(after: $0)...] }
        rest = rest.prefix { $0 != "/" }

        var parts: [String: String] = [:]
        if let at = rest.lastIndex(of: "@") {
            let credentials = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            parts["user"] = try Self.decoded(credentials[0], "user")
            if credentials.count == 2 { parts["password"] = try Self.decoded(credentials[1], "password") }
            rest = rest[rest.index(after: at)...]
        }
        if rest.first == "[" {
            guard let end = rest.firstIndex(of: "]") else { throw Self.invalid("the database URL's [ is not closed") }
            parts["host"] = String(rest[rest.index(after: rest.startIndex)..<end])
            rest = rest[rest.index(after: end)...]
            guard rest.isEmpty || rest.first == ":" else { throw Self.invalid("the database URL has a text after ]") }
        } else {
            let host = rest.prefix { $0 != ":" }
            if !host.isEmpty { parts["host"] = try Self.decoded(host, "host") }
            rest = rest.dropFirst(host.count)
        }
        if rest.count > 1 { parts["port"] = String(rest.dropFirst()) }
        if let path, !path.isEmpty { parts["dbname"] = try Self.decoded(path, "database") }
        for pair in (query ?? "").split(separator: "&") {
            let pair = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = try Self.decoded(pair[0], "parameter name")
            guard pair.count == 2 else { throw Self.invalid("the database URL's parameter \(name) has no value") }
            parts[name] = try Self.decoded(pair[1], name)
        }
        try self.init(parts: parts)
    }

    private init(parts: [String: String]) throws(PostgresError) {
        var parts = parts
        guard let user = parts.removeValue(forKey: "user"), !user.isEmpty else {
            throw Self.invalid("the database URL names no user")
        }
        self.init(
            host: parts.removeValue(forKey: "host") ?? "127.0.0.1",
            database: parts.removeValue(forKey: "dbname") ?? user,
            user: user
        )
        for (name, value) in parts.sorted(by: { $0.key < $1.key }) {
            switch name {
            case "port":
                guard let port = Int(value), (1...65535).contains(port) else {
                    throw Self.invalid("the database URL's port is not a number from 1 to 65535")
                }
                self.port = port
            case "password": password = value
            case "application_name": applicationName = value
            case "role": role = value
            case "sslmode":
                guard let mode = SSLMode(rawValue: value) else {
                    let modes = SSLMode.allCases.map(\.rawValue).joined(separator: ", ")
                    throw Self.invalid("the database URL's sslmode is none of \(modes)")
                }
                sslMode = mode
            case "sslrootcert": sslRootCertificate = value
            case "connect_timeout": connectTimeout = .seconds(try Self.number(value, name))
            case "statement_timeout": statementTimeout = .milliseconds(try Self.number(value, name))
            case "idle_in_transaction_session_timeout":
                idleInTransactionTimeout = .milliseconds(try Self.number(value, name))
            case "synchronous_commit": synchronousCommit = value
            default: throw Self.invalid("the database URL has an unknown parameter, \(name)")
            }
        }
    }

    private static func invalid(_ reason: String) -> PostgresError {
        PostgresError(.invalidConfiguration, reason)
    }

    private static func number(_ text: String, _ name: String) throws(PostgresError) -> Int32 {
        guard let number = Int32(text), number > 0 else {
            throw invalid("the database URL's \(name) is not a positive whole number")
        }
        return number
    }

    private static func decoded(_ text: Substring, _ part: String) throws(PostgresError) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexadecimalDigit), let low = rest.popFirst().flatMap(hexadecimalDigit) else {
                throw invalid("the database URL's \(part) has a % without two hexadecimal digits; write % as %25")
            }
            bytes.append(high << 4 | low)
        }
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw invalid("the database URL's \(part) is not text")
        }
        return text
    }

    private static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

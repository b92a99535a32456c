/// How to reach a database and what every connection to it is set to.
package struct PostgresConfiguration: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// Whether and how the connection is encrypted, in libpq's words.
    package enum SSLMode: String, Sendable, CaseIterable {
        /// Never encrypted.
        case disable
        /// Encrypted only if the server insists.
        case allow
        /// Encrypted if the server can; the server's certificate is not checked.
        case prefer
        /// Always encrypted; the certificate is checked only if `sslRootCertificate` is set.
        case require
        /// Always encrypted, and the certificate must be signed by `sslRootCertificate`.
        case verifyCA = "verify-ca"
        /// As `verifyCA`, and the certificate must name the host. The one to use outside one machine.
        case verifyFull = "verify-full"
    }

    /// Host name, address, or the directory (beginning with `/`) of a Unix socket.
    package var host: String
    /// TCP port, or the number in the socket's name.
    package var port: Int
    /// Name of the database.
    package var database: String
    /// The role to log in as.
    package var user: String
    /// Never shown by `description`, `dump` or reflection.
    package var password: String?
    /// Shown in `pg_stat_activity`.
    package var applicationName: String
    /// The role every connection acts as from its first statement on, as by `SET ROLE`.
    package var role: String?
    /// The limit for making one connection, name resolution excepted.
    package var connectTimeout: Duration
    /// A server that takes no bytes, or answers no sign of life, for so long is given up as lost. A slow statement does not count,
    /// except when megabytes of a pipeline's later steps wait behind it.
    package var deadPeerTimeout: Duration
    /// The server's limit for one statement; nil leaves the server's own.
    package var statementTimeout: Duration?
    /// After this the server ends a connection that sits in an open transaction; nil leaves the server's own.
    package var idleInTransactionTimeout: Duration?
    /// What a commit waits for (`on`, `off`, `local`, `remote_write`, `remote_apply`); nil leaves the server's own.
    package var synchronousCommit: String?
    /// Further server settings of every connection, by name.
    package var options: [String: String]
    /// Encryption; `prefer` unless set.
    package var sslMode: SSLMode
    /// Path of the certificates that the server's must be signed by; libpq's default file if nil.
    package var sslRootCertificate: String?

    package init(
        host: String = "127.0.0.1",
        port: Int = 5432,
        database: String,
        user: String,
        password: String? = nil,
        applicationName: String = "coworkflow",
        role: String? = nil,
        connectTimeout: Duration = .seconds(5),
        deadPeerTimeout: Duration = .seconds(10),
        statementTimeout: Duration? = nil,
        idleInTransactionTimeout: Duration? = nil,
        synchronousCommit: String? = nil,
        options: [String: String] = [:],
        sslMode: SSLMode = .prefer,
        sslRootCertificate: String? = nil
    ) {
        self.host = host
        self.port = port
        self.database = database
        self.user = user
        self.password = password
        self.applicationName = applicationName
        self.role = role
        self.connectTimeout = connectTimeout
        self.deadPeerTimeout = deadPeerTimeout
        self.statementTimeout = statementTimeout
        self.idleInTransactionTimeout = idleInTransactionTimeout
        self.synchronousCommit = synchronousCommit
        self.options = options
        self.sslMode = sslMode
        self.sslRootCertificate = sslRootCertificate
    }

    /// A copy that acts as another role.
    package func with(role: String?) -> Self {
        var copy = self
        copy.role = role
        return copy
    }

    /// A copy for another database of the same server.
    package func with(database: String) -> Self {
        var copy = self
        copy.database = database
        return copy
    }

    /// A copy under another name in `pg_stat_activity`.
    package func with(applicationName: String) -> Self {
        var copy = self
        copy.applicationName = applicationName
        return copy
    }

    /// The place and the user, never the password.
    package var description: String {
        "postgresql://\(user)@\(host):\(port)/\(database)" + (role.map { " as \($0)" } ?? "")
    }

    package var debugDescription: String { description }
}

// `dump` and default reflection would show the password.
extension PostgresConfiguration: CustomReflectable {
    package var customMirror: Mirror {
        Mirror(self, children: ["host": host, "port": port, "database": database, "user": user])
    }
}

extension PostgresConfiguration {
    /// libpq's connection parameters.
    var connectionParameters: [(keyword: String, value: String)] {
        var parameters = [
            ("host", host), ("port", String(port)), ("dbname", database), ("user", user),
            ("application_name", applicationName), ("client_encoding", "UTF8"), ("sslmode", sslMode.rawValue),
            // Kerberos encryption is never wanted and costs a look round at every connect.
            ("gssencmode", "disable"),
            // The kernel asks an idle peer for a sign of life after five seconds, then every two. It gives up after the user timeout,
            // which also bounds how long sent data may go unacknowledged.
            ("keepalives", "1"), ("keepalives_idle", "5"), ("keepalives_interval", "2"), ("keepalives_count", "3"),
            ("tcp_user_timeout", String(deadPeerTimeout.wholeMilliseconds)),
            ("options", startupOptions),
        ]
        if let password { parameters.append(("password", password)) }
        if let sslRootCertificate { parameters.append(("sslrootcert", sslRootCertificate)) }
        return parameters.map { (keyword: $0.0, value: $0.1) }
    }

    /// The settings as the server's command line takes them; a blank or backslash in a value is escaped by a backslash.
    private var startupOptions: String {
        var settings = options
        if let role { settings["role"] = role }
        if let statementTimeout { settings["statement_timeout"] = String(statementTimeout.wholeMilliseconds) }
        if let idleInTransactionTimeout {
            settings["idle_in_transaction_session_timeout"] = String(idleInTransactionTimeout.wholeMilliseconds)
        }
        if let synchronousCommit { settings["synchronous_commit"] = synchronousCommit }
        return settings.sorted { $0.key < $1.key }
            .map { name, value in "-c \(name)=\(value.escapedOption)" }
            .joined(separator: " ")
    }
}

extension String {
    fileprivate var escapedOption: String {
        var escaped = ""
        for character in unicodeScalars {
            if character == "\\" || character.properties.isWhitespace { escaped.unicodeScalars.append("\\") }
            escaped.unicodeScalars.append(character)
        }
        return escaped
    }
}

extension Duration {
    /// Milliseconds, rounded up so that a short limit does not become none.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let milliseconds = seconds.multipliedReportingOverflow(by: 1000)
        guard !milliseconds.overflow else { return seconds < 0 ? 0 : Int64(Int32.max) }
        let fraction = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return max(0, min(Int64(Int32.max), milliseconds.partialValue + fraction))
    }
}

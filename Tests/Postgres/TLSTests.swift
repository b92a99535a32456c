import Postgres
import Testing

@Suite("TLS")
struct TLSTests {
    private static func connect(_ configuration: PostgresConfiguration) async throws(PostgresError) -> PostgresConnection {
        try await PostgresConnection.connect(configuration, logger: TestServer.logger)
    }

    private static func refusal(_ configuration: PostgresConfiguration) async -> String? {
        let error = await #expect(throws: PostgresError.self) { try await connect(configuration) }
        #expect(error?.kind == .connectionFailed)
        return error?.description
    }

    @Test("A server is taken only with a certificate for its host, valid and signed by the right authority", .timeLimit(.minutes(2)))
    func verified() async throws {
        try await PrivateServers.run { servers in
            try await servers.start(.postgres)
            let url = try await servers.url(.postgres)
            func configuration(
                host: String = "localhost",
                authority: String = "ca.pem",
                mode: String = "verify-full"
            ) throws -> PostgresConfiguration {
                var configuration = try PostgresConfiguration(url: url + "?sslmode=\(mode)&sslrootcert=\(servers.path(authority))")
                configuration.host = host
                return configuration
            }
            // Given the right one: everything works over TLS.
            let connection = try await Self.connect(try configuration())
            try await connection.run { c throws in
                #expect(try c.query("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")[0].get(0, Bool.self))
                let big = [UInt8](repeating: 0xAB, count: 3 << 20)
                #expect(try c.pipeline([PostgresStatement("SELECT $1", big)])[0][0].get(0, [UInt8].self) == big)
                try c.execute("CREATE TEMP TABLE t (id int8, data bytea)")
                try c.copyIn("COPY t FROM STDIN (FORMAT binary)") { copy throws in
                    for id in 0..<1000 {
                        copy.write(id)
                        copy.write(Array(big.prefix(5000)))
                        try copy.endRow()
                    }
                }
                #expect(try c.copyOut("COPY t TO STDOUT (FORMAT binary)") { row in try row.skip() } == 1000)
            }
            let task = Task { try await connection.runCancellable { c in _ = try c.query("SELECT pg_sleep(60)") } }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await connection.query("SELECT 1").count == 1)
            await connection.close()

            // A certificate of another name, unless only its authority counts.
            let name = "connection_failed: the database's certificate does not name the host"
            #expect(await Self.refusal(try configuration(host: "127.0.0.1")) == name)
            try await Self.connect(try configuration(host: "127.0.0.1", mode: "verify-ca")).close()
            // Another authority.
            let untrusted = "connection_failed: the database's certificate is not signed by the authority in sslrootcert, or not valid now"
            for mode in ["verify-ca", "verify-full"] {
                #expect(await Self.refusal(try configuration(authority: "other-ca.pem", mode: mode)) == untrusted)
            }
            // No file.
            let unread = "connection_failed: the certificates in sslrootcert, or at its default place, cannot be read"
            #expect(await Self.refusal(try configuration(authority: "nao-existe.pem")) == unread)

            // A certificate that is no longer valid.
            try await servers.kill(.postgres)
            try await servers.start(.postgres, with: "expired")
            #expect(await Self.refusal(try configuration()) == untrusted)
            try await Self.connect(try configuration(authority: "nao-existe.pem", mode: "disable")).close()
        }
    }

    @Test(
        "A server without TLS is refused when it is asked for",
        arguments: [.require, .verifyCA, .verifyFull] as [PostgresConfiguration.SSLMode]
    )
    func plain(mode: PostgresConfiguration.SSLMode) async throws {
        var configuration = try TestServer.configuration()
        configuration.sslMode = mode
        #expect(await Self.refusal(configuration) == "connection_failed: the database speaks no TLS, which sslmode asks for")
    }
}

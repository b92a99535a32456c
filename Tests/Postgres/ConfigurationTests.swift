import Postgres
import Testing

@Suite("Configuration")
struct ConfigurationTests {
    @Test("A URL is read in full")
    func url() throws {
        let configuration = try PostgresConfiguration(
            url: "postgresql://ana%40x:p%3Aq%2F%3F@db.example:6543/minha%20base?sslmode=verify-full&sslrootcert=/ca.pem"
                + "&application_name=x&connect_timeout=3&role=leitor&statement_timeout=1500&synchronous_commit=on"
                + "&idle_in_transaction_session_timeout=2000"
        )
        #expect(configuration.user == "ana@x")
        #expect(configuration.password == "p:q/?")
        #expect(configuration.host == "db.example")
        #expect(configuration.port == 6543)
        #expect(configuration.database == "minha base")
        #expect(configuration.sslMode == .verifyFull)
        #expect(configuration.sslRootCertificate == "/ca.pem")
        #expect(configuration.applicationName == "x")
        #expect(configuration.connectTimeout == .seconds(3))
        #expect(configuration.role == "leitor")
        #expect(configuration.statementTimeout == .milliseconds(1500))
        #expect(configuration.idleInTransactionTimeout == .seconds(2))
        #expect(configuration.synchronousCommit == "on")
    }

    @Test(
        "What a URL leaves out has a default",
        arguments: [
            ("postgres://ana@", "127.0.0.1", 5432, "ana"),
            ("postgresql://ana@host", "host", 5432, "ana"),
            ("postgresql://ana@[::1]:7/x", "::1", 7, "x"),
            ("postgresql://ana@/x?host=/run/pg&port=7", "/run/pg", 7, "x"),
            ("postgresql:///x?user=ana", "127.0.0.1", 5432, "x"),
        ]
    )
    func defaults(url: String, host: String, port: Int, database: String) throws {
        let configuration = try PostgresConfiguration(url: url)
        #expect(configuration.host == host)
        #expect(configuration.port == port)
        #expect(configuration.database == database)
        #expect(configuration.user == "ana")
    }

    @Test(
        "A wrong URL is a clear error that quotes no secret",
        arguments: [
            ("mysql://ana:segredo@h/x", "must begin with postgresql://"),
            ("", "must begin with postgresql://"),
            ("postgresql://h/x", "names no user"),
            ("postgresql://ana:segredo@h:0/x", "port"),
            ("postgresql://ana:segredo@h:99999/x", "port"),
            ("postgresql://ana:segredo@h:abc/x", "port"),
            ("postgresql://ana:segredo%4@h/x", "password has a %"),
            ("postgresql://ana:segredo%00@h/x", "password is not text"),
            ("postgresql://ana:segredo%FF@h/x", "password is not text"),
            ("postgresql://ana:segredo@h/x?sslmode=maybe", "sslmode is none of disable"),
            ("postgresql://ana:segredo@h/x?sslmod=require", "unknown parameter, sslmod"),
            ("postgresql://ana:segredo@h/x?role", "role has no value"),
            ("postgresql://ana:segredo@h/x?connect_timeout=-1", "connect_timeout is not a positive"),
            ("postgresql://ana:segredo@[::1/x", "[ is not closed"),
            ("postgresql://ana:segredo@h/x#y", "fragment"),
        ]
    )
    func wrong(url: String, reason: String) throws {
        let error = #expect(throws: PostgresError.self) { try PostgresConfiguration(url: url) }
        #expect(error?.kind == .invalidConfiguration)
        #expect(error?.description.contains(reason) == true)
        #expect(error?.description.contains("segredo") == false)
    }

    @Test("The password shows nowhere")
    func password() throws {
        let configuration = try PostgresConfiguration(url: "postgresql://ana:segredo@h/x")
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), dumped] {
            #expect(text.contains("ana"))
            #expect(!text.contains("segredo"))
        }
    }

    @Test("The server has every setting, blanks and backslashes included")
    func settings() async throws {
        var configuration = try TestServer.configuration()
        configuration.applicationName = "nome com espaco"
        configuration.statementTimeout = .milliseconds(12_345)
        configuration.idleInTransactionTimeout = .microseconds(1_999_001)
        configuration.synchronousCommit = "local"
        configuration.role = "pg_read_all_data"
        configuration.options = ["search_path": "\"a b\", \"c\\d\", pg_catalog"]
        let connection = try await PostgresConnection.connect(configuration, logger: TestServer.logger)
        let shown = try await connection.run { c throws in
            try [
                "application_name", "statement_timeout", "idle_in_transaction_session_timeout", "synchronous_commit", "role",
                "search_path", "client_encoding",
            ].map { try c.query("SELECT current_setting($1)", $0)[0].get(0, String.self) }
        }
        await connection.close()
        #expect(
            shown == [
                "nome com espaco", "12345ms", "2s", "local", "pg_read_all_data", "\"a b\", \"c\\d\", pg_catalog", "UTF8",
            ]
        )
    }
}

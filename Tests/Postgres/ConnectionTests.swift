import Postgres
import Testing

@Suite struct ConnectionTests {
    @Test func smoke() async throws {
        let answer = try await TestServer.withConnection { c in
            try c.transaction { c in
                let rows = try c.pipeline([PostgresStatement("SELECT $1::int8 + 1", 41), PostgresStatement("SELECT 1")])
                return try rows[0][0].get(0, Int.self)
            }
        }
        #expect(answer == 42)
        let pool = PostgresPool(try TestServer.configuration(), maximumConnections: 2, logger: TestServer.logger)
        #expect(try await pool.withConnection { c in try c.query("SELECT 7")[0].get(0, Int.self) } == 7)
        await pool.close()
    }
}

import Configuration
import Domain
import Testing

@testable import coworkflow

/// What configuration is refused.
@Suite struct SettingsTests {
    private static func config(_ values: [AbsoluteConfigKey: ConfigValue]) -> ConfigReader {
        ConfigReader(provider: InMemoryProvider(values: values))
    }

    @Test(
        "In production what leaves the machine is encrypted, to a server that shows who it is",
        arguments: [
            ("postgresql://u:p@db.example.com/coworkflow", "amqp://u:p@mq.example.com/"),
            ("postgresql://u:p@db.example.com/coworkflow?sslmode=require", "amqp://u:p@10.0.0.7/"),
        ])
    func plainText(_ postgres: String, _ amqp: String) throws {
        let production = Self.config(["postgres.url": .init(stringLiteral: postgres), "amqp.url": .init(stringLiteral: amqp)])
        let refusals = [
            #expect(throws: Settings.Problem.self) { try Settings.postgres(production) },
            #expect(throws: Settings.Problem.self) { try Settings.amqp(production) },
        ]
        for (refusal, word) in zip(refusals, ["sslmode=verify-full", "amqps"]) {
            #expect(refusal?.description.contains(word) == true)
            #expect(refusal?.description.contains("u:p") == false)
        }
        for (key, value) in ["environment": "development", "network.trusted": "true"] as [AbsoluteConfigKey: ConfigValue] {
            let trusted = Self.config([
                "postgres.url": .init(stringLiteral: postgres), "amqp.url": .init(stringLiteral: amqp),
                key: key == "network.trusted" ? true : value,
            ])
            _ = try Settings.postgres(trusted)
            _ = try Settings.amqp(trusted)
        }
    }

    @Test(
        "Encrypted, or on this machine, it is taken",
        arguments: [
            ("postgresql://u:p@db.example.com/coworkflow?sslmode=verify-full&sslrootcert=/ca.pem", "amqps://u:p@mq.example.com/"),
            ("postgresql://u:p@127.0.0.1:5432/coworkflow", "amqp://u:p@localhost/"),
        ])
    func taken(_ postgres: String, _ amqp: String) throws {
        let production = Self.config(["postgres.url": .init(stringLiteral: postgres), "amqp.url": .init(stringLiteral: amqp)])
        _ = try Settings.postgres(production)
        _ = try Settings.amqp(production)
    }

    @Test("Books are kept for as long as the law asks, or longer")
    func books() throws {
        #expect(try Settings.booksTerm(Self.config([:])) == .legal)
        #expect(try Settings.booksTerm(Self.config(["books.years": 10])).anos == 10)
        for years in [-1, 0, 4, 101] as [ConfigValue] {
            #expect(throws: Settings.Problem.self) { try Settings.booksTerm(Self.config(["books.years": years])) }
        }
    }
}

import Configuration
import Domain
import EventStore
import Foundation
import Postgres
import Projections
import ServiceLifecycle
import Testing

@testable import coworkflow

extension TestSystem {
    /// The list that the system keeps out of the reach of backups.
    var erasures: ErasureList {
        get throws { ErasureList(path: try #require(settings.erasures)) }
    }

    /// Somebody's key as the database holds it, in hexadecimal.
    func wrappedKey(of person: String) async throws -> String {
        try #require(
            try await pool.withConnection { connection in
                try connection.query("select encode(wrapped, 'hex') from keys.personal where subject = $1", person).first?.get(
                    0, String.self)
            }
        )
    }

    func refreshTokens(of person: String) async throws -> Int64 {
        try await pool.withConnection { connection in
            try connection.query("select count(*) from volatile.refresh_tokens where account = $1", person)[0].get(0, Int64.self)
        }
    }

    /// How many events of a type somebody's commands recorded on these bookings.
    func count(of type: String, by principal: String, for bookings: [String]) async throws -> Int {
        try await pool.withConnection { connection in
            Int(
                try connection.query(
                    """
                    select count(*) from log.readable
                     where type = $1 and metadata ->> 'principal' = $2 and stream = any($3)
                    """,
                    type,
                    principal,
                    PostgresArray(bookings.map { "reserva-\($0)" })
                )[0].get(0, Int64.self)
            )
        }
    }

    /// How many bookings of these people are neither given up nor over, as the log tells it.
    func openBookings(of people: [String]) async throws -> Int64 {
        try await pool.withConnection { connection in
            try connection.query(
                """
                select count(*) from log.readable r
                 where r.type = 'reservas.ReservaSolicitada' and r.payload ->> 'usuario' = any($1)
                   and not exists (select 1 from log.events e where e.stream = r.stream and e.type = 'reservas.ReservaCancelada')
                """,
                PostgresArray(people)
            )[0].get(0, Int64.self)
        }
    }

    /// The positions of events that hold a text sealed for somebody who was erased before.
    func sealedAfterErasure() async throws -> [Int64] {
        try await pool.withConnection { connection in
            try connection.query(
                """
                select later.position
                  from log.readable erased
                  join log.readable later on later.position > erased.position
                   and strpos(later.payload::text, '"1.' || (erased.payload ->> 'usuario') || '.') > 0
                 where erased.type = 'usuarios.UsuarioApagado'
                """
            ).map { try $0.get(0, Int64.self) }
        }
    }

    /// All that can still be read of what the log holds sealed, by whoever has the keys that are left.
    func readable(in composition: Composition? = nil) async throws -> [String] {
        let settings = composition?.settings ?? settings
        let log = PostgresPool(settings.postgres.taking(.service), maximumConnections: 1, logger: journal.logger())
        let payloads = try await log.withConnection { connection in
            try connection.query("select payload from log.events where strpos(convert_from(payload, 'UTF8'), '\"1.') > 0")
                .map { try $0.get(0, [UInt8].self) }
        }
        await log.close()
        let keys = PostgresPool(settings.postgres.taking(.keyring), maximumConnections: 1, logger: journal.logger())
        let keyring = Keyring(pool: keys, master: settings.secrets.master, memory: .zero)
        var texts: [String] = []
        for sealed in try payloads.flatMap({ try JSONValue(bytes: $0).sealedTexts(in: "") }) {
            // Guests' fields are sealed as one.
            for field in [sealed.field, "convidado"] {
                if let text = try? await keyring.open(sealed.text, field: field) { texts.append(text) }
            }
        }
        await keys.close()
        return texts
    }

    /// The same installation on another database and another virtual host.
    func composition(on name: String) throws -> Composition {
        let folder = try #require(settings.erasures.map { URL(filePath: $0).deletingLastPathComponent() })
        let values: [AbsoluteConfigKey: ConfigValue] = [
            "environment": "development",
            "postgres.url": .init(.string(servers.postgresURL(name)), isSecret: true),
            "amqp.url": .init(.string(servers.amqpURL(name)), isSecret: true),
            "data.dir": .init(.string(folder.path), isSecret: false),
            "password.rounds": 1,
        ]
        let settings = try Settings(ConfigReader(provider: InMemoryProvider(values: values)))
        return try Composition(settings, clock: { clock.now }, logger: journal.logger())
    }

    func expectReadModelsEqualReplay(of composition: Composition) async throws {
        let keys = PostgresPool(composition.settings.postgres.taking(.keyring), maximumConnections: 1, logger: journal.logger())
        let verifier = ReadModelVerifier(
            configuration: Projections.configuration(composition.settings.postgres),
            opener: Keyring(pool: keys, master: composition.settings.secrets.master),
            logger: journal.logger()
        )
        let verdicts = try await verifier.compare()
        await keys.close()
        #expect(!verdicts.isEmpty)
        for (name, verdict) in verdicts {
            guard case .equal = verdict else {
                Issue.record("read model \(name): \(verdict)")
                continue
            }
        }
    }
}

extension JSONValue {
    /// What is sealed in it, with the name of the field that it stands in.
    fileprivate func sealedTexts(in field: String) -> [(field: String, text: Selado)] {
        switch self {
        case .string(let text): Keyring.isSealed(text) ? [(field, Selado(text))] : []
        case .array(let items): items.flatMap { $0.sealedTexts(in: field) }
        case .object(let members): members.flatMap { $1.sealedTexts(in: $0) }
        case .null, .bool, .number: []
        }
    }
}

extension Composition {
    /// Runs some roles for as long as `body` takes.
    func running<T: Sendable>(_ roles: [Role], _ body: @escaping @Sendable () async throws -> T) async throws -> T {
        var services: [any Service] = []
        for role in roles { services += try await self.services(for: role) }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: services.map { .init(service: $0) }, logger: logger)
        )
        return try await withThrowingTaskGroup(of: T?.self) { tasks in
            tasks.addTask {
                try await group.run()
                return nil
            }
            tasks.addTask { try await body() }
            var result: T?
            while let next = try await tasks.next() {
                guard let next else { continue }
                result = next
                await group.triggerGracefulShutdown()
            }
            return try #require(result)
        }
    }
}

import AsyncHTTPClient
import Configuration
import Domain
import Foundation
import HTTP
import Logging
import Postgres
import Testing

@testable import coworkflow

extension WholeSystem {
    /// A business's life in minutes, on databases of its own.
    @Suite(.serialized)
    struct Simulated {
        /// What a simulation left, with its servers still there.
        private struct Lived {
            let outcome: Simulation.Outcome
            let settings: Settings
            let plan: SimulationPlan
        }

        /// Lives it, hands over what is left, and clears away.
        private func live(_ plan: SimulationPlan, then look: (Lived) async throws -> Void) async throws {
            let http = HTTPClient(eventLoopGroupProvider: .singleton)
            let servers = try TestServers(http: http)
            let name = "simulation_\(UUID().uuidString.prefix(8).lowercased())"
            let folder = FileManager.default.temporaryDirectory.appending(path: name)
            let outcome: Result<Void, any Error>
            do {
                try await servers.createDatabase(name)
                try await servers.createVirtualHost(name)
                let base = try await TestServers.freePorts(16)
                let values: [AbsoluteConfigKey: ConfigValue] = [
                    "environment": "development",
                    "postgres.url": .init(.string(servers.postgresURL(name)), isSecret: true),
                    "amqp.url": .init(.string(servers.amqpURL(name)), isSecret: true),
                    "data.dir": .init(.string(folder.path), isSecret: false),
                    "password.rounds": 1,
                    "port": .init(.int(base), isSecret: false),
                    "service.port.base": .init(.int(base), isSecret: false),
                ]
                let settings = try Settings(ConfigReader(provider: InMemoryProvider(values: values)))
                let journal = Journal()
                _ = try await MigrateCommand.migrate(settings.postgres, logger: journal.logger())
                let simulation = Simulation(settings: settings, plan: plan, logger: journal.logger()) { _ in }
                let lived = try #require(try await simulation.run(checking: true))
                let errors = journal.entries.filter { $0.level >= .error }.map(\.text)
                #expect(errors.isEmpty)
                await #expect(throws: SimulationError.self, "a log that has something is refused") {
                    _ = try await simulation.run(checking: false)
                }
                try await look(Lived(outcome: lived, settings: settings, plan: plan))
                outcome = .success(())
            } catch {
                outcome = .failure(error)
            }
            try? FileManager.default.removeItem(at: folder)
            try? await servers.deleteVirtualHost(name)
            try? await servers.dropDatabase(name)
            try await http.shutdown()
            try outcome.get()
        }

        private static func plan(seed: UInt64) throws -> SimulationPlan {
            let zone = try ZoneCatalog().zone("America/Sao_Paulo")
            // Over a month's end, with its closing on the 2nd.
            let first = try #require(DataCivil("2026-03-30"))
            return try SimulationPlan(
                from: first, days: 5, seed: seed, bookingsPerDay: 65, zone: zone, now: Instante(microssegundos: systemMicroseconds())
            )
        }

        @Test("Five days of business: everything that must hold does, and the same seed gives the same figures", .timeLimit(.minutes(10)))
        func fiveDays() async throws {
            let plan = try Self.plan(seed: 7)
            var first: [SimulationFigure] = []
            try await live(plan) { lived in
                first = lived.outcome.figures
                #expect(lived.outcome.checks.filter { $0.problem != nil } == [])
                #expect(lived.outcome.checks.count == 27)
                func count(_ name: String) -> Int { first.first { $0.name == name }.flatMap { Int($0.value) } ?? 0 }
                // Otherwise nothing was shown.
                #expect(count("bookings") >= 250)
                for name in ["completed", "cancelled", "expired", "no_show"] { #expect(count("bookings, \(name)") > 0, "\(name)") }
                for type in [
                    "pagamentos.PagamentoEstornado", "pagamentos.PagamentoRecusado", "precos.CupomUsado", "reservas.SerieCriada",
                    "financeiro.DespesaRegistrada", "financeiro.PeriodoFechado", "checkin.ExcedenteApurado", "usuarios.UsuarioApagado",
                    "reservas.ConvidadosDefinidos", "precos.AssinaturaIniciada", "notificacoes.WebhookDesativado",
                ] { #expect(count("events, \(type)") > 0, "\(type)") }
                try await spoil(lived)
            }
            try await live(plan) { lived in
                for (one, other) in zip(first, lived.outcome.figures) { #expect(one == other) }
                #expect(first.count == lived.outcome.figures.count)
                #expect(lived.outcome.checks.filter { $0.problem != nil } == [])
            }
        }

        /// What was tampered with is found.
        private func spoil(_ lived: Lived) async throws {
            let journal = Journal()
            let pool = PostgresPool(lived.settings.postgres, maximumConnections: 2, logger: journal.logger())
            let http = HTTPClient(eventLoopGroupProvider: .singleton)
            let audit = SimulationAudit(
                settings: lived.settings, pool: pool, client: SimulationClient(http: http, gateway: "", sandbox: ""),
                clock: SimulatedClock(at: lived.plan.end), plan: lived.plan, logger: journal.logger()
            )
            let result: Result<Void, any Error>
            do { result = .success(try await spoil(lived, audit, pool)) } catch { result = .failure(error) }
            await pool.close()
            try await http.shutdown()
            try result.get()
        }

        private func spoil(_ lived: Lived, _ audit: SimulationAudit, _ pool: PostgresPool) async throws {
            func wrong() async throws -> [String] {
                try await (audit.records() + audit.replays()).filter { $0.problem != nil }.map(\.name)
            }
            #expect(try await wrong() == [])
            try await pool.withConnection { connection in
                try connection.execute("update read.analytics_bookings set price_cents = price_cents + 1 where status = 'completed'")
                try connection.execute(
                    """
                    insert into subs.timers (command_id, kind, aggregate, due, cause)
                    values (gen_random_uuid(), 'nobody.knows', 'this', $1, gen_random_uuid())
                    """,
                    PostgresTimestamp(microsecondsSinceEpoch: lived.plan.start.microssegundos)
                )
                // As a broken writer would leave it: the log itself refuses every change.
                try connection.execute("alter table log.events disable trigger all")
                try connection.execute(
                    """
                    delete from log.events where position = (
                        select max(position) from log.events where type = 'pagamentos.PagamentoAprovado')
                    """
                )
                try connection.execute("alter table log.events enable trigger all")
            }
            let found = try await wrong()
            for name in [
                "the log is whole and its chain holds", "payments less refunds and expenses are the cash", "nothing is stuck",
                "a replay of analytics is the live one", "a replay of pagamentos is the live one",
            ] { #expect(found.contains(name), "\(name)") }
            try await ruin(lived, pool)
            // Long after, when every fee has run out, too.
            let later = SimulationAudit(
                settings: audit.settings, pool: pool, client: audit.client,
                clock: SimulatedClock(at: lived.plan.end + .horas(24 * 60)), plan: lived.plan, logger: audit.logger
            )
            #expect(try await later.records().filter { $0.problem == nil }.map(\.name) == [], "what says nothing of a ruined log")
        }

        /// Leaves nothing of a log as it must be.
        private func ruin(_ lived: Lived, _ pool: PostgresPool) async throws {
            let one = "select min(position) from log.events where type ="
            try await pool.withConnection { connection in
                let tables = ["log.events", "keys.personal"]
                for table in tables { try connection.execute("alter table \(table) disable trigger all") }
                for statement in [
                    """
                    update log.events set payload = convert_to(replace(convert_from(payload, 'UTF8'), '"debito"', '"credito"'), 'UTF8')
                     where position = (\(one) 'financeiro.LancamentoRegistrado')
                    """,
                    """
                    update log.events
                       set payload = convert_to(jsonb_set(convert_from(payload, 'UTF8')::jsonb, '{lugares}', '100000')::text, 'UTF8')
                     where position = (\(one) 'reservas.HorarioOcupado')
                    """,
                    "delete from log.events where type in ('precos.CreditosConcedidos', 'reservas.ReservaExpirada')",
                    "delete from log.events where type in ('pagamentos.PagamentoEstornado', 'financeiro.PeriodoFechado')",
                    """
                    delete from log.events where type = 'pagamentos.PagamentoAprovado'
                       and convert_from(payload, 'UTF8')::jsonb #> '{causa,mensalidade}' is not null
                    """,
                    "delete from log.events where position = (\(one) 'notificacoes.NotificacaoSolicitada')",
                    """
                    update keys.personal set wrapped = 'key', erased_at = null
                     where 'usuario-' || subject in (select stream from log.events where type = 'usuarios.UsuarioApagado')
                    """,
                ] {
                    let changed = try connection.execute(statement)
                    #expect(changed > 0, "\(statement)")
                }
                for table in tables { try connection.execute("alter table \(table) enable trigger all") }
            }
        }
    }
}

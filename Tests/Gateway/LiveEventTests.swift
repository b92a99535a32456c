import Domain
import EventStore
import HTTP
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Postgres
import Projections
import Synchronization
import TestSupport
import Testing

@testable import Gateway

@Suite struct LiveEventTests {
    @Test func `members are told of their own, the desk of the floor of its units, and nobody of somebody else's payments`() async throws {
        var log = History()
        let interval = try Samples.interval(24, 26)
        let (member, space): (UsuarioID, EspacoID) = (Samples.id(1), Samples.id(1))
        try log.book(11, by: 1, space: 1, unit: 1, from: 24, to: 26)
        let cause = CausaDaCobranca.reserva(Samples.id(11))
        let charge = CobrancaCriada(
            pagamento: cause.pagamento, causa: cause, usuario: member, unidade: Samples.id(1), valor: Dinheiro(centavos: 8_050),
            expiraEm: Samples.time(1), em: Samples.time(0)
        )
        try log.record(.pagamento(cause.pagamento), .pagamentos(.cobrancaCriada(charge)))
        let arrival = CheckinRealizado(
            reserva: Samples.id(11), usuario: member, espaco: space, unidade: Samples.id(1), intervalo: interval, por: member,
            meio: .membro, encerraEm: interval.fim, em: interval.inicio
        )
        try log.record(.presenca(Samples.id(11)), .checkin(.checkinRealizado(arrival)))
        let day = interval.inicio.diaUTC
        let joined = EsperaInscrita(
            inscricao: Samples.id(21), usuario: Samples.id(2), espaco: space, unidade: Samples.id(1), dia: day, fuso: "America/Sao_Paulo",
            intervalo: interval, lugares: 1, em: Samples.time(0)
        )
        try log.record(.espera(space, day), .reservas(.esperaInscrita(joined)))
        let complete = log
        try await TestDatabase.with { database in
            try await complete.project(into: database)
            let live = LiveEvents(queries: NotificacoesQueries(pool: database.gateway), logger: TestDatabase.logger)
            for (identity, types) in [
                (TestGateway.member, ["reservation.requested", "payment.created", "reservation.checked_in"]),
                (TestGateway.otherMember, ["waitlist.joined"]),
                (TestGateway.receptionist, ["reservation.requested", "reservation.checked_in", "waitlist.joined"]),
                (
                    TestGateway.identity(6, .recepcao, units: [Samples.id(1)]),
                    ["reservation.requested", "reservation.checked_in", "waitlist.joined"]
                ),
                (TestGateway.identity(6, .gestor, units: [Samples.id(2)]), []),
            ] as [(Identity, [String])] {
                let events = try await live.past(after: 0, for: identity).events
                #expect(events.map(\.type) == types)
            }
            // A charge says which booking it is for, a place in a line where it is
            let own = try await live.past(after: 0, for: TestGateway.member).events
            #expect(own[1].data.contains("\"reservation_id\":\"\((Samples.id(11) as ReservaID).texto)\""))
            let waiting = try await live.past(after: 0, for: TestGateway.otherMember).events
            #expect(waiting[0].data.contains("\"space_id\":\"\(space.texto)\""))
            #expect(!waiting[0].data.contains("reservation_id"))
        }
    }

    @Test func `who watches while the read model is built anew is told of all that happens, once`() async throws {
        var log = History()
        try log.book(11, by: 1, space: 1, unit: 1, from: 24, to: 26)
        let beginning = log
        try log.book(12, by: 1, space: 1, unit: 1, from: 48, to: 50)
        let further = log
        try log.book(13, by: 1, space: 1, unit: 1, from: 72, to: 74)
        let complete = log
        try await TestDatabase.with { database in
            // Given somebody who watches
            try await beginning.write(to: database.pool)
            try await beginning.project(into: database)
            let live = LiveEvents(queries: NotificacoesQueries(pool: database.gateway), logger: TestDatabase.logger)
            let items = try await live.watch(TestGateway.member).items
            let told = Told()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await live.run() }
                group.addTask {
                    for await item in items {
                        if case .event(let event) = item { told.add(event.position) }
                    }
                }
                // When other tables with the same rows take the place of those that are read
                #expect(try await replay(database) == .switched(at: beginning.head, compared: beginning.head, differences: []))
                // Then what happens after that is told
                try await further.write(to: database.pool)
                try await further.project(into: database)
                try await eventually("the second booking is told of") { told.positions.count == 1 }
                // When the tables are of an earlier form, in which they cannot be read, until they are built anew
                try await database.pool.withConnection { connection in
                    try connection.execute("update read.checkpoints set definition = 'earlier' where name = 'notificacoes'")
                    try connection.execute("drop table read.notificacoes_subjects")
                }
                try await complete.write(to: database.pool)
                await #expect(throws: PostgresError.self) { try await live.past(after: 0, for: TestGateway.member) }
                #expect(try await replay(database) == .switched(at: complete.head, compared: nil, differences: []))
                // Then what happened meanwhile is told
                try await eventually("the third booking is told of") { told.positions.count >= 2 }
                group.cancelAll()
            }
            #expect(told.positions == [beginning.head.rawValue + 1, further.head.rawValue + 1])
        }
    }

    /// What somebody was told of.
    private final class Told: Sendable {
        private let state = Mutex<[Int64]>([])

        var positions: [Int64] { state.withLock { $0 } }

        func add(_ position: Int64) { state.withLock { $0.append(position) } }
    }

    private func replay(_ database: TestDatabase) async throws -> ReadModelReplay.Outcome {
        try await ReadModelReplay(
            NotificacoesModel(), configuration: database.projections, opener: PlainOpener(), logger: TestDatabase.logger
        ).run()
    }

    @Test func `where there is nothing to read yet, who would watch is told to come back, and takes no place`() async throws {
        try await TestDatabase.with { database in
            try await TestGateway.with(pool: database.gateway) { gateway in
                for _ in 0...LiveEvents.mostOfOnePerson {
                    let answer = try await gateway.send(.get, "/events", as: TestGateway.member)
                    #expect(answer.status == .serviceUnavailable)
                    #expect(answer.headers[.retryAfter] == "1")
                }
            }
        }
    }

    @Test func `where the database is lost while somebody is told what they missed, their stream ends after the last that was found`()
        async throws
    {
        var log = History()
        try log.signUp(1, name: "Ana")
        let complete = log
        try await TestDatabase.with { database in
            // Given more than is read at once, of which what comes after the first page cannot be read
            try await complete.project(into: database)
            try await database.pool.withConnection { connection in
                try connection.executeScript(
                    """
                    insert into read.notificacoes_activity (position, at, type, subject, user_id)
                    select n, now(), 'notification.created', gen_random_uuid(), '\(TestGateway.member.user.texto)'::uuid
                      from generate_series(1, 501) n;
                    alter table read.notificacoes_activity rename to activity_rows;
                    create function read.readable(place bigint, kind text) returns text language plpgsql stable as $$
                    begin
                        if place > 500 then raise undefined_table; end if;
                        return kind;
                    end $$;
                    create view read.notificacoes_activity as
                    select position, at, read.readable(position, type) as type, subject, booking_id, user_id from read.activity_rows;
                    grant select on read.notificacoes_activity to coworkflow_gateway
                    """
                )
            }
            try await TestGateway.with(pool: database.gateway) { gateway in
                // When
                let answer = try await gateway.send(.get, "/events", as: TestGateway.member, headers: [.lastEventID: "0"])
                // Then
                #expect(answer.status == .ok)
                let blocks = String(buffer: answer.body).split(separator: "\n\n")
                #expect(blocks.first?.hasPrefix("retry: 2000\nid: 0\n") == true)
                #expect(blocks.count == 501)
                #expect(blocks.last?.hasPrefix("id: 500\n") == true)
            }
        }
    }
}

import Domain
import Postgres
import TestSupport
import Testing

@testable import coworkflow

extension WholeSystem {
    /// What is found of somebody's bookings when they are erased, wherever its timers are.
    @Suite(.serialized, .system(startsAt: "2026-03-02T12:00:00Z"))
    struct ErasureGuard {
        /// A booking of tomorrow that costs nothing, so that it stands at once.
        private func booked(_ system: TestSystem) async throws -> (member: Member, id: String, end: String) {
            let cabin = try await system.space(in: try await system.unit(), .init(type: "cabine", seats: 3))
            let member = try await system.member()
            let end = system.time(day: 1, minute: 660)
            let id = try await member.client.post("/reservations", booking(cabin, system.time(day: 1, minute: 600), end)).expect(201)
                .text("id")
            try await system.settled()
            return (member, id, end)
        }

        /// A booking that was moved to another day, once the end that it had first has passed.
        private func moved(_ system: TestSystem) async throws -> (member: Member, id: String) {
            let (member, id, end) = try await booked(system)
            let later: JSONValue = [
                "start_time": .string(system.time(day: 3, minute: 600)), "end_time": .string(system.time(day: 3, minute: 660)),
            ]
            try await member.client.put("/reservations/\(id)", later).expect(200)
            try await system.settled()
            #expect(try await ends(of: id, in: system) == 2)
            try await system.proceed(to: end, plus: 1)
            try await system.settled()
            #expect(try await ends(of: id, in: system) == 1, "the first end has been answered")
            return (try await member.person.logIn(system.visitor, id: member.id), id)
        }

        /// How many ends of a booking are scheduled.
        private func ends(of id: String, in system: TestSystem) async throws -> Int64 {
            try await system.pool.withConnection { connection in
                try connection.query(
                    "select count(*) from subs.timers where aggregate = $1 and kind = $2", id, PrazoDaReserva.concluir.rawValue
                )[0].get(0, Int64.self)
            }
        }

        /// As if the policy had not been able to apply the event of a booking: it has scheduled nothing for it.
        private func park(_ id: String, in system: TestSystem) async throws {
            try await system.pool.withConnection { connection in
                try connection.execute(
                    """
                    insert into subs.dead_letters (subscription, position, event_id, stream, type, error)
                    select $1, position, event_id, stream, type, 'damaged' from log.events where stream = $2 and type = $3
                    """,
                    PrazoDaReserva.politica,
                    "reserva-\(id)",
                    ReservaSolicitada.tipo
                )
                try connection.execute("delete from subs.timers where aggregate = $1", id)
            }
        }

        private func erase(_ member: Member, in system: TestSystem) async throws {
            _ = try await system.compositions[0].eraseAgain([try #require(UsuarioID(member.id))])
        }

        private func isCancelled(_ id: String, _ desk: Client) async throws -> Bool {
            try await desk.get("/reservations/\(id)").expect(200)["status"] == "cancelled"
        }

        @Test("Whoever has a booking that was moved is not erased while it stands, though its first end has passed")
        func refused() async throws {
            let system = try TestSystem.current()
            let (member, id) = try await moved(system)
            let password: JSONValue = ["password": .string(member.person.password)]
            try await member.client.delete("/users/me", password).expectProblem(409, "active_bookings")
            try await member.client.delete("/reservations/\(id)").expect(200)
            try await member.client.delete("/users/me", password).expect(200)
        }

        @Test("A booking that was moved is cancelled for somebody erased by command, though its first end has passed")
        func cancelled() async throws {
            let system = try TestSystem.current()
            let (member, id) = try await moved(system)
            try await erase(member, in: system)
            let desk = try await system.receptionist().client
            try await eventually("it is cancelled") { try await isCancelled(id, desk) }
        }

        @Test("A booking of whose event the policy could make nothing is cancelled with what it could, and nobody else's")
        func parked() async throws {
            let system = try TestSystem.current()
            let (other, mine) = (try await booked(system), try await booked(system))
            let cabin = try await system.space(in: try await system.unit(), .init(type: "cabine"))
            let slot = booking(cabin, system.time(day: 2, minute: 600), system.time(day: 2, minute: 660))
            let second = try await mine.member.client.post("/reservations", slot).expect(201).text("id")
            try await system.settled()
            for id in [other.id, mine.id] { try await park(id, in: system) }
            try await erase(mine.member, in: system)
            let desk = try await system.receptionist().client
            for id in [mine.id, second] { try await eventually("\(id) is cancelled") { try await isCancelled(id, desk) } }
            try await system.settled()
            #expect(try await !isCancelled(other.id, desk))
        }

        @Test("While the policy has set aside more than can be looked at, the bookings wait; then they are cancelled")
        func tooFarBehind() async throws {
            let system = try TestSystem.current()
            let (member, id, _) = try await booked(system)
            try await park(id, in: system)
            try await system.pool.withConnection { connection in
                try connection.execute(
                    """
                    insert into subs.dead_letters (subscription, position, event_id, stream, type, error)
                    select $1, 1000000 + n, gen_random_uuid(), 'reserva-' || n, $2, 'damaged' from generate_series(1, 1000) n
                    """,
                    PrazoDaReserva.politica,
                    ReservaSolicitada.tipo
                )
            }
            try await erase(member, in: system)
            try await eventually("it is postponed") {
                try await system.pool.withConnection { connection in
                    try !connection.query(
                        "select 1 from subs.timers where aggregate = $1 and failures = 0 and last_error like '%too far behind the log'",
                        member.id
                    ).isEmpty
                }
            }
            let desk = try await system.receptionist().client
            #expect(try await !isCancelled(id, desk))
            try await system.pool.withConnection { connection in
                try connection.execute("delete from subs.dead_letters where position > 1000000")
            }
            try await eventually("it is cancelled", within: .seconds(60)) { try await isCancelled(id, desk) }
        }
    }
}

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Postgres
import Synchronization
import TestSupport
import Testing

extension WholeSystem {
    /// What somebody sees who watches.
    @Suite(.serialized, .system())
    struct Live {
        /// The most streams of one person.
        private static let most = 6

        private struct Refused: Error {
            let status: Int
        }

        /// What has come over a stream so far.
        private final class Watch: Sendable {
            private let text = Mutex("")

            func add(_ part: String) { text.withLock { $0 += part } }

            /// Type and id of each event.
            var events: [(type: String, id: String)] {
                text.withLock { $0 }.components(separatedBy: "\n\n").dropLast().map { block in
                    let lines = block.split(separator: "\n")
                    func value(_ name: String) -> String {
                        lines.first { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) } ?? ""
                    }
                    return (value("event"), value("id"))
                }
            }

            var types: [String] { events.map(\.type).filter { !$0.isEmpty } }
        }

        /// What somebody has seen over several connections.
        private final class Seen: Sendable {
            private let state = Mutex((start: "", ids: [String]()))

            var ids: [String] { state.withLock { $0.ids } }
            var last: String { state.withLock { $0.ids.last ?? $0.start } }

            func begin(_ id: String) { state.withLock { $0.start = id } }
            func add(_ ids: [String]) { state.withLock { $0.ids += ids } }
        }

        /// Watches as somebody while the body runs.
        private func watching(
            _ member: Member,
            after last: String? = nil,
            _ body: @escaping @Sendable (Watch) async throws -> Void
        ) async throws {
            let watch = Watch()
            var request = HTTPClientRequest(url: member.client.address + "/events")
            request.headers.add(name: "Authorization", value: "Bearer \(member.client.token ?? "")")
            if let last { request.headers.add(name: "Last-Event-ID", value: last) }
            let response = try await member.client.http.execute(request, timeout: .seconds(60))
            guard response.status == .ok else { throw Refused(status: Int(response.status.code)) }
            #expect(response.headers.first(name: "content-type") == "text/event-stream; charset=utf-8")
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for try await part in response.body { watch.add(String(buffer: part)) }
                }
                group.addTask {
                    try await eventually("the stream begins") { !watch.events.isEmpty }
                    try await body(watch)
                }
                // Whichever ends first: the body, or the stream with an error.
                try await group.next()
                group.cancelAll()
            }
        }

        private func book(_ system: TestSystem, _ member: Member, day: Int) async throws -> String {
            let cabin = try await system.space(in: try await system.unit(), .init(type: "cabine"))
            return try await member.client.post(
                "/reservations", booking(cabin, system.time(day: day, minute: 600), system.time(day: day, minute: 660))
            ).expect(201).text("id")
        }

        @Test("Members see their own bookings and notices as they come, the desk everybody's bookings, and a broken stream goes on")
        func live() async throws {
            let system = try TestSystem.current()
            let (member, other, desk) = (try await system.member(), try await system.member(), try await system.receptionist())
            let mine = ["reservation.requested", "reservation.confirmed", "notification.created"]
            let seen = Mutex("")
            try await watching(member) { watch in
                #expect(watch.types == ["ready"])
                try await watching(desk) { floor in
                    _ = try await book(system, other, day: 2)
                    _ = try await book(system, member, day: 3)
                    try await eventually("the member sees their own") { watch.types.count >= 4 }
                    #expect(watch.types == ["ready"] + mine)
                    try await eventually("the desk sees both bookings") { floor.types.count >= 5 }
                    #expect(floor.types.dropFirst().allSatisfy { $0.hasPrefix("reservation.") })
                }
                seen.withLock { $0 = watch.events[1].id }
            }
            // What came before the connection broke does not come again, what came meanwhile does
            try await watching(member, after: seen.withLock { $0 }) { watch in
                try await eventually("what was missed") { watch.types.count >= 3 }
                #expect(watch.types == ["ready"] + mine.dropFirst())
                _ = try await book(system, member, day: 4)
                try await eventually("what is new") { watch.types.count >= 6 }
                let ids = watch.events.dropFirst().compactMap { Int($0.id) }
                #expect(ids == ids.sorted() && Set(ids).count == ids.count)
            }
        }

        @Test("Members see what they owe, pay and are given back; the desk sees who waits, and nobody else's payments")
        func payments() async throws {
            let system = try TestSystem.current()
            let hold = try await system.hold()
            let (desk, waiting) = (try await system.receptionist(), try await system.member())
            let slot = booking(hold.room, system.time(day: 2, minute: 600), system.time(day: 2, minute: 660))
            try await watching(hold.member, after: "0") { watch in
                try await watching(desk) { floor in
                    let charge = try await hold.charge().expect(200)
                    try await waiting.client.post("/reservations/waitlist", slot).expect(201)
                    try await system.sandbox.post("/control/charges/\(try charge.text("transaction_id"))/approve").expect(200)
                    try await hold.becomes("active")
                    try await hold.member.client.delete("/reservations/\(hold.id)").expect(200)
                    try await eventually("the money is back") { watch.types.contains("payment.refunded") }
                    try await eventually("who waited is offered it") { floor.types.contains("waitlist.offered") }
                    #expect(floor.types.contains("waitlist.joined"))
                    #expect(floor.types.dropFirst().allSatisfy { $0.hasPrefix("reservation.") || $0.hasPrefix("waitlist.") })
                }
                let own = ["payment.created", "payment.paid", "payment.refunded"]
                #expect(watch.types.filter { $0.hasPrefix("payment.") } == own)
                #expect(!watch.types.contains { $0.hasPrefix("waitlist.") })
            }
        }

        @Test("Nobody watches in more than six places at once; who closes one may open another, and everybody else may watch")
        func limit() async throws {
            let system = try TestSystem.current()
            let (member, other) = (try await system.member(), try await system.member())
            try await nested(Self.most, member) {
                try await member.client.get("/events").expectProblem(429, "too_many_streams")
                try await member.client.send(.HEAD, "/events").expect(200)
                try await watching(other) { watch in #expect(watch.types == ["ready"]) }
            }
            // All are closed
            try await eventually("another may be opened", within: .seconds(5)) {
                var opened = false
                do {
                    try await watching(member) { _ in }
                    opened = true
                } catch is Refused {}
                return opened
            }
        }

        /// So many streams of somebody's, one in another, and then the body.
        private func nested(_ count: Int, _ member: Member, _ body: @escaping @Sendable () async throws -> Void) async throws {
            guard count > 0 else { return try await body() }
            try await watching(member) { watch in
                #expect(watch.types == ["ready"])
                try await nested(count - 1, member, body)
            }
        }

        @Test("Whoever loses the connection again and again and comes back with the last event's id misses nothing and sees nothing twice")
        func comingBack() async throws {
            let system = try TestSystem.current()
            let member = try await system.member()
            let cabin = try await system.space(in: try await system.unit(), .init(type: "cabine"))
            // What each booking gives: asked for, confirmed and cancelled, and two notices
            let (rounds, expected) = (12, 60)
            let seen = Seen()
            try await watching(member) { watch in seen.begin(watch.events[0].id) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for number in 0..<rounds {
                        let id = try await member.client.post(
                            "/reservations",
                            booking(cabin, system.time(day: 2, minute: number * 60), system.time(day: 2, minute: number * 60 + 60))
                        ).expect(201).text("id")
                        try await member.client.delete("/reservations/\(id)").expect(200)
                    }
                }
                group.addTask {
                    while seen.ids.count < expected {
                        let last = seen.last
                        try await watching(member, after: last) { watch in
                            #expect(watch.events.first?.id == last)
                            let wanted = min(3, expected - seen.ids.count)
                            try await eventually("a few events") { watch.events.dropFirst().count >= wanted }
                            seen.add(watch.events.dropFirst().prefix(wanted).map(\.id))
                        }
                    }
                }
                try await group.waitForAll()
            }
            let ids = seen.ids.compactMap { Int64($0) }
            #expect(ids == ids.sorted() && Set(ids).count == ids.count)
            // As the read model has them
            let all = try await system.pool.withConnection { connection in
                try connection.query(
                    """
                    select a.position from read.notificacoes_activity a left join read.notificacoes_calendar c on c.id = a.booking_id
                      left join read.notificacoes_subjects s on s.id = a.subject
                     where coalesce(a.user_id, c.user_id, s.user_id) = $1::text::uuid order by a.position
                    """,
                    member.id
                ).map { try $0.get(0, Int64.self) }
            }
            #expect(ids == all)
        }

        @Test("Nobody watches who is not signed in, nor from a place that is none")
        func bounds() async throws {
            let system = try TestSystem.current()
            try await system.visitor.get("/events").expectProblem(401, "unauthenticated")
            let member = try await system.member()
            try await member.client.get("/events", ["Last-Event-ID": "x"]).expectProblem(400, "invalid_field")
        }
    }
}

import Domain
import FoundationEssentials
import HTTP
import NIOHTTP1

/// What people want, and what they get.
extension SimulationDriver {
    /// Somebody wants a space at a time.
    private struct Wish: Sendable {
        let place: Int
        let space: String
        /// Nil for a visitor at the desk.
        let member: Int?
        var start: Instante
        let end: Instante
        let seats: Int
        let coupon: String?
        let isSeries: Bool
        /// Whether another time would do, and whether they would wait.
        let isFlexible: Bool
        let isPatient: Bool
        let token: String
    }

    private struct BookingReply: Decodable {
        let id: String
        let status: String
        let startTime: String
        let endTime: String
    }

    private struct SeriesReply: Decodable {
        struct Occurrence: Decodable {
            let reservationId: String?
        }

        let occurrences: [Occurrence]
    }

    private struct Taken: Decodable {
        struct Alternative: Decodable {
            let startTime: String
            let endTime: String
        }

        let alternatives: [Alternative]?
    }

    private struct Outcome: Sendable {
        let wish: Wish
        let reply: Reply
        /// What was refused on the way.
        let refused: [String]
        let waits: Bool
    }

    /// By local hour, in parts of a thousand of a day.
    private static let hours = [
        6: 10, 7: 30, 8: 95, 9: 140, 10: 120, 11: 90, 12: 55, 13: 75, 14: 110, 15: 95, 16: 70, 17: 50, 18: 30, 19: 15, 20: 10, 21: 5,
    ]
    /// In parts of a thousand of an average day.
    private static let weekdays: [DiaDaSemana: Int] = [
        .segunda: 1_250, .terca: 1_300, .quarta: 1_350, .quinta: 1_250, .sexta: 1_050, .sabado: 550, .domingo: 250,
    ]

    /// - Returns: what has to be paid.
    func book(_ local: DataHoraLocal) async throws -> [String] {
        let share = Double((Self.hours[local.hora.minutos / 60] ?? 0) * (Self.weekdays[local.data.diaDaSemana] ?? 0)) / 2_000_000
        credit += Double(plan.bookingsPerDay) * share * (0.7 + Double(dice.among(0...600)) / 1_000)
        let count = Int(credit)
        credit -= Double(count)
        guard count > 0 else { return [] }
        var busy: Set<Int> = []
        var wants: [Wanted] = []
        for _ in 0..<count { if let want = want(&busy) { wants.append(want) } }
        try await signIn(wants.compactMap { $0.member })
        let wishes = wants.map(wish)
        // Whoever shares a coupon takes turns; the others of different spaces do not.
        var outcomes: [Outcome] = []
        let client = client
        for wish in wishes where wish.coupon != nil { outcomes.append(try await Self.fulfil(wish, client)) }
        outcomes += try await bySpace(wishes.filter { $0.coupon == nil }.map { ($0.place, $0) }) { try await Self.fulfil($0, client) }
        return try outcomes.flatMap(take)
    }

    // MARK: Wanting

    private typealias Wanted = (place: Int, member: Int?, start: Instante, end: Instante)

    private func want(_ busy: inout Set<Int>) -> Wanted? {
        let isVisitor = dice.happens(60)
        // Some come often, most now and then.
        let regular = Double(dice.among(0...999)) / 1_000
        let member = Int(Double(members.count) * regular * regular.squareRoot())
        let unit = units[dice.happens(920) ? homes[member] : 1 - homes[member]]
        let choices = places.indices.filter { places[$0].unit == unit }.map { ($0, places[$0].weight) }
        let place = dice.pick(choices)
        let length = dice.pick(places[place].durations)
        guard let (start, end) = time(at: places[place], length, atOnce: isVisitor && dice.happens(750)) else { return nil }
        if isVisitor { return places[place].needsApproval ? nil : (place, nil, start, end) }
        guard !erased.contains(member), busy.insert(member).inserted else { return nil }
        return (place, member, start, end)
    }

    private func time(at place: SimulatedPlace, _ length: Int, atOnce: Bool) -> (Instante, Instante)? {
        let now = clock.time
        let today = place.local(now)
        var ahead = atOnce ? 0 : dice.pick([(0, 36), (dice.among(1...3), 36), (dice.among(4...10), 19), (dice.among(11...30), 9)])
        if place.type == .auditorio { ahead = max(ahead, 2) }
        let next = today.hora.minutos / 30 * 30 + 30
        for _ in 0..<7 {
            let day = today.data.somandoDias(ahead)
            ahead += 1
            guard let hours = place.hours(on: day) else { continue }
            let from = day == today.data ? max(hours.from, next) : hours.from
            guard from + length <= hours.to else { continue }
            var minute = dice.pick([(540, 22), (600, 16), (660, 8), (780, 8), (840, 18), (900, 14), (960, 8), (hours.from, 6)])
            minute += dice.among(-1...1) * 30
            if day == today.data, atOnce || minute < from { minute = from + 30 * dice.among(0...(atOnce ? 0 : 4)) }
            minute = min(max(minute, from), hours.to - length)
            let start = place.instant(day, minute: minute)
            return (start, start + .minutos(length))
        }
        return nil
    }

    private func wish(_ wanted: Wanted) -> Wish {
        let place = places[wanted.place]
        let length = (wanted.end - wanted.start).microssegundos / 60_000_000
        let isSeries = wanted.member != nil && !place.needsApproval && length <= 120 && dice.happens(12)
        let coupon =
            wanted.member == nil || isSeries || !dice.happens(70) ? nil : dice.pick([("BEMVINDO10", 5), ("CAFE15", 3), ("FOCO20", 2)])
        return Wish(
            place: wanted.place,
            space: place.id,
            member: wanted.member,
            start: wanted.start,
            end: wanted.end,
            seats: place.seats > 1 ? dice.pick([(1, 88), (2, 9), (4, 3)]) : 1,
            coupon: coupon,
            isSeries: isSeries,
            isFlexible: dice.happens(700),
            isPatient: place.seats == 1 && dice.happens(300),
            token: wanted.member.map { members[$0].token } ?? desk.token
        )
    }

    // MARK: Asking

    private static func slot(_ wish: Wish, _ start: String, _ end: String) -> [String: Body] {
        ["space_id": .text(wish.space), "start_time": .text(start), "end_time": .text(end), "seats": .number(Int64(wish.seats))]
    }

    private static func fulfil(_ wish: Wish, _ client: SimulationClient) async throws -> Outcome {
        let (start, end) = (wish.start.texto, wish.end.texto)
        if wish.isSeries {
            var body = slot(wish, start, end)
            body["rrule"] = "FREQ=WEEKLY;COUNT=4"
            body["on_conflict"] = "skip"
            let reply = try await client.send(.POST, "/reservations/series", .object(body), as: wish.token)
            return Outcome(wish: wish, reply: reply, refused: [], waits: false)
        }
        var refused: [String] = []
        var reply = try await ask(wish, start, end, coupon: wish.coupon, client)
        if reply.status == 422 || reply.status == 404, wish.coupon != nil {
            refused.append(reply.code)
            reply = try await ask(wish, start, end, coupon: nil, client)
        }
        if reply.status == 409, wish.isFlexible, let other = (try? JSON.decode(Taken.self, from: reply.bytes))?.alternatives?.first {
            refused.append(reply.code)
            reply = try await ask(wish, other.startTime, other.endTime, coupon: nil, client)
        }
        guard reply.status == 409, wish.isPatient, wish.member != nil else {
            return Outcome(wish: wish, reply: reply, refused: refused, waits: false)
        }
        let line = try await client.send(.POST, "/reservations/waitlist", .object(slot(wish, start, end)), as: wish.token)
        if !line.isDone { refused.append(line.code) }
        return Outcome(wish: wish, reply: reply, refused: refused, waits: line.isDone)
    }

    private static func ask(
        _ wish: Wish,
        _ start: String,
        _ end: String,
        coupon: String?,
        _ client: SimulationClient
    ) async throws -> Reply {
        var body = slot(wish, start, end)
        if let coupon { body["coupon"] = .text(coupon) }
        if wish.member == nil {
            body["payment"] = "desk"
            body["visitor"] = ["name": "Visita do balcão"]
        }
        return try await client.send(.POST, "/reservations", .object(body), as: wish.token)
    }

    private struct Offer: Decodable {
        let spaceId: String
        let userId: String
        let startTime: String
        let endTime: String
        let reservationId: String?
    }

    /// Who waited and is offered what they waited for; most take it.
    func offered() async throws -> [String] {
        guard waiting > 0 else { return [] }
        let offers = try await client.list("/reservations/waitlist?status=offered&limit=200", Offer.self, as: desk.token)
        let known = offers.compactMap { offer -> SimulatedBooking? in
            guard let id = offer.reservationId, !answered.contains(id), let place = place(named: offer.spaceId),
                let member = members.firstIndex(where: { $0.id == offer.userId }), !erased.contains(member),
                let start = Instante(offer.startTime), let end = Instante(offer.endTime)
            else { return nil }
            return SimulatedBooking(id: id, place: place, member: member, start: start, end: end, standing: .unpaid)
        }
        var unpaid: [String] = []
        for booking in known.sorted(by: { ($0.start, $0.place, $0.member ?? 0) < ($1.start, $1.place, $1.member ?? 0) }) {
            answered.insert(booking.id)
            guard dice.happens(750), let id = add(booking) else { continue }
            unpaid.append(id)
        }
        return unpaid
    }

    // MARK: Having asked

    private func take(_ outcome: Outcome) throws -> [String] {
        asked += 1
        for code in outcome.refused { refusals[code, default: 0] += 1 }
        if outcome.waits { waiting += 1 }
        note(outcome.reply)
        guard outcome.reply.isDone else { return [] }
        let wish = outcome.wish
        if wish.isSeries {
            let series = try outcome.reply.decode(SeriesReply.self)
            let length = wish.end - wish.start
            return series.occurrences.enumerated().compactMap { week, occurrence in
                guard let id = occurrence.reservationId else { return nil }
                let start = wish.start + .horas(24 * 7 * week)
                return add(
                    SimulatedBooking(id: id, place: wish.place, member: wish.member, start: start, end: start + length, standing: .unpaid))
            }
        }
        let view = try outcome.reply.decode(BookingReply.self)
        guard let start = Instante(view.startTime), let end = Instante(view.endTime) else { return [] }
        let standing: SimulatedBooking.Standing =
            view.status == "active" ? .confirmed : places[wish.place].needsApproval ? .awaitingApproval : .unpaid
        let unpaid = add(
            SimulatedBooking(id: view.id, place: wish.place, member: wish.member, start: start, end: end, standing: standing)
        )
        return unpaid.map { [$0] } ?? []
    }

    /// - Returns: its id where it has to be paid.
    private func add(_ booking: SimulatedBooking) -> String? {
        booked += 1
        bookings[booking.id] = booking
        switch booking.standing {
        case .awaitingApproval:
            plan(.approve, booking.id, at: clock.time + .minutos(dice.among(30...300)))
            return nil
        case .confirmed:
            expect(booking.id)
            return nil
        case .unpaid: return booking.id
        case .gone: return nil
        }
    }
}

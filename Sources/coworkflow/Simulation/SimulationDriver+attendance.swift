import Domain
import FoundationEssentials
import HTTP
import NIOHTTP1

/// What people do about bookings that they have.
extension SimulationDriver {
    private struct Call: Sendable {
        let booking: String
        let method: String
        let path: String
        let body: Body?
        let token: String
    }

    private struct BookingState: Decodable {
        let status: String
        let startTime: String
        let endTime: String
    }

    /// Decides what will become of a booking, once it is confirmed or may still be.
    func expect(_ id: String) {
        guard let booking = bookings[id] else { return }
        let length = (booking.end - booking.start).microssegundos / 60_000_000
        let now = clock.time
        let notice = (booking.start - now).microssegundos / 60_000_000
        if booking.member != nil, notice > 60, dice.happens(90) {
            return plan(.cancel, id, at: now + .minutos(dice.among(30...Int(min(notice, 60 * 24 * 20)) - 15)))
        }
        if booking.member != nil, notice > 180, dice.happens(35) { plan(.move, id, at: now + .minutos(dice.among(30...120))) }
        guard !dice.happens(55) else { return }
        plan(.arrive, id, at: booking.start)
        switch dice.among(0...99) {
        case 0..<68: plan(.leave, id, at: booking.end)
        case 68..<80 where length >= 120: plan(.leave, id, at: booking.end - .minutos(30))
        case 80..<86: plan(.leave, id, at: booking.end + .minutos(30))
        default: break
        }
        if dice.happens(8) { plan(.makeUp, id, at: booking.end + .minutos(60)) }
    }

    /// Who comes and who goes.
    func attend(at time: Instante) async throws {
        let due = (deeds[time.microssegundos] ?? []).filter { deed, id in
            guard let booking = bookings[id], booking.standing == .confirmed else { return false }
            switch deed {
            // It may have been moved since.
            case .arrive: return booking.start == time
            case .leave: return booking.start < time
            case .cancel, .move, .approve, .payLate, .makeUp: return false
            }
        }
        let own = due.compactMap { _, id in bookings[id]?.member }.filter { $0 % 3 == 0 }
        try await signIn(own)
        let calls = due.compactMap { deed, id -> (place: Int, thing: Call)? in
            guard let booking = bookings[id] else { return nil }
            // Two of three let the desk do it.
            let token = booking.member.flatMap { $0 % 3 == 0 ? members[$0].token : nil } ?? desk.token
            let path = if case .arrive = deed { "/checkin/\(id)" } else { "/checkout/\(id)" }
            return (booking.place, Call(booking: id, method: "POST", path: path, body: nil, token: token))
        }
        for (_, reply) in try await give(calls) { note(reply) }
        if !calls.isEmpty { try await rest.come() }
    }

    /// Who changes their mind, and what the desk makes up for.
    func change(at time: Instante) async throws {
        let due = deeds[time.microssegundos] ?? []
        try await payLate(due)
        let wanted = due.filter { deed, id in
            guard let booking = bookings[id], booking.standing == .confirmed else { return false }
            switch deed {
            case .cancel, .move: return booking.start > clock.time
            case .makeUp: return booking.payment != nil
            case .arrive, .leave, .approve, .payLate: return false
            }
        }
        try await signIn(wanted.compactMap { _, id in bookings[id]?.member })
        var calls: [(place: Int, thing: Call)] = []
        // One thing a member at a time.
        var busy: Set<Int> = []
        for (deed, id) in wanted {
            guard let booking = bookings[id], booking.member.map({ busy.insert($0).inserted }) ?? true,
                let call = call(deed, id, booking)
            else { continue }
            calls.append((booking.place, call))
        }
        for (call, reply) in try await give(calls) {
            note(reply)
            guard reply.isDone else { continue }
            if call.method == "DELETE" { bookings[call.booking]?.standing = .gone }
            if call.method == "PUT" { try moved(call.booking, reply) }
        }
        if !calls.isEmpty { try await rest.come() }
    }

    private func call(_ deed: Deed, _ id: String, _ booking: SimulatedBooking) -> Call? {
        let token = booking.member.map { members[$0].token } ?? desk.token
        switch deed {
        case .cancel: return Call(booking: id, method: "DELETE", path: "/reservations/\(id)", body: nil, token: token)
        case .move:
            let place = places[booking.place]
            var day = place.local(booking.start).data.somandoDias(1)
            while day.diaDaSemana == .sabado || day.diaDaSemana == .domingo { day = day.somandoDias(1) }
            let start = place.instant(day, minute: place.local(booking.start).hora.minutos)
            let end = start + (booking.end - booking.start)
            let body: Body = ["start_time": .text(start.texto), "end_time": .text(end.texto)]
            return Call(booking: id, method: "PUT", path: "/reservations/\(id)", body: body, token: token)
        case .makeUp:
            guard let payment = booking.payment else { return nil }
            let body: Body = ["payment_id": .text(payment), "amount_cents": 500, "reason": "O ar-condicionado falhou."]
            return Call(booking: id, method: "POST", path: "/payments/refund", body: body, token: desk.token)
        case .arrive, .leave, .approve, .payLate: return nil
        }
    }

    private func moved(_ id: String, _ reply: Reply) throws {
        let view = try reply.decode(BookingState.self)
        guard let start = Instante(view.startTime), let end = Instante(view.endTime) else { return }
        bookings[id]?.start = start
        bookings[id]?.end = end
        guard view.status == "active" else {
            bookings[id]?.standing = .unpaid
            owing.append(id)
            return
        }
        plan(.arrive, id, at: start)
        plan(.leave, id, at: end)
    }

    private func payLate(_ due: [(Deed, String)]) async throws {
        for case (.payLate(let transaction), let id) in due {
            note(try await client.control(.POST, "/control/charges/\(transaction)/approve"))
            // One after the other: each may take a slot again, or find it taken.
            try await rest.come()
            let state = try await client.send(.GET, "/reservations/\(id)", as: desk.token).decode(BookingState.self)
            guard state.status == "active" else { continue }
            bookings[id]?.standing = .confirmed
            expect(id)
        }
    }

    private func give(_ calls: [(place: Int, thing: Call)]) async throws -> [(Call, Reply)] {
        let client = client
        return try await bySpace(calls) { call in
            (call, try await client.send(.init(rawValue: call.method), call.path, call.body, as: call.token))
        }
    }

    /// Bookings that somebody has to say yes to; most are, and then have to be paid.
    func approved(at time: Instante) async throws -> [String] {
        var unpaid: [String] = []
        for case (.approve, let id) in deeds[time.microssegundos] ?? [] {
            guard bookings[id]?.standing == .awaitingApproval else { continue }
            let says = dice.happens(850)
            let path = "/reservations/\(id)/\(says ? "approve" : "reject")"
            let reply = try await client.send(.POST, path, says ? nil : ["reason": "Evento da casa no mesmo dia."], as: manager.token)
            note(reply)
            guard reply.isDone, says else {
                bookings[id]?.standing = .gone
                continue
            }
            bookings[id]?.standing = try reply.decode(BookingState.self).status == "active" ? .confirmed : .unpaid
            if bookings[id]?.standing == .unpaid { unpaid.append(id) } else { expect(id) }
        }
        return unpaid
    }
}

import Domain
import FoundationEssentials
import HTTP
import NIOHTTP1

/// What people do about bookings that they have.
extension SimulationDriver {
    private struct Call: Sendable {
        let deed: Deed
        let booking: String
        let method: HTTPMethod
        let path: String
        var body: Body?
        let token: String
        /// Of who shows the code that is scanned; nil where none is.
        var shownBy: String?
    }

    private struct Code: Decodable {
        let code: String
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
        if booking.member == nil, notice > 60 { plan(.payAtDesk, id, at: now) }
        if notice > 60, dice.happens(90) {
            let time = now + .minutos(dice.among(30...Int(min(notice, 60 * 24 * 20)) - 15))
            // Who is late and asks nicely.
            let isPardoned = booking.member != nil && booking.start - time < .horas(24) && dice.happens(150)
            return plan(isPardoned ? .pardon : .cancel, id, at: time)
        }
        if booking.member != nil, notice > 180, dice.happens(35) { plan(.move, id, at: now + .minutos(dice.among(30...120))) }
        if booking.member != nil, notice > 60, Self.hosts.contains(places[booking.place].type), dice.happens(250) {
            plan(.invite, id, at: now + .minutos(30))
        }
        guard !dice.happens(55) else { return }
        plan(.arrive, id, at: booking.start)
        // Some go without paying.
        if booking.member == nil, notice <= 60, !dice.happens(40) {
            plan(.payAtDesk, id, at: booking.start + .minutos(30 * dice.among(0...2)))
        }
        switch dice.among(0...99) {
        case 0..<68: plan(.leave, id, at: booking.end)
        case 68..<80 where length >= 120: plan(.leave, id, at: booking.end - .minutos(30))
        case 80..<86: plan(.leave, id, at: booking.end + .minutos(30))
        default: break
        }
        if dice.happens(8) { plan(.makeUp, id, at: booking.end + .minutos(60)) }
    }

    /// To which people bring others along.
    private static let hosts: Set<TipoDeEspaco> = [.salaDeReuniao, .salaPrivativa, .auditorio]

    /// Who comes and who goes.
    func attend(at time: Instante) async throws {
        let due = (deeds[time.microssegundos] ?? []).filter { deed, id in
            guard let booking = bookings[id], booking.standing == .confirmed else { return false }
            switch deed {
            // It may have been moved since.
            case .arrive: return booking.start == time
            case .leave: return booking.start < time
            case .cancel, .pardon, .move, .invite, .approve, .payLate, .payAtDesk, .makeUp, .insist, .handOver: return false
            }
        }
        try await signIn(due.compactMap { _, id in bookings[id]?.member }.filter { $0 % 3 != 2 })
        let calls = due.compactMap { deed, id -> (place: Int, thing: Call)? in
            guard let booking = bookings[id] else { return nil }
            return (booking.place, attendance(deed, id, booking))
        }
        for (_, reply) in try await give(calls) { note(reply) }
        if !calls.isEmpty { try await rest.come() }
    }

    /// One of three does it with their own telephone, one shows the desk a code, and one says their name.
    private func attendance(_ deed: Deed, _ id: String, _ booking: SimulatedBooking) -> Call {
        var isArrival = false
        if case .arrive = deed { isArrival = true }
        let own = booking.member.map { members[$0].token }
        switch booking.member.map({ $0 % 3 }) {
        case 1:
            let body: Body = isArrival ? [:] : ["action": "out"]
            return Call(deed: deed, booking: id, method: .POST, path: "/checkin/scan", body: body, token: desk.token, shownBy: own)
        case 0: return Call(deed: deed, booking: id, method: .POST, path: Self.door(id, isArrival), token: own ?? desk.token)
        default: return Call(deed: deed, booking: id, method: .POST, path: Self.door(id, isArrival), token: desk.token)
        }
    }

    private static func door(_ id: String, _ isArrival: Bool) -> String {
        isArrival ? "/checkin/\(id)" : "/checkout/\(id)"
    }

    /// Who changes their mind, and what the desk makes up for.
    func change(at time: Instante) async throws {
        let due = deeds[time.microssegundos] ?? []
        try await payLate(due)
        let wanted = due.filter { deed, id in
            guard let booking = bookings[id], booking.standing == .confirmed else { return false }
            switch deed {
            case .cancel, .pardon, .move, .invite: return booking.start > clock.time
            case .makeUp: return booking.payment != nil
            case .payAtDesk: return true
            case .arrive, .leave, .approve, .payLate, .insist, .handOver: return false
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
        if !calls.isEmpty {
            let mood = try await takeMood(about: calls.map(\.thing.booking))
            for (call, reply) in try await give(calls) {
                note(reply)
                if reply.isDone { try done(call, reply) }
            }
            try await rest.come()
            if mood != .good { try await behave([:]) }
        }
        try await settleRefunds(due)
    }

    private func done(_ call: Call, _ reply: Reply) throws {
        switch call.deed {
        case .cancel, .pardon:
            bookings[call.booking]?.standing = .gone
            if bookings[call.booking]?.isPaidAtDesk == true { plan(.handOver, call.booking, at: clock.time + .minutos(15)) }
        case .move: try moved(call.booking, reply)
        case .payAtDesk:
            bookings[call.booking]?.payment = try reply.decode(Receipt.self).paymentId
            bookings[call.booking]?.isPaidAtDesk = true
        case .arrive, .leave, .invite, .approve, .payLate, .makeUp, .insist, .handOver: break
        }
    }

    private struct Receipt: Decodable {
        let paymentId: String
    }

    private func call(_ deed: Deed, _ id: String, _ booking: SimulatedBooking) -> Call? {
        let token = booking.member.map { members[$0].token } ?? desk.token
        switch deed {
        case .cancel: return Call(deed: deed, booking: id, method: .DELETE, path: "/reservations/\(id)", token: token)
        case .pardon:
            let body: Body = ["refund_percent": 100, "reason": "Doença na família."]
            return Call(deed: deed, booking: id, method: .DELETE, path: "/reservations/\(id)", body: body, token: manager.token)
        case .move: return Call(deed: deed, booking: id, method: .PUT, path: "/reservations/\(id)", body: later(booking), token: token)
        case .invite:
            let guests: Body = ["guests": [["name": "Convidada da reunião", "email": "convidada@exemplo.test"]]]
            return Call(deed: deed, booking: id, method: .PUT, path: "/reservations/\(id)/guests", body: guests, token: token)
        case .payAtDesk:
            let method: Body = booking.place.isMultiple(of: 2) ? "cash" : "card_machine"
            let body: Body = ["reservation_id": .text(id), "method": method]
            return Call(deed: deed, booking: id, method: .POST, path: "/payments/desk", body: body, token: desk.token)
        case .makeUp:
            guard let payment = booking.payment else { return nil }
            let body: Body = ["payment_id": .text(payment), "amount_cents": 500, "reason": "O ar-condicionado falhou."]
            return Call(deed: deed, booking: id, method: .POST, path: "/payments/refund", body: body, token: desk.token)
        case .arrive, .leave, .approve, .payLate, .insist, .handOver: return nil
        }
    }

    /// The same hour of the next weekday.
    private func later(_ booking: SimulatedBooking) -> Body {
        let place = places[booking.place]
        var day = place.local(booking.start).data.somandoDias(1)
        while day.diaDaSemana == .sabado || day.diaDaSemana == .domingo { day = day.somandoDias(1) }
        let start = place.instant(day, minute: place.local(booking.start).hora.minutos)
        return ["start_time": .text(start.texto), "end_time": .text((start + (booking.end - booking.start)).texto)]
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
            guard let shownBy = call.shownBy else {
                return (call, try await client.send(call.method, call.path, call.body, as: call.token))
            }
            let shown = try await client.send(.GET, "/reservations/\(call.booking)/qr", as: shownBy)
            guard shown.isDone, case .object(var body)? = call.body else { return (call, shown) }
            body["code"] = .text(try shown.decode(Code.self).code)
            return (call, try await client.send(call.method, call.path, .object(body), as: call.token))
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

import Domain
import TestSupport
import Testing

/// Random requests for the slots of a few spaces, and an oracle that is too simple to be wrong: it counts seats minute by minute.
struct RandomBookings {
    private struct Place: Sendable {
        let id: String
        let seats: Int
        let before: Int
        let after: Int
    }

    /// Minutes count from the beginning of the days that are booked.
    private struct Wish: Sendable {
        let place: Int
        let start: Int
        let end: Int
        let seats: Int
        let key: String
    }

    private struct Accepted {
        let wish: Wish
        let id: String
    }

    /// From late on one UTC day until three days later: local midnights of both zones are among them.
    private static let minutes = 72 * 60
    private static let firstDay = 10

    private let system: TestSystem
    private let member: Member
    private let places: [Place]
    private let origin: Int64
    private var generator: SeededGenerator
    private var accepted: [Accepted] = []
    private var refused: [Wish] = []

    init(on system: TestSystem, seed: UInt64) async throws {
        self.system = system
        member = try await system.member()
        generator = SeededGenerator(seed: seed)
        origin = (system.clock.now / 86_400_000_000 + Int64(Self.firstDay)) * 86_400_000_000
        let (paulista, manaus) = (try await system.unit(), try await system.unit(zone: "America/Manaus"))
        let sketches: [(String, SpaceSketch)] = [
            (paulista, .init()),
            (paulista, .init(seats: 5)),
            (manaus, .init(bufferBefore: 15, bufferAfter: 30)),
            (manaus, .init(seats: 3, bufferBefore: 60)),
        ]
        var places: [Place] = []
        for (unit, sketch) in sketches {
            let id = try await system.space(in: unit, sketch)
            places.append(Place(id: id, seats: sketch.seats, before: sketch.bufferBefore, after: sketch.bufferAfter))
        }
        self.places = places
    }

    mutating func request(_ count: Int, atATime width: Int) async throws {
        var wishes: [Wish] = []
        for number in 0..<count { wishes.append(wish(number)) }
        let answers = try await concurrently(wishes, atATime: width) { [self] in try await book($0) }
        for (wish, answer) in zip(wishes, answers) {
            switch answer.status {
            case 201: accepted.append(Accepted(wish: wish, id: try answer.text("id")))
            case 409: refused.append(wish)
            default: Issue.record("\(answer)")
            }
        }
        // Otherwise nothing was shown.
        #expect(accepted.count > 50)
        #expect(refused.count > 50)
    }

    private mutating func wish(_ number: Int) -> Wish {
        let place = Int.random(in: places.indices, using: &generator)
        let start = Int.random(in: 0..<Self.minutes / 30, using: &generator) * 30
        let length = Int.random(in: 1...10, using: &generator) * 30
        let seats = Int.random(in: 1...min(3, places[place].seats), using: &generator)
        return Wish(place: place, start: start, end: start + length, seats: seats, key: "wish-\(number)")
    }

    private func book(_ wish: Wish) async throws -> Answer {
        let slot = booking(places[wish.place].id, text(wish.start), text(wish.end), seats: wish.seats)
        return try await member.client.persistently { try await $0.post("/reservations", slot, key: wish.key) }
    }

    private func text(_ minute: Int) -> String {
        TestSystem.text(microseconds: origin + Int64(minute) * 60_000_000)
    }

    /// How many seats of a space are taken in a minute, buffers included.
    private func taken(_ place: Int, _ minute: Int, by bookings: [Accepted]) -> Int {
        let room = places[place]
        return bookings.reduce(0) { sum, booking in
            let wish = booking.wish
            return wish.place == place && wish.start - room.before <= minute && minute < wish.end + room.after ? sum + wish.seats : sum
        }
    }

    /// Whether there is room for a wish; buffers are multiples of a quarter of an hour, so no shorter step is needed.
    private func fits(_ wish: Wish) -> Bool {
        let room = places[wish.place]
        return stride(from: wish.start - room.before, to: wish.end + room.after, by: 15).allSatisfy { minute in
            taken(wish.place, minute, by: accepted) + wish.seats <= room.seats
        }
    }

    /// At no instant are more seats taken than there are.
    func checkSeats() {
        for place in places.indices {
            let most = stride(from: -120, to: Self.minutes + 480, by: 15).map { taken(place, $0, by: accepted) }.max() ?? 0
            #expect(most <= places[place].seats, "space \(place)")
        }
    }

    /// Nothing was given back, so whatever stood in a request's way still does.
    func checkRefusals() {
        for wish in refused {
            #expect(!fits(wish), "\(wish) was refused though there is room")
        }
    }

    /// The member sees exactly the bookings that they were told of.
    func checkReadModel() async throws {
        var seen: Set<String> = []
        var path: String? = "/reservations?limit=200"
        while let page = path {
            let answer = try await member.client.get(page, after: try await system.head()).expect(200)
            seen.formUnion(answer.json.items.compactMap { $0["id"].text })
            path = answer.header("Link").flatMap { $0.split(separator: ">").first.map { String($0.dropFirst()) } }
        }
        #expect(seen == Set(accepted.map(\.id)))
    }

    /// What was refused can be booked once enough has been cancelled, and not before.
    mutating func cancelSomeAndBookWhatWasRefused() async throws {
        for booking in accepted.filter({ _ in Int.random(in: 0..<4, using: &generator) == 0 }) {
            try await member.client.delete("/reservations/\(booking.id)").expect(200)
            accepted.removeAll { $0.id == booking.id }
        }
        var booked = 0
        for wish in refused.shuffled(using: &generator).prefix(150) {
            let again = Wish(place: wish.place, start: wish.start, end: wish.end, seats: wish.seats, key: "again-\(wish.key)")
            let answer = try await book(again)
            if fits(again) {
                #expect(answer.status == 201, "\(again): \(answer)")
            } else {
                #expect(answer.status == 409, "\(again): \(answer)")
            }
            guard answer.status == 201 else { continue }
            accepted.append(Accepted(wish: again, id: try answer.text("id")))
            booked += 1
        }
        #expect(booked > 5)
    }
}

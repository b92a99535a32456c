import Testing

/// A space to book, as a test wants it.
struct SpaceSketch: Sendable {
    var type = "sala_de_reuniao"
    var seats = 1
    var bufferBefore = 0
    var bufferAfter = 0
    var hold = 15
    var minimum = 30
    var horizonDays = 90
    /// 0 where nobody is missed.
    var noShowGrace = 0
}

extension TestSystem {
    /// All week, day and night.
    private static let always: JSONValue = .object(
        Dictionary(
            uniqueKeysWithValues: ["segunda", "terca", "quarta", "quinta", "sexta", "sabado", "domingo"].map {
                ($0, [["opens": "00:00", "closes": "24:00"]])
            }
        )
    )

    /// A unit whose meeting rooms cost so much an hour; cabins cost nothing.
    func unit(zone: String = "America/Sao_Paulo", hourlyCents: Int = 6_000) async throws -> String {
        let client = try await administrator().client
        let unit = try await client.post("/units", ["name": "Unidade", "timezone": .string(zone), "address": "Rua Um, 1"]).expect(201).text(
            "id")
        try await client.put(
            "/units/\(unit)/tariff",
            [
                "valid_from": "2018-01-01",
                "rates": [
                    ["type": "sala_de_reuniao", "hourly_cents": .number(Double(hourlyCents))],
                    ["type": "cabine", "hourly_cents": 0],
                ],
            ]
        ).expect(200)
        return unit
    }

    func space(in unit: String, _ sketch: SpaceSketch = .init()) async throws -> String {
        let seats = JSONValue.number(Double(sketch.seats))
        return try await administrator().client.post(
            "/spaces",
            [
                "unit_id": .string(unit), "name": "Sala", "type": .string(sketch.type), "capacity": seats, "seats": seats,
                "hours": Self.always,
                "rules": [
                    "min_minutes": .number(Double(sketch.minimum)), "max_minutes": 1_440, "step_minutes": 30,
                    "buffer_before_minutes": .number(Double(sketch.bufferBefore)),
                    "buffer_after_minutes": .number(Double(sketch.bufferAfter)),
                    "hold_minutes": .number(Double(sketch.hold)),
                    "no_show_grace_minutes": .number(Double(sketch.noShowGrace)),
                    "horizon_minutes": .number(Double(sketch.horizonDays * 1_440)),
                ],
            ]
        ).expect(201).text("id")
    }

    /// A time in UTC, so many minutes after the midnight that begins the day so many days from now.
    func time(day: Int, minute: Int) -> String {
        Self.text(microseconds: (clock.now / 86_400_000_000 + Int64(day)) * 86_400_000_000 + Int64(minute) * 60_000_000)
    }
}

/// What is asked for when a slot is booked.
func booking(_ space: String, _ start: String, _ end: String, seats: Int = 1) -> JSONValue {
    ["space_id": .string(space), "start_time": .string(start), "end_time": .string(end), "seats": .number(Double(seats))]
}

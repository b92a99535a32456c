import Foundation
import Testing

extension WholeSystem {
    /// `coworkflow whatif` on the command line, against a log with bookings of all fates.
    @Suite(.serialized, .system(startsAt: "2026-03-02T12:00:00Z"))
    struct Whatif {
        /// A file with a tariff.
        private func tariff(_ system: TestSystem, _ text: String) throws -> String {
            let file = system.folder.appending(path: "tarifa-\(UUID().uuidString).json")
            try Data(text.utf8).write(to: file)
            return file.path
        }

        private static let other = """
            {"valid_from": "2020-01-01", "rates": [{"type": "sala_de_reuniao", "hourly_cents": 9001}],
             "multipliers": [{"name": "pico", "days": ["quarta"], "from": "10:00", "to": "11:00", "per_mille": 1500}]}
            """

        @Test("It prints, space by space, what bookings that count brought in and would have")
        func difference() async throws {
            let system = try TestSystem.current()
            let unit = try await system.unit()
            let room = try await system.space(in: unit)
            let member = try await system.member()
            let admin = try await system.administrator().client
            // 2026-03-04 is a Wednesday; UTC minutes, three hours before São Paulo's
            func book(_ day: Int, _ from: Int, _ to: Int, in space: String? = nil, confirmed: Bool = true) async throws -> Answer {
                let slot = booking(space ?? room, system.time(day: day, minute: from), system.time(day: day, minute: to))
                let booked = try await member.client.post("/reservations", slot).expect(201)
                if confirmed { try await admin.post("/reservations/\(try booked.text("id"))/confirm").expect(200) }
                return booked
            }
            // Wednesday, 9:30 to 11:30: an hour and an hour at the peak
            let stood = try await book(2, 750, 870)
            // Thursday, two hours, cancelled with half of it back
            let cancelled = try await book(3, 750, 870)
            let why: JSONValue = ["reason": "acordo", "refund_percent": 50]
            try await admin.delete("/reservations/\(try cancelled.text("id"))", why).expect(200)
            // Held and never confirmed, given up before that, and after the dates
            _ = try await book(4, 750, 870, confirmed: false)
            let given = try await book(3, 900, 960, confirmed: false)
            try await member.client.delete("/reservations/\(try given.text("id"))").expect(200)
            _ = try await book(9, 750, 870)
            // Of another unit
            _ = try await book(2, 750, 810, in: try await system.space(in: try await system.unit()))
            #expect(stood["total_price_cents"] == 12_000)

            let arguments = ["whatif", "--tariff", try tariff(system, Self.other), "--from", "2026-03-04", "--to", "2026-03-06"]
            let one = try await Program.run(arguments + ["--unit", unit, "--format", "json"], system.environment)
            #expect(one.code == 0 && one.errors.isEmpty, "\(one)")
            let report = try JSONDecoder().decode(Report.self, from: Data(one.output.utf8))
            // 9:30–10:00 and 11:00–11:30 at 90,01, an hour at one and a half times that, each rounded half-even; and half of 180,02
            let (quarters, peak) = (Int64(4_500) * 2, Int64(13_502))
            #expect(report.total.bookings == 2 && report.total.unpriced == 0)
            #expect(report.total.beforeCents == 12_000 + 6_000)
            #expect(report.total.afterCents == quarters + peak + 9_001)
            #expect(report.total.differenceCents == report.total.afterCents - report.total.beforeCents)
            #expect(report.spaces.map(\.spaceId) == [room])

            let all = try await Program.run(arguments, system.environment)
            #expect(all.code == 0)
            let lines = all.output.split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: true).map(String.init) }
            #expect(lines.first == ["space", "bookings", "before", "after", "difference", "%"])
            // The hour of the other unit at half past nine: half an hour and half an hour at the peak
            let before = 18_000 + 6_000
            let after = Int(quarters + peak) + 9_001 + 4_500 + 6_751
            let total = try #require(lines.last)
            #expect(total.first == "total" && total[1] == "3")
            #expect(total[2] == "R$\u{A0}\(reais(before))" && total[3] == "R$\u{A0}\(reais(after))", "\(total)")
            #expect(total[4] == "R$\u{A0}\(reais(after - before))")
        }

        private func reais(_ cents: Int) -> String {
            "\(cents / 100),\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
        }

        private struct Report: Decodable {
            struct Sums: Decodable {
                let bookings: Int
                let beforeCents: Int64
                let afterCents: Int64
                let differenceCents: Int64
                let unpriced: Int

                enum CodingKeys: String, CodingKey {
                    case bookings
                    case beforeCents = "before_cents"
                    case afterCents = "after_cents"
                    case differenceCents = "difference_cents"
                    case unpriced
                }
            }

            struct Space: Decodable {
                let spaceId: String

                enum CodingKeys: String, CodingKey {
                    case spaceId = "space_id"
                }
            }

            let spaces: [Space]
            let total: Sums
        }

        @Test("What cannot be done is said in one line, with code 1")
        func refusals() async throws {
            let system = try TestSystem.current()
            let (good, bad) = (try tariff(system, Self.other), try tariff(system, "{\"rates\": 7}"))
            let none = try tariff(system, "no tariff")
            let negative = try tariff(system, Self.other.replacing("9001", with: "-1"))
            for (file, from, to, more, part) in [
                ("/nowhere/tarifa.json", "2026-03-04", "2026-03-06", [], "/nowhere/tarifa.json cannot be read"),
                (none, "2026-03-04", "2026-03-06", [], "is no tariff"), (bad, "2026-03-04", "2026-03-06", [], "is no tariff"),
                (negative, "2026-03-04", "2026-03-06", [], negative),
                (good, "04/03/2026", "2026-03-06", [], "--from 04/03/2026 is no date"),
                (good, "2026-03-04", "2026-02-30", [], "--to 2026-02-30 is no date"),
                (good, "2026-03-06", "2026-03-04", [], "--to 2026-03-04 is before --from 2026-03-06"),
                (good, "2026-03-04", "2026-03-06", ["--unit", "x"], "--unit x is no id of a unit"),
            ] as [(String, String, String, [String], String)] {
                let outcome = try await Program.run(["whatif", "--tariff", file, "--from", from, "--to", to] + more, system.environment)
                #expect(outcome.code == 1 && outcome.output.isEmpty, "\(outcome)")
                #expect(outcome.errors.hasPrefix("coworkflow: ") && outcome.errors.contains(part), "\(outcome)")
                #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome)")
            }
        }
    }
}

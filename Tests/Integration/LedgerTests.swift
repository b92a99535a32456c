import Domain
import FoundationEssentials
import TestSupport
import Testing

@testable import coworkflow

extension WholeSystem {
    /// On a clock of its own, which begins in the middle of a month.
    @Suite(.serialized, .system(startsAt: "2026-02-10T12:00:00Z"))
    struct Ledger {}
}

extension WholeSystem.Ledger {
    @Suite(.serialized)
    struct Books {
        @Test("A booking that is used unpaid is owed from the day it ends; expenses and their reversals balance; the month closes")
        func month() async throws {
            let system = try TestSystem.current()
            let unit = try await system.unit()
            let room = try await system.space(in: unit)
            let member = try await system.member()

            // Given a booking that the desk confirmed, used and over, and others that expired or were cancelled
            let end = system.time(day: 2, minute: 900)
            let slot = booking(room, system.time(day: 2, minute: 780), end)
            let used = try await member.client.post("/reservations", slot).expect(201)
            try await system.administrator().client.post("/reservations/\(try used.text("id"))/confirm").expect(200)
            try await member.client.post(
                "/reservations", booking(room, system.time(day: 3, minute: 600), system.time(day: 3, minute: 660))
            ).expect(201)
            let given = try await member.client.post(
                "/reservations", booking(room, system.time(day: 4, minute: 600), system.time(day: 4, minute: 660))
            ).expect(201)
            try await member.client.delete("/reservations/\(try given.text("id"))").expect(200)
            let sweep = StuckSweep(pool: system.pool)
            #expect(try await sweep.report(at: Instante(microssegundos: system.clock.now), grace: .minutos(1)).items.isEmpty)
            // To somebody who looks back at now from after the end, what has not happened yet is stuck
            let later = try #require(Instante(end)) + .horas(48)
            let stuck = try await sweep.report(at: later, grace: .minutos(1)).items
            #expect(stuck.contains { $0.kind == .bookingNotCompleted && $0.subject == "reserva-\(used["id"].text ?? "")" })
            #expect(stuck.filter { $0.kind == .holdExpired }.count == 1)
            #expect(stuck.contains { $0.kind == .commandOverdue && $0.subject == "reservas.concluir \(used["id"].text ?? "")" })

            // When its end comes
            try system.jump(to: end, plus: 1)
            var desk = try await system.receptionist()

            // Then it is in the ledger on that local day
            let line = try await self.line(of: try used.text("id"), desk.client)
            #expect(line["date"].text == "2026-02-12")
            #expect(line["account"].text == "receivables")
            #expect(line["debit_cents"] == 12_000)
            #expect(line["cause"].text == "reservas.ReservaConcluida")
            let revenue = try await desk.client.get("/financial/revenue?unit=\(unit)").expect(200)
            #expect(revenue["month"].text == "2026-02")
            #expect(revenue["monthly_revenue_cents"] == 12_000)
            #expect(revenue["yearly_revenue"] == 120)
            #expect(revenue["growth_rate"] == .null)
            #expect(revenue["series"].items.count == 12)
            let owed = try await desk.client.get("/financial/receivables?unit=\(unit)").expect(200)
            #expect(owed["total_cents"] == 12_000)
            #expect(owed["items"].items.first?["id"].text == (try used.text("id")))

            // When expenses are recorded, one of them by mistake
            let memo = system.confidential.add("lâmpadas; =1+1 \"novas\"")
            let expense: JSONValue = [
                "category": "maintenance", "date": "2026-02-11", "amount_cents": 35_050, "unit_id": .string(unit), "memo": .string(memo),
            ]
            let kept = try await desk.client.post("/financial/expenses", expense, key: "despesa").expect(201)
            let again = try await desk.client.post("/financial/expenses", expense, key: "despesa").expect(201)
            #expect(again["id"] == kept["id"])
            let wrong = try await desk.client.post(
                "/financial/expenses", ["category": "rent", "date": "2026-02-01", "amount": .number(1_000.5), "unit_id": .string(unit)]
            ).expect(201)
            let reversed = try await desk.client.post("/financial/expenses/\(try wrong.text("id"))/reverse", ["reason": "engano"]).expect(
                200)
            try await desk.client.post("/financial/expenses/\(try wrong.text("id"))/reverse").expectProblem(409, "expense_already_reversed")

            // Then they are counted, and the reversed one is not
            let position = try reversed.position()
            let spent = try await desk.client.get("/financial/expenses?unit=\(unit)&month=2026-02", after: position).expect(200)
            #expect(spent["monthly_expenses_cents"] == 35_050)
            #expect(spent["maintenance_costs"] == .number(350.5))
            #expect(spent["operational_costs_cents"] == 0)
            let entries = try await desk.client.get("/financial/expenses/entries?unit=\(unit)", after: position).expect(200).json.items
            #expect(entries.map { $0["reversed"] } == [false, true])
            #expect(entries.first?["memo"].text == memo)
            let balance = try await desk.client.get("/financial/trial-balance?unit=\(unit)", after: position).expect(200)
            #expect(balance["balanced"] == true)
            #expect(balance["debit_cents"] == 247_150)
            let file = try await desk.client.get("/financial/ledger.csv?unit=\(unit)", after: position).expect(200)
            let text = String(decoding: file.bytes, as: UTF8.self)
            #expect(text.hasPrefix("\u{FEFF}Data;"))
            #expect(text.contains(";350,50;0,00;\"lâmpadas; =1+1 \"\"novas\"\"\";"))

            try await eventually("nothing is stuck") {
                try await sweep.report(at: Instante(microssegundos: system.clock.now), grace: .segundos(1)).items.isEmpty
            }

            // When the month is to be closed before it is over
            try await system.administrator().client.post("/financial/close/2026-02").expectProblem(409, "month_not_over")
            try await desk.client.post("/financial/close/2026-02").expectProblem(403, "manager_only")

            // And when it is over
            try system.jump(to: "2026-03-01T12:00:01Z")
            let administrator = try await system.administrator()
            try await eventually("the month closes") {
                try await administrator.client.post("/financial/close/2026-02").status == 200
            }
            desk = try await desk.person.logIn(system.visitor, id: desk.id)

            // Then what still comes about it adjusts the next month
            let late = try await desk.client.post(
                "/financial/expenses", ["category": "rent", "date": "2026-02-28", "amount_cents": 100, "unit_id": .string(unit)]
            ).expect(201)
            #expect(late["posted_on"] == "2026-03-01")
            let statements = try await desk.client.get(
                "/financial/statement?from=2026-02&to=2026-03&unit=\(unit)", after: try late.position()
            ).expect(200).json.items
            #expect(statements.map { $0["closed"] } == [true, false])
            #expect(statements.compactMap { $0["result_cents"].number } == [-23_050, -100])
        }

        /// Of the receivable that a booking left, once it is there.
        private func line(of booking: String, _ desk: Client) async throws -> JSONValue {
            var lines: [JSONValue] = []
            try await eventually("the booking is in the ledger") {
                lines = try await desk.get("/financial/ledger?reservation_id=\(booking)").expect(200).json.items
                return !lines.isEmpty
            }
            #expect(lines.count == 2)
            #expect(lines.compactMap { $0["debit_cents"].number } == [12_000, 0])
            #expect(lines.compactMap { $0["credit_cents"].number } == [0, 12_000])
            return try #require(lines.first)
        }

        @Test("Only staff see the books, and what is no expense is refused")
        func refusals() async throws {
            let system = try TestSystem.current()
            let member = try await system.member()
            for path in [
                "ledger", "ledger.csv", "revenue", "expenses", "expenses/entries", "statement", "receivables", "trial-balance", "periods",
            ] {
                try await member.client.get("/financial/\(path)").expectProblem(403, "forbidden")
                try await system.visitor.get("/financial/\(path)").expectProblem(401, "unauthenticated")
            }
            let expense: JSONValue = ["category": "rent", "date": "2026-02-01", "amount_cents": 1]
            try await member.client.post("/financial/expenses", expense).expectProblem(403, "forbidden")
            let desk = try await system.receptionist().client
            for bad: JSONValue in [
                ["category": "yachts", "date": "2026-02-01", "amount_cents": 1],
                ["category": "rent", "date": "2026-02-30", "amount_cents": 1],
                ["category": "rent", "date": "2026-02-01"], ["category": "rent", "date": "2026-02-01", "amount": .number(1.001)],
                ["category": "rent", "date": "2026-02-01", "amount": 1, "amount_cents": 100],
                ["category": "rent", "date": "2026-02-01", "amount_cents": 1, "memo": ""],
                ["category": "rent", "date": "2026-02-01", "amount_cents": 1, "unit_id": "x"],
            ] {
                try await desk.post("/financial/expenses", bad).expectProblem(400, "invalid_field")
            }
            try await desk.post("/financial/expenses", ["category": "rent", "date": "2026-02-01", "amount_cents": 0])
                .expectProblem(422, "invalid_field")
            try await desk.post("/financial/expenses", ["category": "rent", "date": "2199-01-01", "amount_cents": 1])
                .expectProblem(422, "expense_in_future")
            try await desk.post("/financial/expenses/0189065d-ac96-774b-bcce-b302099a0001/reverse").expectProblem(404, "expense_not_found")
            try await desk.post("/financial/close/2026-13").expectProblem(404, "not_found")
            try await desk.get("/financial/ledger?account=gold").expectProblem(400, "invalid_field")
            try await desk.get("/financial/statement?from=2020-01&to=2026-01").expectProblem(400, "invalid_field")
        }
    }
}

import Domain
import TestSupport
import Testing

@testable import coworkflow

extension WholeSystem {
    /// On a clock of its own, of an operator who keeps books a year longer than the law asks.
    @Suite(.serialized, .system(startsAt: "2020-12-30T12:00:00Z", booksYears: 6))
    struct BooksTerm {}
}

extension WholeSystem.BooksTerm {
    private func expense(_ date: String, _ memo: String?) -> JSONValue {
        let body: JSONValue = ["category": "maintenance", "date": .string(date), "amount_cents": 12_300]
        return memo.map { body.with("memo", .string($0)) } ?? body
    }

    private func texts(_ system: TestSystem) async throws -> [String] {
        let desk = try await system.receptionist().client
        let entries = try await desk.get("/financial/expenses/entries?limit=200", after: try await system.head()).expect(200).json.items
        return entries.flatMap { [$0["memo"].text, $0["reversal_reason"].text] }.compactMap(\.self).sorted()
    }

    @Test("What explains the books of a year is there until their term is over, and nowhere after; the entries stay")
    func term() async throws {
        let system = try TestSystem.current()
        // Given texts in the books of two years, one of them by the day that a closed month's entry counts on
        var desk = try await system.receptionist().client
        let memo = system.confidential.add("Conserto do ar da sala azul")
        let reason = system.confidential.add("Era da outra empresa")
        let (late, next) = (system.confidential.add("Nota que chegou tarde"), system.confidential.add("Tinta da sala verde"))
        let first = try await desk.post("/financial/expenses", expense("2020-12-29", memo)).expect(201).text("id")
        try await desk.post("/financial/expenses/\(first)/reverse", ["reason": .string(reason)]).expect(200)
        try system.jump(to: "2021-01-10T12:00:00Z")
        let manager = try await system.administrator().client
        try await manager.post("/financial/close/2020-12").expect(200)
        desk = try await system.receptionist().client
        let counted = try await desk.post("/financial/expenses", expense("2020-12-30", late)).expect(201)
        #expect(counted["posted_on"].text == "2021-01-01")
        try await desk.post("/financial/expenses", expense("2021-01-05", next)).expect(201)
        let path = "/financial/trial-balance?from=2020-12-01&to=2021-01-31"
        let balance = try await desk.get(path, after: try await system.head()).expect(200)["accounts"]
        #expect(!balance.items.isEmpty)

        // When the law's term is over, then the operator's is not
        try await system.proceed(to: "2026-01-01T12:00:01Z")
        try await eventually("the books are kept longer") { try await system.count(of: "financeiro.PrazoDosLivrosProrrogado") == 1 }
        #expect(try await texts(system) == [memo, reason, late, next].sorted())
        try system.jump(to: "2027-01-01T11:59:00Z")
        #expect(try await texts(system) == [memo, reason, late, next].sorted())

        // When that is over too
        try await system.proceed(to: "2027-01-01T12:00:01Z")
        try await eventually("the key is deleted") { try await !system.hasKey("fiscal-2020") }
        // Then
        #expect(try await texts(system) == ["[apagado]", "[apagado]", late, next].sorted())
        #expect(try await system.hasKey("fiscal-2021"))
        // And a backup that brings it back does not bring it back for good
        #expect(try system.erasures.read().addresses.contains("fiscal-2020"))
        desk = try await system.receptionist().client
        try await desk.post("/financial/expenses", expense("2020-11-03", "Mais um")).expectProblem(422, "books_past_term")
        try await desk.post("/financial/expenses", expense("2020-11-03", nil)).expect(201)
        // A term that nobody ended is over all the same
        try await desk.post("/financial/expenses", expense("2019-11-03", "Mais um")).expectProblem(422, "books_past_term")
        #expect(try await desk.get(path, after: try await system.head()).expect(200)["accounts"] == balance)
        try await system.expectReadModelsEqualReplay(of: system.compositions[0])
        let sweep = StuckSweep(pool: system.pool)
        #expect(try await sweep.report(at: Instante(microssegundos: system.clock.now), grace: .minutos(1)).items.isEmpty)
    }
}

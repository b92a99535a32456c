import Testing

extension WholeSystem.OneSystem {
    @Suite(.serialized)
    struct Coupons {
        private func coupon(_ system: TestSystem, _ code: String, _ terms: [String: JSONValue]) async throws {
            let body = JSONValue.object(terms.merging(["code": .string(code)]) { $1 })
            try await system.administrator().client.post("/coupons", body).expect(201)
        }

        @Test("A coupon lowers the quote and the booking alike, is shown in its history, and is used once")
        func quoteAndBooking() async throws {
            // Given a coupon that one booking may use
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            try await coupon(system, "Unico10", ["percent": 10, "max_uses": 1])
            let member = try await system.member()
            let slot = booking(room, system.time(day: 3, minute: 600), system.time(day: 3, minute: 720)).with("coupon", "unico10")

            // When it is asked for, and used
            let quote = try await system.visitor.post("/pricing/calc", slot).expect(200)
            let booked = try await member.client.post("/reservations", slot).expect(201)

            // Then the price is the quote's
            #expect(quote["total_cents"] == 10_800 && quote["coupon"] == "UNICO10" && quote["coupon_discount_cents"] == 1_200)
            #expect(quote["lines"].items.map(\.["kind"]) == ["time", "coupon"])
            #expect(booked["total_price_cents"] == 10_800)

            // And the history tells of it
            let id = try booked.text("id")
            let history = try await member.client.get("/reservations/\(id)/history", ["Accept-Language": "en"]).expect(200)
            let texts = history["steps"].items.flatMap(\.["events"].items).compactMap(\.["text"].text)
            #expect(texts.contains { $0.hasPrefix("Coupon UNICO10 was used") })

            // And nobody else can use it, until the booking is given up
            let other = booking(room, system.time(day: 4, minute: 600), system.time(day: 4, minute: 660)).with("coupon", "UNICO10")
            let another = try await system.member()
            try await another.client.post("/reservations", other).expectProblem(409, "coupon_used_up")
            try await member.client.delete("/reservations/\(id)").expect(200)
            try await another.client.post("/reservations", other).expect(201)

            // And staff see what became of it
            let desk = try await system.receptionist()
            let list = try await desk.client.get("/coupons?limit=200", after: try await system.head()).expect(200)
            let seen = try #require(list.json.items.first { $0["code"] == "UNICO10" })
            #expect(seen["uses"] == 1 && seen["discount_cents"] == 600 && seen["active"] == true)
            try await member.client.get("/coupons").expectProblem(403, "forbidden")
        }

        @Test("Of twenty who use a coupon for three at once, three have it")
        func race() async throws {
            let system = try TestSystem.current()
            let area = try await system.space(in: try await system.unit(), .init(seats: 50))
            try await coupon(system, "CORRIDA", ["amount_cents": 1_000, "max_uses": 3])
            let member = try await system.member()
            let slot = booking(area, system.time(day: 3, minute: 600), system.time(day: 3, minute: 660)).with("coupon", "CORRIDA")

            let answers = try await concurrently(Array(0..<20), atATime: 20) { number in
                try await member.client.persistently { try await $0.post("/reservations", slot, key: "corrida-\(number)") }
            }

            #expect(answers.count { $0.status == 201 } == 3)
            for answer in answers where answer.status != 201 { answer.expectProblem(409, "coupon_used_up") }
            let desk = try await system.receptionist()
            let list = try await desk.client.get("/coupons?active=true&limit=200", after: try await system.head()).expect(200)
            #expect(list.json.items.first { $0["code"] == "CORRIDA" }?["uses"] == 3)
        }

        @Test("Refusals name the rule, in the language asked for")
        func refusals() async throws {
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            let member = try await system.member()
            let slot = booking(room, system.time(day: 3, minute: 600), system.time(day: 3, minute: 660))
            try await coupon(system, "PASSADO", ["percent": 10, "valid_to": "2001-01-01"])
            try await coupon(system, "FUTURO", ["percent": 10, "valid_from": "2199-01-01"])
            try await coupon(system, "CARO", ["percent": 10, "minimum_cents": 6_001])
            try await coupon(system, "CABINES", ["percent": 10, "types": ["cabine"]])
            try await coupon(system, "FIM", ["percent": 10])
            try await coupon(system, "UMAVEZ", ["percent": 10, "max_uses_per_member": 1])
            let admin = try await system.administrator().client
            try await admin.delete("/coupons/fim").expect(200)

            for (code, status, problem) in [
                ("NUNCAHOUVE", 422, "coupon_not_found"), ("ção", 422, "coupon_not_found"), ("PASSADO", 422, "coupon_expired"),
                ("FUTURO", 422, "coupon_not_yet_valid"), ("CARO", 422, "coupon_minimum"), ("CABINES", 422, "coupon_not_for_space"),
                ("FIM", 422, "coupon_inactive"),
            ] {
                let wanted = slot.with("coupon", .string(code))
                try await system.visitor.post("/pricing/calc", wanted).expectProblem(status, problem)
                try await member.client.post("/reservations", wanted).expectProblem(status, problem)
            }
            try await member.client.post("/reservations", slot.with("coupon", "UMAVEZ")).expect(201)
            let again = booking(room, system.time(day: 4, minute: 600), system.time(day: 4, minute: 660)).with("coupon", "UMAVEZ")
            let portuguese = try await member.client.post("/reservations", again).expectProblem(409, "coupon_already_used")
            #expect(portuguese["detail"] == "Você já usou este cupom.")
            let english = try await member.client.post("/reservations", again, ["Accept-Language": "en"])
            #expect(english["detail"] == "You have used this coupon already.")
        }

        @Test("Coupons are for management to make, and their terms are checked")
        func making() async throws {
            let system = try TestSystem.current()
            let admin = try await system.administrator().client
            let desk = try await system.receptionist()
            try await desk.client.post("/coupons", ["code": "ABC", "percent": 10]).expectProblem(403, "forbidden")
            try await admin.post("/coupons", ["code": "A", "percent": 10]).expectProblem(400, "invalid_field")
            try await admin.post("/coupons", ["code": "ABC"]).expectProblem(400, "invalid_field")
            try await admin.post("/coupons", ["code": "ABC", "percent": 10, "amount_cents": 5]).expectProblem(400, "invalid_field")
            try await admin.post("/coupons", ["code": "ABC", "percent": 10, "max_uses": 0]).expectProblem(422, "invalid_field")
            try await admin.post("/coupons", ["code": "REPETE", "percent": 10]).expect(201)
            try await admin.post("/coupons", ["code": "repete", "percent": 10]).expect(201)
            try await admin.post("/coupons", ["code": "REPETE", "percent": 20]).expectProblem(409, "coupon_exists")
            try await admin.delete("/coupons/NAOHA").expectProblem(404, "not_found")
        }
    }
}

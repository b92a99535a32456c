import TestSupport
import Testing

extension WholeSystem {
    /// On a clock of its own, which goes through months.
    @Suite(.serialized, .system(startsAt: "2019-10-01T12:00:00Z"))
    struct Subscriptions {
        /// A plan with a tenth off and two hours a month.
        private func publish(_ system: TestSystem, _ plan: String, months: Int = 1, fee: Int = 29_900) async throws {
            try await system.administrator().client.put(
                "/plans/\(plan)",
                [
                    "name": .string(plan), "discount_percent": 10, "monthly_fee_cents": .number(Double(fee)),
                    "included_minutes": 120,
                    "credit_months": .number(Double(months)),
                ]
            ).expect(200)
        }

        private func wallet(_ member: Member, _ system: TestSystem) async throws -> Answer {
            try await member.client.get("/subscriptions/me", after: try await system.head()).expect(200)
        }

        @Test("A subscription gives its discount and its hours, which bookings use before money")
        func creditsBeforeMoney() async throws {
            // Given a member who has subscribed
            let system = try TestSystem.current()
            let room = try await system.space(in: try await system.unit())
            try await publish(system, "horas")
            let member = try await system.member()
            #expect(try await wallet(member, system)["plan"] == "basic")
            let subscribed = try await member.client.post("/subscriptions", ["plan": "horas"]).expect(201)
            #expect(subscribed["monthly_fee_cents"] == 29_900)
            #expect(try await wallet(member, system)["credits"]["balance_minutes"] == 120)

            // When three hours are quoted and booked
            let slot = booking(room, system.time(day: 3, minute: 600), system.time(day: 3, minute: 780))
            let quote = try await member.client.post("/pricing/calc", slot).expect(200)
            let booked = try await member.client.post("/reservations", slot).expect(201)

            // Then one is paid for, a tenth cheaper
            #expect(quote["lines"].items.map(\.["kind"]) == ["time", "plan_discount", "credits"])
            #expect(quote["total_cents"] == 5_400 && quote["credit_minutes"] == 120 && quote["plan"] == "horas")
            #expect(booked["total_price_cents"] == 5_400)
            #expect(try await wallet(member, system)["credits"]["balance_minutes"] == 0)
            // And for somebody else nothing of it counts
            #expect(try await system.visitor.post("/pricing/calc", slot).expect(200)["total_cents"] == 18_000)

            // When the hold runs out
            try system.jump(to: try booked.text("expires_at"), plus: 1)
            let owner = try await member.person.logIn(system.visitor, id: member.id)
            try await eventually("the hours are back") {
                try await wallet(owner, system)["credits"]["balance_minutes"] == 120
            }
            let history = try await owner.client.get("/reservations/\(try booked.text("id"))/history", ["Accept-Language": "en"])
            let texts = history["steps"].items.flatMap(\.["events"].items).compactMap(\.["text"].text)
            #expect(texts.contains("Credits given back: 2 h."))

            // Then what they pay for wholly is confirmed at once
            let short = booking(room, system.time(day: 3, minute: 600), system.time(day: 3, minute: 660))
            let free = try await owner.client.post("/reservations", short).expect(201)
            #expect(free["status"] == "active" && free["total_price_cents"] == 0)
            try await owner.client.delete("/reservations/\(try free.text("id"))").expect(200)
            #expect(try await wallet(owner, system)["credits"]["balance_minutes"] == 120)
        }

        @Test("A dearer plan holds at once and its difference is paid; a cheaper one holds from the renewal on, and can be taken back")
        func change() async throws {
            let system = try TestSystem.current()
            try await publish(system, "menor", fee: 31_000)
            try await system.administrator().client.put(
                "/plans/maior",
                ["name": "maior", "discount_percent": 20, "monthly_fee_cents": 62_000, "included_minutes": 240, "credit_months": 1]
            ).expect(200)
            let member = try await system.member()
            try await member.client.post("/subscriptions/me/change", ["plan": "maior"]).expectProblem(404, "not_subscribed")
            try await member.client.post("/subscriptions", ["plan": "menor"]).expect(201)
            let stranger = try await system.member()
            try await stranger.client.post("/subscriptions/\(member.id)/change", ["plan": "maior"]).expectProblem(404, "not_found")

            let changed = try await member.client.post("/subscriptions/me/change", ["plan": "maior"], key: "maior").expect(200)
            let (days, left) = (try #require(changed["days"].number), try #require(changed["remaining_days"].number))
            #expect(days == left && changed["difference_cents"] == 31_000 && changed["plan"] == "maior", "\(changed)")
            let repeated = try await member.client.post("/subscriptions/me/change", ["plan": "maior"], key: "maior").expect(200)
            #expect(repeated.json == changed.json)
            let wallet = try await wallet(member, system)
            #expect(wallet["plan"] == "maior" && wallet["credits"]["balance_minutes"] == 240)
            #expect(wallet["subscription"]["monthly_fee_cents"] == 62_000)
            // Two charges, one for the period and one for the difference
            try await eventually("the difference is charged") {
                try await member.client.get("/payments", after: try await system.head()).expect(200).json.items
                    .compactMap { $0["amount_cents"].number }.sorted() == [31_000, 31_000]
            }

            // When they want the smaller again
            let later = try await member.client.post("/subscriptions/me/change", ["plan": "menor"]).expect(200)
            #expect(later["plan"] == "maior" && later["next_plan"] == "menor" && later["difference_cents"] == .null)
            #expect(try await self.wallet(member, system)["subscription"]["next_plan"] == "menor")
            let back = try await member.client.delete("/subscriptions/me/change").expect(200)
            #expect(back["plan"] == "maior" && back["next_plan"] == .null)
            try await member.client.delete("/subscriptions/me/change").expect(200)
            #expect(try await self.wallet(member, system)["subscription"]["next_plan"] == .null)
            let desk = try await system.receptionist()
            try await desk.client.post("/subscriptions/\(member.id)/change", ["plan": "menor"]).expect(200)
            let end = try await self.wallet(member, system)["subscription"]["period_end"].text ?? ""
            // Both fees are paid, or the subscription would not last
            for charge in try await member.client.get("/payments", after: try await system.head()).expect(200).json.items {
                try await desk.client.post("/payments/desk", ["payment_id": charge["id"], "method": "cash"]).expect(200)
            }
            try await system.settled()

            // Then it is renewed with it
            try system.jump(to: end, plus: 1)
            let owner = try await member.person.logIn(system.visitor, id: member.id)
            try await eventually("it is renewed with the smaller plan") {
                let wallet = try await self.wallet(owner, system)
                return wallet["plan"] == "menor" && wallet["subscription"]["period_number"] == 2
            }
            let renewed = try await self.wallet(owner, system)
            #expect(renewed["subscription"]["monthly_fee_cents"] == 31_000 && renewed["credits"]["balance_minutes"] == 120)
            #expect(renewed["subscription"]["next_plan"] == .null)
            let kinds = try await owner.client.get("/notifications?limit=200").expect(200).json.items.compactMap { $0["kind"].text }
            #expect(kinds.filter { $0 == "subscription_changed" }.count == 4, "\(kinds)")
        }

        @Test("A subscription renews month by month by the calendar, and ends with its period when cancelled")
        func renewals() async throws {
            // Given somebody who subscribes on the 31st
            let system = try TestSystem.current()
            // Who does not pay would lose it
            try await publish(system, "mensal", months: 2, fee: 0)
            try system.jump(to: "2019-10-31T15:00:00Z")
            let member = try await system.member()
            try await member.client.post("/subscriptions", ["plan": "mensal"]).expect(201)

            // When months pass, the system asleep for two of them
            var owner = member
            for (moment, number, end) in [
                ("2019-11-30T03:01:00Z", 2.0, "2019-12-31T00:00:00-03:00"), ("2020-02-29T03:01:00Z", 5.0, "2020-03-31T00:00:00-03:00"),
            ] {
                try system.jump(to: moment)
                owner = try await member.person.logIn(system.visitor, id: member.id)
                try await eventually("period \(number) has begun") { [owner] in
                    try await wallet(owner, system)["subscription"]["period_number"].number == number
                }
                #expect(try await wallet(owner, system)["subscription"]["period_end"].text == end)
            }
            // Then the hours of this month and the last are there
            #expect(try await wallet(owner, system)["credits"]["balance_minutes"] == 240)

            // When it is cancelled
            let ended = try await owner.client.delete("/subscriptions/me").expect(200)
            #expect(ended["ends_at"] == "2020-03-31T00:00:00-03:00")
            #expect(try await wallet(owner, system)["subscription"]["status"] == "cancelled")
            try await owner.client.post("/subscriptions", ["plan": "mensal"]).expectProblem(409, "already_subscribed")
            try system.jump(to: "2020-03-31T03:01:00Z")
            owner = try await member.person.logIn(system.visitor, id: member.id)

            // Then it is over, and what was rolled over stays
            let last = try await wallet(owner, system)
            #expect(last["plan"] == "basic" && last["subscription"]["status"] == "ended")
            #expect(last["subscription"]["period_number"] == 5 && last["credits"]["balance_minutes"] == 120)
            let desk = try await system.receptionist()
            let list = try await desk.client.get("/subscriptions?plan=mensal", after: try await system.head()).expect(200)
            #expect(list.json.items.map(\.["user_id"]) == [.string(member.id)])
            try await owner.client.get("/subscriptions").expectProblem(403, "forbidden")
        }

        @Test("Staff gives credits; of two bookings that want the same hour at once, one pays")
        func grantsAndRace() async throws {
            let system = try TestSystem.current()
            let area = try await system.space(in: try await system.unit(), .init(seats: 20))
            let (member, other) = (try await system.member(), try await system.member())
            let desk = try await system.receptionist()
            try await member.client.post("/subscriptions/\(member.id)/credits", ["minutes": 60]).expectProblem(403, "forbidden")
            let until = system.time(day: 30, minute: 0)
            try await desk.client.post("/subscriptions/\(member.id)/credits", ["minutes": 60, "expires_at": .string(until)]).expect(201)
            try await other.client.get("/subscriptions/\(member.id)").expectProblem(404, "not_found")
            #expect(
                try await desk.client.get("/subscriptions/\(member.id)", after: try await system.head())["credits"]["balance_minutes"] == 60
            )
            let slot = booking(area, system.time(day: 3, minute: 600), system.time(day: 3, minute: 660))

            let answers = try await concurrently(Array(0..<8), atATime: 8) { number in
                try await member.client.persistently { try await $0.post("/reservations", slot, key: "creditos-\(number)") }
            }

            #expect(answers.allSatisfy { $0.status == 201 })
            #expect(answers.count { $0["total_price_cents"] == 0 } == 1)
            #expect(try await wallet(member, system)["credits"]["balance_minutes"] == 0)
        }

        @Test("Nobody subscribes to what is no plan, or for somebody else, or twice")
        func refusals() async throws {
            let system = try TestSystem.current()
            try await publish(system, "recusas")
            let (member, other) = (try await system.member(), try await system.member())
            try await member.client.post("/subscriptions", ["plan": "naoha"]).expectProblem(422, "plan_not_found")
            try await member.client.post("/subscriptions", ["plan": "basic"]).expectProblem(422, "plan_not_subscribable")
            try await member.client.post("/subscriptions", ["plan": "recusas", "user_id": .string(other.id)])
                .expectProblem(403, "staff_only")
            try await member.client.delete("/subscriptions/me").expectProblem(404, "not_subscribed")
            try await member.client.delete("/subscriptions/\(other.id)").expectProblem(404, "not_found")
            try await member.client.post("/subscriptions", ["plan": "recusas"]).expect(201)
            try await member.client.post("/subscriptions", ["plan": "recusas"]).expect(201)
            try await member.client.post("/subscriptions", ["plan": "premium"]).expectProblem(409, "already_subscribed")
            #expect(try await wallet(member, system)["credits"]["balance_minutes"] == 120)
        }

        @Test("Who is erased has no subscription any more")
        func erased() async throws {
            let system = try TestSystem.current()
            try await publish(system, "apagado")
            let member = try await system.member()
            try await member.client.post("/subscriptions", ["plan": "apagado"]).expect(201)
            try await member.client.delete("/users/me", ["password": .string(member.person.password)]).expect(200)
            let desk = try await system.receptionist()
            try await eventually("the subscription has ended") {
                let seen = try await desk.client.get("/subscriptions/\(member.id)", after: try await system.head()).expect(200)
                return seen["subscription"]["status"] == "ended" && seen["subscription"]["end_reason"] == "conta_apagada"
            }
        }
    }
}

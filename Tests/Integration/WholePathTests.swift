import Testing

extension WholeSystem {
    /// What one member does from sign-up to cancellation, and what else one system is asked for meanwhile.
    @Suite(.serialized, .system())
    struct OneSystem {}
}

extension WholeSystem.OneSystem {
    @Suite(.serialized)
    struct WholePath {
        @Test("A member signs up, books, moves and cancels; the desk confirms; every answer is visible at once")
        func wholePath() async throws {
            let system = try TestSystem.current()
            // Given a room at R$ 60 an hour
            let room = try await system.space(in: try await system.unit())

            // When somebody signs up
            let person = Person("ana", system.confidential)
            let signedUp = try await system.visitor.post("/auth/signup", person.signUp).expect(201)
            #expect(signedUp.json.keys == ["id", "message"])
            let login = try await system.visitor.post("/auth/login", person.credentials).expect(200)

            // Then the login gives tokens, and the account is a plain member's
            #expect(login.json.keys.isSuperset(of: ["token", "refresh_token", "role", "user_id"]))
            #expect(login["role"] == "membro")
            #expect(login["user_id"] == signedUp["id"])
            let member = system.visitor.asking(with: try login.text("token"))
            let me = try await member.get("/users/me", after: try login.position()).expect(200)
            #expect(me["name"].text == person.name)
            #expect(me["email"].text == person.email)

            // When they look around
            let spaces = try await system.visitor.get("/spaces?limit=200", after: try login.position()).expect(200)
            let shown = try #require(spaces.json.items.first { $0["id"].text == room })
            #expect(shown["hourly_rate_cents"] == 6_000)
            let day = String(system.time(day: 3, minute: 0).prefix(10))
            let before = try await system.visitor.get("/spaces/\(room)/availability?date=\(day)").expect(200)
            #expect(before["available"] == true)
            #expect(before["slots"].items.count == 48)
            #expect(before["busy"].items.isEmpty)

            // And ask for a price
            let (start, end) = (system.time(day: 3, minute: 15 * 60), system.time(day: 3, minute: 17 * 60))
            let slot = booking(room, start, end)
            let quote = try await system.visitor.post("/pricing/calc", slot).expect(200)
            #expect(quote.json.keys.isSuperset(of: ["base_price", "hours", "discount", "total", "total_cents", "lines", "tariff_version"]))
            #expect(quote["total_cents"] == 12_000)
            #expect(quote["hours"] == 2)
            #expect(quote["lines"].items.compactMap { $0["amount_cents"].number }.reduce(0, +) == 12_000)
            let discounted = try await system.visitor.post("/pricing/calc", slot.with("user_plan", "premium")).expect(200)
            #expect(discounted["total_cents"] == 10_800)

            // And book, naming a price of their own
            let notes = system.confidential.add("Trazer o projetor para \(person.name)")
            let request = slot.with("notes", .string(notes)).with("total_price", 1)
            let booked = try await member.post("/reservations", request).expect(201)

            // Then the slot is held at the price of the tariff
            #expect(booked.json.keys.isSuperset(of: ["id", "status", "expires_at", "total_price"]))
            #expect(booked["status"] == "pending")
            #expect(booked["total_price"] == 120)
            #expect(booked["total_price_cents"] == 12_000)
            let id = try booked.text("id")

            // And seen at once, by its owner and on the calendar
            let seen = try await member.get("/reservations/\(id)", after: try booked.position()).expect(200)
            #expect(seen.header("CoworkFlow-Stale") == nil)
            for key in ["id", "status", "start_time", "end_time", "total_price_cents", "expires_at", "space_id", "user_id"] {
                #expect(seen[key] == booked[key], "\(key)")
            }
            #expect(seen["notes"].text == notes)
            #expect(seen["start_time"].text?.hasSuffix("-03:00") == true)
            #expect(seen["quote"]["total_cents"] == 12_000)
            let mine = try await member.get("/reservations", after: try booked.position()).expect(200)
            #expect(mine.json.items.compactMap { $0["id"].text } == [id])
            let taken = try await system.visitor.get("/spaces/\(room)/availability?date=\(day)", after: try booked.position()).expect(200)
            #expect(taken["slots"].items.count == 44)
            #expect(taken["busy"].items.count == 1)
            #expect(taken["busy"].items.first?["start_time"] == booked["start_time"])

            // When the desk confirms it
            let desk = try await system.receptionist()
            let confirmed = try await desk.client.post("/reservations/\(id)/confirm").expect(200)

            // Then it is active, for its owner as well
            #expect(confirmed["status"] == "active")
            #expect(confirmed["expires_at"] == .null)
            let active = try await member.get("/reservations/\(id)", after: try confirmed.position()).expect(200)
            #expect(active["status"] == "active")

            // When the owner moves it
            let moved = try await member.put(
                "/reservations/\(id)",
                ["start_time": .string(system.time(day: 4, minute: 12 * 60)), "end_time": .string(system.time(day: 4, minute: 14 * 60))]
            ).expect(200)

            // Then the old slot is free again and the new one taken
            #expect(moved["id"].text == id)
            #expect(moved["status"] == "active")
            let old = try await system.visitor.get("/spaces/\(room)/availability?date=\(day)", after: try moved.position()).expect(200)
            #expect(old["slots"].items.count == 48)

            // When they cancel
            let reason = system.confidential.add("Viagem de última hora de \(person.name)")
            let cancelled = try await member.delete("/reservations/\(id)", ["reason": .string(reason)]).expect(200)

            // Then it says what is given back by which rule, and the booking is cancelled
            #expect(cancelled.json.keys == ["message", "refund"])
            #expect(cancelled["refund"]["percent"] == 100)
            #expect(cancelled["refund"]["amount_cents"] == 0, "nothing was paid")
            let gone = try await member.get("/reservations/\(id)", after: try cancelled.position()).expect(200)
            #expect(gone["status"] == "cancelled")
            #expect(gone["cancellation"]["note"].text == reason)

            // And a second cancellation changes nothing more
            let head = try await system.head()
            try await member.delete("/reservations/\(id)").expect(200)
            #expect(try await system.head() == head)
        }

        @Test("What costs nothing is confirmed at once")
        func freeSpace() async throws {
            let system = try TestSystem.current()
            let cabin = try await system.space(in: try await system.unit(), .init(type: "cabine"))
            let member = try await system.member()

            let booked = try await member.client.post(
                "/reservations",
                booking(cabin, system.time(day: 2, minute: 600), system.time(day: 2, minute: 660))
            ).expect(201)

            #expect(booked["status"] == "active")
            #expect(booked["expires_at"] == .null)
            #expect(booked["total_price_cents"] == 0)
        }

        @Test("Every path answers under /api as well")
        func apiPrefix() async throws {
            let system = try TestSystem.current()
            let cabin = try await system.space(in: try await system.unit(), .init(type: "cabine"))
            let member = try await system.member()

            for path in ["/health", "/saude", "/ready", "/spaces", "/units", "/plans", "/openapi.json", "/.well-known/jwks.json"] {
                try await system.visitor.get("/api" + path).expect(200)
            }
            let booked = try await member.client.post(
                "/api/reservations",
                booking(cabin, system.time(day: 2, minute: 600), system.time(day: 2, minute: 660))
            ).expect(201)
            let id = try booked.text("id")
            try await member.client.get("/api/reservations/\(id)", after: try booked.position()).expect(200)
            try await member.client.delete("/api/reservations/\(id)").expect(200)
        }

        @Test("A session goes on with its refresh token, once, and ends with logout")
        func refreshAndLogout() async throws {
            let system = try TestSystem.current()
            let member = try await system.member()

            // When the refresh token is exchanged, as soon as the read models know the session
            let first = try await system.visitor.persistently {
                try await $0.post("/auth/refresh", ["refresh_token": .string(member.refreshToken)])
            }.expect(200)

            // Then there are new tokens that work
            let fresh = system.visitor.asking(with: try first.text("token"))
            try await fresh.get("/users/me").expect(200)
            #expect(first["refresh_token"].text != member.refreshToken)

            // When the session ends, its last refresh token is good for nothing
            try await fresh.post("/auth/logout").expect(200)
            try await system.visitor.post("/auth/refresh", ["refresh_token": first["refresh_token"]]).expect(401)

            // When a refresh token comes a second time, the whole family ends
            let other = try await member.person.logIn(system.visitor, id: member.id)
            let next = try await system.visitor.persistently {
                try await $0.post("/auth/refresh", ["refresh_token": .string(other.refreshToken)])
            }.expect(200)
            try await system.visitor.post("/auth/refresh", ["refresh_token": .string(other.refreshToken)]).expect(401)
            try await system.visitor.post("/auth/refresh", ["refresh_token": next["refresh_token"]]).expect(401)
        }

        @Test("Wrong credentials are told apart by nobody")
        func wrongCredentials() async throws {
            let system = try TestSystem.current()
            let member = try await system.member()
            let wrong = try await system.visitor.post("/auth/login", member.person.credentials.with("password", "errada-errada"))
            let unknown = try await system.visitor.post("/auth/login", ["email": "ninguem@exemplo.test", "password": "errada-errada"])
            wrong.expectProblem(401, "invalid_credentials")
            unknown.expectProblem(401, "invalid_credentials")
            #expect(wrong["detail"] == unknown["detail"])
            try await system.visitor.get("/users/me").expectProblem(401, "unauthenticated")
        }
    }
}

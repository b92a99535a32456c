import Testing

extension WholeSystem.OneSystem {
    @Suite(.serialized)
    struct BookingLists {
        private func statuses(_ hold: Hold) async throws -> [JSONValue] {
            let head = try await hold.system.head()
            let one = try await hold.member.client.get("/reservations/\(hold.id)", after: head).expect(200)["payment_status"]
            let list = try await hold.member.client.get("/reservations", after: head).expect(200).json.items
            return [one] + list.map { $0["payment_status"] }
        }

        @Test("A booking says where its payment stands, alone and in the list; one that costs nothing says nothing of it")
        func paymentStatus() async throws {
            let system = try TestSystem.current()
            let hold = try await system.hold()
            try await hold.charge().expect(200)
            #expect(try await statuses(hold) == ["pending", "pending"])
            let paid = try await system.paid()
            #expect(try await statuses(paid) == ["approved", "approved"])
            try await paid.member.client.delete("/reservations/\(paid.id)").expect(200)
            try await paid.paymentBecomes("refunded")
            #expect(try await statuses(paid) == ["refunded", "refunded"])
            try await hold.member.client.delete("/reservations/\(hold.id)").expect(200)
            try await hold.paymentBecomes("cancelled")
            #expect(try await statuses(hold) == ["cancelled", "cancelled"])
            let free = try await system.hold(type: "cabine")
            #expect(try await statuses(free) == [.null, .null])
        }

        @Test("Members list their own series, the desk everybody's, page by page, the newest first, with what became of each")
        func series() async throws {
            let system = try TestSystem.current()
            let unit = try await system.unit()
            let (member, other, desk) = (try await system.member(), try await system.member(), try await system.receptionist())
            func book(_ member: Member, day: Int) async throws -> (id: String, room: String) {
                let room = try await system.space(in: unit, .init(type: "cabine"))
                let body: JSONValue = [
                    "space_id": .string(room), "start_time": .string(system.time(day: day, minute: 780)),
                    "end_time": .string(system.time(day: day, minute: 840)), "rrule": "FREQ=DAILY;COUNT=3", "on_conflict": "skip",
                ]
                return (try await member.client.post("/reservations/series", body).expect(201).text("id"), room)
            }
            var mine: [(id: String, room: String)] = []
            for day in 2..<5 { mine.append(try await book(member, day: day)) }
            let theirs = try await book(other, day: 2)
            try await member.client.delete("/reservations/series/\(mine[0].id)", ["scope": "all"]).expect(200)

            let head = try await system.head()
            let all = try await member.client.get("/reservations/series", after: head).expect(200).json.items
            #expect(all.map { $0["id"].text } == mine.reversed().map(\.id))
            #expect(all.map { $0["occurrence_count"] } == [3, 3, 3])
            #expect(all.map { $0["open_count"] } == [3, 3, 0])
            #expect(all.allSatisfy { $0["rrule"] == "FREQ=DAILY;COUNT=3" && ($0["first_start"].text ?? "") < ($0["last_end"].text ?? "") })
            // Page by page
            var paged: [String] = []
            var path: String? = "/reservations/series?limit=2"
            while let next = path {
                let page = try await member.client.get(next).expect(200)
                paged += page.json.items.compactMap { $0["id"].text }
                path = page.header("Link").flatMap { $0.split(separator: ">").first.map { String($0.dropFirst()) } }
            }
            #expect(paged == mine.reversed().map(\.id))
            // Nobody else's
            try await member.client.get("/reservations/series?user_id=\(other.id)").expectProblem(404, "not_found")
            let seen = try await desk.client.get("/reservations/series?space_id=\(theirs.room)").expect(200).json.items
            #expect(seen.map { $0["id"].text } == [theirs.id])
            #expect(try await desk.client.get("/reservations/series?user_id=\(member.id)").expect(200).json.items.count == 3)
        }
    }
}

import Testing

extension WholeSystem.OneSystem {
    @Suite(.serialized)
    struct RefusalLanguages {
        @Test(
            "A refusal is told in the language that is liked best, by service and gateway alike, and says which it is",
            arguments: [
                (nil, "pt-BR"), ("", "pt-BR"), ("pt-BR", "pt-BR"), ("pt", "pt-BR"), ("en", "en"), ("en-US,en;q=0.9", "en"),
                ("EN-gb", "en"), ("en;q=0.5, pt;q=0.9", "pt-BR"), ("pt;q=0.5,en;q=0.9", "en"), ("fr, en;q=0.3, pt;q=0.2", "en"),
                ("fr, de;q=0.9", "pt-BR"), ("en;q=0, *", "pt-BR"), ("pt;q=0, *;q=0.1", "en"), ("*;q=0.5, en;q=0.8", "en"),
                ("*", "pt-BR"), ("en ; q = 0.7 , pt ; q = 0.6", "en"), ("en;q=x, pt;q=0.1", "pt-BR"), ("pt;q=0, en;q=0", "pt-BR"),
            ] as [(String?, String)]
        )
        func language(accept: String?, expected: String) async throws {
            let system = try TestSystem.current()
            let member = try await system.member()
            let headers = accept.map { ["Accept-Language": $0] } ?? [:]
            let nobody = "01890a5d-ac96-774b-bcce-b302099a0001"
            let slot = booking(nobody, system.time(day: 2, minute: 600), system.time(day: 2, minute: 660))
            // A rule of a service
            let refused = try await member.client.post("/reservations", slot, headers)
            refused.expectProblem(404, "space_not_found")
            #expect(refused.header("Content-Language") == expected)
            #expect(refused.header("Vary")?.contains("Accept-Language") == true)
            #expect(refused["detail"].text == (expected == "en" ? "Space not found." : "Espaço não encontrado."))
            #expect(refused["error"] == refused["detail"])
            // A word of the gateway's own is English, and says so
            let unknown = try await member.client.get("/nothing/here", headers)
            unknown.expectProblem(404, "not_found")
            #expect(unknown.header("Content-Language") == "en")
        }

        /// What a service says itself, without a rule.
        struct Said: Sendable, CustomTestStringConvertible {
            let code: String
            let status: Int
            let portuguese: String
            let english: String
            let ask: @Sendable (TestSystem, Member, [String: String]) async throws -> Answer

            var testDescription: String { code }
        }

        private static func quote(_ system: TestSystem, _ change: (JSONValue) -> JSONValue, _ headers: [String: String]) async throws
            -> Answer
        {
            let room = try await system.space(in: try await system.unit())
            let slot = booking(room, system.time(day: 2, minute: 600), system.time(day: 2, minute: 660))
            return try await system.visitor.post("/pricing/calc", change(slot), headers)
        }

        static let said = [
            Said(code: "nonexistent_local_time", status: 422, portuguese: "são adiantados", english: "are set forward") {
                system, _, headers in
                try await quote(system, { $0.with("start_time", "2018-11-04T00:30") }, headers)
            },
            Said(code: "end_before_start", status: 422, portuguese: "tem de vir depois", english: "must be after") { system, _, headers in
                try await quote(system, { $0.with("end_time", $0["start_time"]) }, headers)
            },
            Said(code: "coupon_not_found", status: 422, portuguese: "Este cupom não existe", english: "no such coupon") {
                system, _, headers in
                try await quote(system, { $0.with("coupon", "não é código") }, headers)
            },
            Said(code: "invalid_credentials", status: 401, portuguese: "senha incorretos", english: "Wrong e-mail") {
                system, member, headers in
                let wrong: JSONValue = ["email": .string(member.person.email), "password": "outra-senha"]
                return try await system.visitor.post("/auth/login", wrong, headers)
            },
        ]

        @Test("What a service says itself is told in both languages as well", arguments: said)
        func byHand(said: Said) async throws {
            let system = try TestSystem.current()
            let member = try await system.member()
            for (language, words) in [("pt-BR", said.portuguese), ("en", said.english)] {
                let answer = try await said.ask(system, member, ["Accept-Language": language])
                answer.expectProblem(said.status, said.code)
                #expect(answer.header("Content-Language") == language)
                #expect(answer["detail"].text?.contains(words) == true, "\(answer)")
            }
        }
    }
}

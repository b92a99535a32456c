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
    }
}

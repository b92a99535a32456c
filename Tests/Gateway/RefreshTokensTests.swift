import Domain
import Postgres
import Testing

@testable import Gateway

@Suite struct RefreshTokensTests {
    private let holder = RefreshTokens.Holder(user: Samples.id(1), session: Samples.id(1))

    private func with(_ test: (RefreshTokens, TestClock, TestDatabase) async throws -> Void) async throws {
        try await TestDatabase.with { database in
            let clock = TestClock()
            try await test(RefreshTokens(pool: database.gateway, lifetime: 1000, clock: { clock.microseconds }), clock, database)
        }
    }

    @Test func `each token is used once and replaced by the next`() async throws {
        try await with { tokens, _, database in
            // given
            var token = try await tokens.issue(to: holder)

            for _ in 1...3 {
                // when
                guard case .replaced(let next, let found) = try await tokens.rotate(token) else {
                    Issue.record("not replaced")
                    return
                }

                // then
                #expect(found == holder)
                #expect(next != token)
                #expect(try await tokens.holder(of: token) == nil)
                #expect(try await tokens.holder(of: next) == holder)
                token = next
            }
            let stored = try await database.pool.withConnection {
                try $0.query("select hash from volatile.refresh_tokens").map { try $0.get(0, [UInt8].self) }
            }
            #expect(stored.count == 4)
            #expect(stored.contains(token.hash))
        }
    }

    @Test func `a token that comes twice ends its family and no other`() async throws {
        try await with { tokens, _, _ in
            // given
            let first = try await tokens.issue(to: holder)
            let other = try await tokens.issue(to: .init(user: holder.user, session: Samples.id(2)))
            guard case .replaced(let second, _) = try await tokens.rotate(first) else {
                Issue.record("not replaced")
                return
            }

            // when
            guard case .reused(let found) = try await tokens.rotate(first) else {
                Issue.record("not noticed")
                return
            }

            // then
            #expect(found == holder)
            guard case .unknown = try await tokens.rotate(second) else {
                Issue.record("the family lives on")
                return
            }
            #expect(try await tokens.holder(of: other) != nil)
        }
    }

    @Test func `of two that bring one token at once only one gets the next`() async throws {
        try await with { tokens, _, database in
            for _ in 1...10 {
                // given
                let token = try await tokens.issue(to: holder)

                // when
                let outcomes = try await withThrowingTaskGroup(of: RefreshTokens.Rotation.self) { group in
                    for _ in 1...4 { group.addTask { try await tokens.rotate(token) } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }

                // then
                let replaced = outcomes.filter { if case .replaced = $0 { true } else { false } }
                let reused = outcomes.filter { if case .reused = $0 { true } else { false } }
                #expect(replaced.count == 1)
                #expect(reused.count == 1)
                let left = try await database.pool.withConnection { try $0.query("select 1 from volatile.refresh_tokens").count }
                #expect(left == 0)
            }
        }
    }

    @Test func `an expired token is worth nothing and is deleted in time`() async throws {
        try await with { tokens, clock, _ in
            // given
            let old = try await tokens.issue(to: holder)
            clock.advance(seconds: 500)
            let young = try await tokens.issue(to: holder)

            // when
            clock.advance(seconds: 500)

            // then
            #expect(try await tokens.holder(of: old) == nil)
            guard case .unknown = try await tokens.rotate(old) else {
                Issue.record("an expired token was taken")
                return
            }
            #expect(try await tokens.deleteExpired() == 1)
            #expect(try await tokens.holder(of: young) == holder)
        }
    }

    @Test(arguments: ["", "abc", "Zb0dGqQ3gk1Vw8Q0S3cV1mX7y5nT9uLr2eJhKfPaWdE=", String(repeating: "A", count: 44)])
    func `a text that is no token is none`(_ text: String) {
        #expect(RefreshToken(text) == nil)
    }

    @Test func `a token survives being written and read`() {
        let token = RefreshToken()
        #expect(RefreshToken(token.text) == token)
        #expect(token != RefreshToken())
    }

    @Test func `all families of an account end at once, and nobody else's`() async throws {
        try await with { tokens, _, _ in
            // given
            var mine: [RefreshToken] = []
            for session in 1...3 {
                mine.append(try await tokens.issue(to: .init(user: holder.user, session: Samples.id(session))))
            }
            let other = try await tokens.issue(to: .init(user: Samples.id(2), session: Samples.id(9)))

            // when, while they are being used
            let rotated = try await withThrowingTaskGroup(of: RefreshToken?.self) { group in
                for token in mine {
                    group.addTask {
                        guard case .replaced(let next, _) = try await tokens.rotate(token) else { return nil }
                        return next
                    }
                }
                group.addTask {
                    try await tokens.endAll(of: holder.user)
                    return nil
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            // then
            for token in mine + rotated.compactMap(\.self) {
                guard case .unknown = try await tokens.rotate(token) else {
                    Issue.record("a token outlived its account")
                    continue
                }
            }
            #expect(try await tokens.holder(of: other)?.user == Samples.id(2))
        }
    }

    @Test func `the other families of an account end, but for those that begin from a time on, however young their tokens are`()
        async throws
    {
        try await with { tokens, clock, _ in
            // given
            let mine = try await tokens.issue(to: holder)
            let old = try await tokens.issue(to: .init(user: holder.user, session: Samples.id(2)))
            let foreign = try await tokens.issue(to: .init(user: Samples.id(2), session: Samples.id(3)))
            clock.advance(seconds: 10)
            let time = clock.microseconds
            guard case .replaced(let renewed, _) = try await tokens.rotate(old) else {
                Issue.record("not replaced")
                return
            }
            let later = try await tokens.issue(to: .init(user: holder.user, session: Samples.id(4)))

            // when
            let ended = try await tokens.endOthers(of: holder.user, but: holder.session, openedBefore: time)

            // then
            #expect(ended == [Samples.id(2)])
            for token in [old, renewed] { #expect(try await tokens.holder(of: token) == nil) }
            for token in [mine, foreign, later] { #expect(try await tokens.holder(of: token) != nil) }
            #expect(try await tokens.endOthers(of: holder.user, but: holder.session, openedBefore: time).isEmpty)
        }
    }
}

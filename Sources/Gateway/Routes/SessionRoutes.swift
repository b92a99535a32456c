import Domain
import FoundationEssentials
import HTTP
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Projections

/// Signing in and out, going on with a session, and what ends all sessions of an account.
struct SessionRoutes: Sendable {
    let proxy: CommandProxy
    let access: AccessTokens
    let refresh: RefreshTokens
    let ended: EndedSessions
    let contas: ContasQueries
    /// Microseconds since the Unix epoch.
    let clock: @Sendable () -> Int64

    func add(to doors: Doors) {
        doors.anonymous.post("auth/login", use: logIn)
        doors.anonymous.post("auth/refresh", use: goOn)
        doors.members.post("auth/logout", use: logOut)
        doors.members.delete("users/me", use: erase)
        doors.members.post("users/me/password", use: changePassword)
        doors.members.post("admin/users/{id}/block", use: block)
        doors.members.post("admin/users/{id}/unblock", use: unblock)
    }

    /// What `usuarios` says of the session that it opened.
    private struct OpenedSession: Decodable {
        let userId: String
        let role: String
        /// Absent for all.
        let unitIds: [String]?
        let sessionId: String
    }

    private struct Tokens: Encodable, Sendable {
        let token: String
        let refreshToken: String
        let role: String
        let userId: String
        /// Seconds that the token holds.
        let expiresIn: Int64
    }

    @Sendable private func logIn(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let answer = try await proxy.send(request, context, along: .login)
        guard answer.status == .ok else { return try CommandProxy.response(to: answer) }
        guard let opened = try? JSON.decode(OpenedSession.self, from: Array(buffer: answer.body)),
            let user = UsuarioID(opened.userId), let role = Papel(rawValue: opened.role), let session = SessaoID(opened.sessionId)
        else { throw Problem.badGateway }
        let units = try opened.unitIds.map { texts in
            guard let units = Set<UnidadeID>(texts: texts) else { throw Problem.badGateway }
            return units
        }
        let identity = Identity(user: user, role: role, units: units, session: session)
        let refreshToken = try await refresh.issue(to: .init(user: user, session: session))
        var response = try await tokens(for: identity, refreshToken, request, context)
        response.headers[.position] = answer.headers[.position]
        return response
    }

    private struct RefreshRequest: Decodable {
        let refreshToken: String
    }

    /// Exchanges a refresh token for new tokens. Role, units and blocks are looked up, so that they take effect here at the latest.
    @Sendable private func goOn(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let (input, _) = try await request.json(RefreshRequest.self)
        guard let token = RefreshToken(input.refreshToken) else { throw Problem.unauthenticated }
        // Looked at before the token is used up: a caller told to come back later must still be able to.
        let account = try await accountOfUsableToken(token)
        switch try await refresh.rotate(token) {
        case .replaced(let next, let holder):
            guard let account else { throw Problem.unauthenticated }
            let identity = Identity(user: holder.user, role: account.role, units: account.units, session: holder.session)
            return try await tokens(for: identity, next, request, context)
        case .reused(let holder):
            context.logger.warning("a refresh token came twice", metadata: ["session": "\(holder.session.texto)"])
            await revokeCopiedSession(of: holder, context)
            throw Problem.unauthenticated
        case .unknown:
            throw Problem.unauthenticated
        }
    }

    /// Whose role and units a new access token would carry; nil for a token that cannot be used.
    ///
    /// - Throws: 401 for a blocked member or an ended session, whose tokens end now; 503 while the read model has yet to
    ///   hear of them.
    private func accountOfUsableToken(_ token: RefreshToken) async throws -> UserRecord? {
        guard let holder = try await refresh.holder(of: token) else { return nil }
        guard let user = try await contas.user(holder.user), let session = try await contas.session(holder.session) else {
            throw Problem.unavailable
        }
        guard !user.blocked, session.revokedAt == nil else {
            try await refresh.endFamily(of: holder.session)
            throw Problem.unauthenticated
        }
        return user
    }

    /// Records that the session ended. Its refresh tokens are gone already, so a failure here leaves nothing usable behind
    /// but an access token that expires soon.
    private func revokeCopiedSession(of holder: RefreshTokens.Holder, _ context: CoworkRequestContext) async {
        do {
            let call = ServiceClient.Call(
                service: .usuarios,
                method: .post,
                path: "/internal/sessions/\(holder.session.texto)/revoke",
                headers: [.contentType: "application/json", .requestID: context.requestID],
                identity: Identity(user: holder.user, role: .membro, units: nil, session: holder.session),
                body: Array(#"{"reason":"\#(MotivoDeRevogacao.reusoDeToken.rawValue)"}"#.utf8)
            )
            let answer = try await proxy.client.send(call, logger: context.logger)
            guard answer.status.kind != .successful else { return }
            context.logger.error("a copied session was not revoked", metadata: ["status": "\(answer.status.code)"])
        } catch {
            context.logger.error("a copied session was not revoked", metadata: ["error": "\(error)"])
        }
    }

    @Sendable private func logOut(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let identity = try context.signedIn()
        let answer = try await proxy.send(request, context, along: .logout)
        if answer.status.kind == .successful {
            ended.end(identity.session)
            try await refresh.endFamily(of: identity.session)
        }
        return try CommandProxy.response(to: answer)
    }

    /// Erases the one who asks, and signs them out everywhere.
    @Sendable private func erase(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let user = try context.signedIn().user
        let answer = try await proxy.send(request, context, along: .eraseMe)
        if answer.status.kind == .successful { await endEverything(of: user, context) }
        return try CommandProxy.response(to: answer)
    }

    /// Ends the person's other sessions. One that is opened meanwhile, with the new password, is none of them.
    @Sendable private func changePassword(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let identity = try context.signedIn()
        let begun = clock()
        let answer = try await proxy.send(request, context, along: .changePassword)
        if answer.status.kind == .successful {
            do {
                let others = try await refresh.endOthers(of: identity.user, but: identity.session, openedBefore: begun)
                for session in others { ended.end(session) }
            } catch {
                context.logger.error(
                    "refresh tokens were not deleted", metadata: ["account": "\(identity.user.texto)", "error": "\(error)"]
                )
            }
        }
        return try CommandProxy.response(to: answer)
    }

    @Sendable private func block(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let user: UsuarioID = try context.id("id")
        let answer = try await proxy.send(request, context, along: .block)
        if answer.status.kind == .successful { await endEverything(of: user, context) }
        return try CommandProxy.response(to: answer)
    }

    @Sendable private func unblock(_ request: Request, _ context: CoworkRequestContext) async throws -> Response {
        let user: UsuarioID = try context.id("id")
        let answer = try await proxy.send(request, context, along: .unblock)
        if answer.status.kind == .successful { ended.admit(user) }
        return try CommandProxy.response(to: answer)
    }

    /// What happened is in the log, whose sessions have ended with it; the tokens that this fails to delete are refused all the same
    /// as soon as the read model has it.
    private func endEverything(of user: UsuarioID, _ context: CoworkRequestContext) async {
        ended.endAll(of: user)
        do {
            try await refresh.endAll(of: user)
        } catch {
            context.logger.error("refresh tokens were not deleted", metadata: ["account": "\(user.texto)", "error": "\(error)"])
        }
    }

    private func tokens(
        for identity: Identity,
        _ refreshToken: RefreshToken,
        _ request: Request,
        _ context: CoworkRequestContext
    ) async throws -> Response {
        let body = Tokens(
            token: try await access.issue(to: identity),
            refreshToken: refreshToken.text,
            role: identity.role.rawValue,
            userId: identity.user.texto,
            expiresIn: access.lifetime
        )
        var response = try JSONAnswer(body).response(from: request, context: context)
        response.headers[.cacheControl] = "no-store"
        return response
    }
}

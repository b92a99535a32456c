import HTTP
import Hummingbird

/// The three ways into the gateway.
struct Doors {
    /// No token is looked at.
    let anonymous: RouterGroup<CoworkRequestContext>
    /// A token may be sent, and must then be valid.
    let everybody: RouterGroup<CoworkRequestContext>
    /// A valid token is needed.
    let members: RouterGroup<CoworkRequestContext>

    init(_ base: RouterGroup<CoworkRequestContext>, tokens: AccessTokens, ended: EndedSessions) {
        anonymous = base
        everybody = base.group().add(middleware: AuthenticationMiddleware(tokens: tokens, ended: ended, isRequired: false))
        members = base.group().add(middleware: AuthenticationMiddleware(tokens: tokens, ended: ended, isRequired: true))
    }

    func door(for audience: CommandRoute.Audience) -> RouterGroup<CoworkRequestContext> {
        switch audience {
        case .anonymous: anonymous
        case .everybody: everybody
        case .members: members
        }
    }
}

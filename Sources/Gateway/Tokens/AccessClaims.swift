import JWTKit

/// What an access token says.
struct AccessClaims: JWTPayload {
    static let issuer = "coworkflow"

    let iss: String
    /// The member.
    let sub: String
    let role: String
    /// The units that the role is for; absent for all.
    let units: [String]?
    /// The session, which logging out ends.
    let sid: String
    /// Seconds since the Unix epoch.
    let iat: Int64
    let exp: Int64

    /// Issuer and times are checked by `AccessTokens`, which knows what time it is.
    func verify(using algorithm: some JWTAlgorithm) {}
}

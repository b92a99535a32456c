package import Crypto
package import Domain
import FoundationEssentials
package import HTTPTypes

/// Who a request is made by, as the gateway found out.
package struct Identity: Sendable, Equatable {
    package let user: UsuarioID
    package let role: Papel
    /// The units that the role is for; nil for all.
    package let units: Set<UnidadeID>?
    package let session: SessaoID

    package init(user: UsuarioID, role: Papel, units: Set<UnidadeID>?, session: SessaoID) {
        self.user = user
        self.role = role
        self.units = units
        self.session = session
    }

    package var actor: Ator { Ator(usuario: user, papel: role, unidades: units) }
}

extension HTTPField.Name {
    /// The log's position of what a command recorded.
    package static let position = Self.known("CoworkFlow-Position")
    /// The position that a query must have considered.
    package static let after = Self.known("CoworkFlow-After")
    /// The read models that had not considered it in time.
    package static let stale = Self.known("CoworkFlow-Stale")
    package static let idempotencyKey = Self.known("Idempotency-Key")
    package static let requestID = Self.known("X-Request-ID")
    package static let traceparent = Self.known("traceparent")
    /// Who asks, signed by the gateway. Never taken from outside.
    package static let identity = Self.known("CoworkFlow-Identity")

    private static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is no header name") }
        return name
    }
}

/// Carries an identity from the gateway to a service: signed, so that nobody else can claim one, and short-lived.
package struct IdentitySigner: Sendable {
    /// How long an assertion holds, in seconds: longer than any request takes.
    private static let lifetime: Int64 = 60
    /// Stands for all units. What has another number of parts, as assertions had before units were named, is none of ours.
    private static let everyUnit = "*"
    private static let parts = 6

    let key: SymmetricKey
    private let clock: @Sendable () -> Int64

    /// - Parameters:
    ///   - key: shared by gateway and services.
    ///   - clock: microseconds since the Unix epoch.
    package init(key: SymmetricKey, clock: @escaping @Sendable () -> Int64) {
        self.key = key
        self.clock = clock
    }

    package func sign(_ identity: Identity) -> String {
        let expires = clock() / 1_000_000 + Self.lifetime
        let units = identity.units?.texts.joined(separator: ",") ?? Self.everyUnit
        let claim = "\(identity.user.texto);\(identity.role.rawValue);\(units);\(identity.session.texto);\(expires)"
        let mac = HMAC<SHA256>.authenticationCode(for: Array(claim.utf8), using: key)
        return "\(claim);\(Data(mac).base64EncodedString())"
    }

    /// Nil unless the assertion is ours and still holds.
    package func verify(_ assertion: String) -> Identity? {
        let parts = assertion.split(separator: ";", omittingEmptySubsequences: false)
        guard parts.count == Self.parts, let mac = Data(base64Encoded: String(parts[5])),
            HMAC<SHA256>.isValidAuthenticationCode(mac, authenticating: Array(parts[..<5].joined(separator: ";").utf8), using: key),
            let expires = Int64(parts[4]), expires >= clock() / 1_000_000,
            let user = UsuarioID(String(parts[0])), let role = Papel(rawValue: String(parts[1])),
            let session = SessaoID(String(parts[3]))
        else { return nil }
        if parts[2] == Self.everyUnit { return Identity(user: user, role: role, units: nil, session: session) }
        guard let units = Set<UnidadeID>(texts: parts[2].split(separator: ",")) else { return nil }
        return Identity(user: user, role: role, units: units, session: session)
    }
}

extension Set<UnidadeID> {
    /// Nil unless every text is the id of a unit.
    package init?<Texts: Sequence>(texts: Texts) where Texts.Element: StringProtocol {
        var units: Set<UnidadeID> = []
        for text in texts {
            guard let unit = UnidadeID(text) else { return nil }
            units.insert(unit)
        }
        self = units
    }

    /// Their ids in one order, whichever way the set was made.
    package var texts: [String] { sorted().map(\.texto) }
}

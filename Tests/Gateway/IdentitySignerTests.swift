import Crypto
import Domain
import FoundationEssentials
import HTTP
import Testing

/// Who asks, as the gateway says it to a service.
@Suite struct IdentitySignerTests {
    private static let key = SymmetricKey(size: .bits256)
    private static let units: [Set<UnidadeID>?] = [nil, [], [Samples.id(1)], [Samples.id(1), Samples.id(2)]]

    private let clock = TestClock()

    private var signer: IdentitySigner {
        let clock = clock
        return IdentitySigner(key: Self.key, clock: { clock.microseconds })
    }

    /// Signed with the right key, whatever it says.
    private func signed(_ claim: String) -> String {
        "\(claim);\(Data(HMAC<SHA256>.authenticationCode(for: Array(claim.utf8), using: Self.key)).base64EncodedString())"
    }

    private var expires: Int64 { clock.microseconds / 1_000_000 + 60 }

    @Test(arguments: units, Papel.allCases)
    func `an assertion says who asks, with which role in which units`(_ units: Set<UnidadeID>?, _ role: Papel) {
        let identity = TestGateway.identity(1, role, units: units)
        let assertion = signer.sign(identity)
        #expect(signer.verify(assertion) == identity)
        clock.advance(seconds: 61)
        #expect(signer.verify(assertion) == nil)
    }

    @Test func `units that were added, taken away or replaced are nobody's`() throws {
        let (one, other) = ((Samples.id(1) as UnidadeID).texto, (Samples.id(2) as UnidadeID).texto)
        let good = signer.sign(TestGateway.identity(1, .gestor, units: [Samples.id(1)]))
        #expect(signer.verify(good) != nil)
        for forged in ["*", "", "\(one),\(other)", other] {
            let assertion = good.replacing(";\(one);", with: ";\(forged);")
            #expect(assertion != good)
            #expect(signer.verify(assertion) == nil, "\(forged)")
        }
    }

    @Test func `what has no units, or none that make sense, is none of ours though it is signed`() {
        let (user, session) = ((Samples.id(1) as UsuarioID).texto, (Samples.id(1) as SessaoID).texto)
        #expect(signer.verify(signed("\(user);gestor;*;\(session);\(expires)")) == TestGateway.identity(1, .gestor))
        // As assertions were before units were named
        #expect(signer.verify(signed("\(user);gestor;\(session);\(expires)")) == nil)
        for units in ["x", "*,*", "\(user);\(user)", "**"] {
            #expect(signer.verify(signed("\(user);gestor;\(units);\(session);\(expires)")) == nil, "\(units)")
        }
    }
}

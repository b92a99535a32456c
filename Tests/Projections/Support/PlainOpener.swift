import Domain
import EventStore

@testable import Projections

/// Stands in for the keyring: a sealed text is its field's name and what it says.
struct PlainOpener: SealOpener {
    struct WrongField: Error {}

    static func seal(_ text: String, field: String) -> Selado {
        Selado("\(field):\(text)")
    }

    func openOrErased(_ sealed: Selado, field: String) async throws -> String {
        guard sealed.texto.hasPrefix("\(field):") else { throw WrongField() }
        return String(sealed.texto.dropFirst(field.count + 1))
    }
}

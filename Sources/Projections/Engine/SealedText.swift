package import Domain
package import EventStore

/// A sealed text and the name of the field that it was sealed for: the JSON key of the event's field.
package struct SealedText: Sendable, Hashable {
    package let sealed: Selado
    package let field: String

    package init(_ sealed: Selado, field: String) {
        self.sealed = sealed
        self.field = field
    }
}

/// What opens sealed texts for read models.
package protocol SealOpener: Sendable {
    /// The text inside, or what stands for erased data where its owner was erased.
    func openOrErased(_ sealed: Selado, field: String) async throws -> String
}

extension Keyring: SealOpener {}

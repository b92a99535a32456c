import Crypto
package import Domain
import EventStore

/// What is kept ready for queries, as a function of the log: which events matter, which tables there are, and how each
/// event changes them.
///
/// Applied from the first event on, in any batches, it must give the same rows: no clock, no randomness, no reading.
package protocol ReadModel: Sendable {
    /// Names the model and begins the names of its tables.
    var name: String { get }
    var tables: [Table] { get }
    /// The types of event that change it, by their names of today; events recorded under an earlier name are among them.
    var eventTypes: Set<String> { get }
    /// To be raised whenever `apply` gives other rows for the same events: the model is then built anew.
    var revision: Int { get }

    /// The sealed texts of an event that `apply` asks for.
    func sealedTexts(in event: EventoDoDominio) -> [SealedText]

    /// Describes how the event changes rows.
    func apply(_ event: ProjectedEvent, to changes: inout Changes) throws
}

extension ReadModel {
    package func sealedTexts(in event: EventoDoDominio) -> [SealedText] { [] }

    /// Those of its events after which something that was sealed reads as erased.
    var erasures: Set<String> { eventTypes.intersection([UsuarioApagado.tipo, PrazoDosLivrosEncerrado.tipo]) }

    /// Tells this form of the model from every other; stored beside its checkpoint.
    var definition: String {
        let parts = [name, String(revision)] + eventTypes.sorted() + tables.flatMap { $0.definition(in: "schema") }
        return SHA256.hash(data: Array(parts.joined(separator: "\n\n").utf8)).hexadecimal
    }
}

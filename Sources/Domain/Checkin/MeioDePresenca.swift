/// How it became known that somebody came or left.
package enum MeioDePresenca: String, Sendable, Codable, CaseIterable {
    /// The member said so.
    case membro
    /// Somebody of the desk did.
    case recepcao
    /// A code of the member's was read at the desk.
    case codigo
    /// Nobody said that they left, and it was closed.
    case prazo
}

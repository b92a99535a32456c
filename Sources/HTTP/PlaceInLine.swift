package import Domain

/// A place in the waitlist as the API names it. It says in which line it is, because that is where it is kept; to callers it is a text
/// without meaning.
package struct PlaceInLine: Sendable, Equatable {
    package let entry: EsperaID
    package let space: EspacoID
    /// The UTC day on which the span begins.
    package let day: DataCivil

    package init(_ entry: EsperaID, _ space: EspacoID, _ day: DataCivil) {
        self.entry = entry
        self.space = space
        self.day = day
    }

    /// Nil for what names no place.
    package init?(_ text: String) {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 3, let entry = EsperaID(parts[0]), let space = EspacoID(parts[1]), let day = DataCivil(parts[2]) else {
            return nil
        }
        self.init(entry, space, day)
    }

    package var text: String { "\(entry.texto)_\(space.texto)_\(day.texto)" }
}

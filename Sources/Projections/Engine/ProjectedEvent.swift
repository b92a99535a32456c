package import Domain
package import EventStore

/// An event on its way into a read model: decoded, its sealed texts opened.
package struct ProjectedEvent: Sendable {
    /// `apply` asked for a sealed text that `sealedTexts(in:)` does not name.
    struct NotOpened: PlainlyDescribed {
        let type: String

        var description: String { "a sealed text of \(type) was not opened beforehand" }
    }

    package let recorded: RecordedEvent
    package let event: EventoDoDominio
    private let texts: [Selado: String]

    init(recorded: RecordedEvent, event: EventoDoDominio, texts: [Selado: String]) {
        self.recorded = recorded
        self.event = event
        self.texts = texts
    }

    package var position: Position { recorded.position }

    /// What a sealed text of the event says; what stands for erased data where its owner was erased.
    package func text(of sealed: Selado) throws -> String {
        guard let text = texts[sealed] else { throw NotOpened(type: recorded.type) }
        return text
    }
}

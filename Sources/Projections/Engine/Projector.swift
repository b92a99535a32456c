import Domain
import EventStore

/// Turns recorded events into changes of one read model's rows.
struct Projector: Sendable {
    let model: any ReadModel
    private let recordedTypes: Set<String>
    private let decoded: DecodedEvents
    let opener: any SealOpener

    init(_ model: any ReadModel, decoded: DecodedEvents, opener: any SealOpener) {
        self.model = model
        recordedTypes = decoded.recordedTypes(of: model.eventTypes)
        self.decoded = decoded
        self.opener = opener
    }

    /// What all of these events change, in order. Of events that the model does not want, nothing is decoded.
    ///
    /// - Parameter skipped: the positions that `DeadLetters.skipped` names for this model. Whoever applies events, live or in
    ///   a replay, passes over them.
    func changes(by events: some Sequence<RecordedEvent>, skipping skipped: Set<Position>) async throws -> Changes {
        var changes = Changes(model.tables)
        for recorded in events where recordedTypes.contains(recorded.type) && !skipped.contains(recorded.position) {
            let event = try decoded.event(recorded)
            var texts: [Selado: String] = [:]
            for text in model.sealedTexts(in: event) {
                texts[text.sealed] = try await opener.openOrErased(text.sealed, field: text.field)
            }
            changes.position = recorded.position
            try model.apply(ProjectedEvent(recorded: recorded, event: event, texts: texts), to: &changes)
        }
        return changes
    }
}

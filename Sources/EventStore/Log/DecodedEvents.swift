package import Domain
import FoundationEssentials
import Synchronization

/// Events of one log, decoded. An event never changes, so what was decoded once need not be again: commands load the same
/// spaces, tariffs and agendas over and over, and decoding them was the larger part of what a command cost.
package final class DecodedEvents: Sendable {
    private let codec: CodecDeEventos
    private let capacity: Int
    private let events: Mutex<RecentlyUsed<UUID, EventoDoDominio>>

    /// - Parameter capacity: events kept at most; a few kilobytes each. 0 for whoever goes through the log once.
    package init(codec: CodecDeEventos = .padrao, capacity: Int = 4096) {
        self.codec = codec
        self.capacity = capacity
        events = Mutex(RecentlyUsed(capacity: capacity))
    }

    /// The domain's event in a recorded one of this log.
    package func event(_ recorded: RecordedEvent) throws(ErroDeCodec) -> EventoDoDominio {
        guard capacity > 0 else { return try codec.decode(recorded) }
        if let known = events.withLock({ $0.value(for: recorded.id) }) { return known }
        let event = try codec.decode(recorded)
        remember(event, as: recorded.id)
        return event
    }

    /// The names under which events of these types are recorded: their own, and those that they had before.
    package func recordedTypes(of types: Set<String>) -> Set<String> {
        codec.tiposGravados(de: types)
    }

    /// Keeps an event that is about to be recorded under this id, so that who records it need not decode it later.
    func remember(_ event: EventoDoDominio, as id: UUID) {
        events.withLock { $0.set(event, for: id) }
    }

    /// How many events are kept.
    var count: Int { events.withLock(\.count) }
}

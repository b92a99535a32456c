package import Domain
import FoundationEssentials
import Synchronization

/// Events of one log, decoded. An event never changes, so what was decoded once need not be again: commands load the same
/// spaces, tariffs and agendas over and over, and decoding them was the larger part of what a command cost.
package final class DecodedEvents: Sendable {
    /// Two halves of a bounded cache: what is asked for moves to the young half, and when that is full it becomes the old one.
    private struct Halves {
        var young: [UUID: EventoDoDominio] = [:]
        var old: [UUID: EventoDoDominio] = [:]
    }

    private let codec: CodecDeEventos
    private let capacity: Int
    private let halves = Mutex(Halves())

    /// - Parameter capacity: events kept at most; a few kilobytes each. 0 for whoever goes through the log once.
    package init(codec: CodecDeEventos = .padrao, capacity: Int = 4096) {
        self.codec = codec
        self.capacity = capacity
    }

    /// The domain's event in a recorded one of this log.
    package func event(_ recorded: RecordedEvent) throws(ErroDeCodec) -> EventoDoDominio {
        guard capacity > 0 else { return try codec.decode(recorded) }
        if let known = known(recorded.id) { return known }
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
        halves.withLock { halves in
            if halves.young.count >= capacity / 2 {
                halves.old = halves.young
                halves.young = [:]
            }
            halves.young[id] = event
        }
    }

    private func known(_ id: UUID) -> EventoDoDominio? {
        halves.withLock { halves in
            if let event = halves.young[id] { return event }
            // Moved, not copied, so that the two together stay within the capacity.
            guard let event = halves.old.removeValue(forKey: id) else { return nil }
            halves.young[id] = event
            return event
        }
    }

    /// How many events are kept.
    var count: Int {
        halves.withLock { Set($0.young.keys).union($0.old.keys).count }
    }
}

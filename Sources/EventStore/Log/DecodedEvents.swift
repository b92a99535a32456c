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

    /// - Parameter capacity: events kept at most; a few kilobytes each.
    package init(codec: CodecDeEventos = .padrao, capacity: Int = 8192) {
        self.codec = codec
        self.capacity = capacity
    }

    /// The domain's event in a recorded one of this log.
    package func event(_ recorded: RecordedEvent) throws(ErroDeCodec) -> EventoDoDominio {
        if let known = known(recorded.id) { return known }
        let event = try codec.decode(recorded)
        halves.withLock { $0.young[recorded.id] = event }
        return event
    }

    private func known(_ id: UUID) -> EventoDoDominio? {
        halves.withLock { halves in
            if let event = halves.young[id] { return event }
            if halves.young.count >= capacity / 2 {
                halves.old = halves.young
                halves.young = [:]
            }
            guard let event = halves.old[id] else { return nil }
            halves.young[id] = event
            return event
        }
    }

    /// How many events are kept.
    var count: Int {
        halves.withLock { Set($0.young.keys).union($0.old.keys).count }
    }
}

package import Domain

/// A message on its way to one person, with everything opened.
package struct OutgoingMessage: Sendable {
    package let id: NotificacaoID
    package let channel: Canal
    /// Where to, as the channel writes addresses.
    package let to: String
    package let name: String
    package let language: IdiomaDoAviso
    package let title: String
    package let text: String
    /// What it tells of, where nobody wrote it.
    package let told: ToldNotice?
    /// When it was asked for.
    package let at: Instante
}

/// What a message tells of.
package struct ToldNotice: Sendable {
    package let notice: Aviso
    /// How many events the booking's stream had by then, and when it last changed; nil where it tells of no booking.
    package let booking: BookingState?
}

/// How far a booking was.
package struct BookingState: Sendable {
    package let id: ReservaID
    package let version: Int
    package let changed: Instante
}

/// Hands messages over to whoever carries them on.
package protocol Carrier: Sendable {
    /// Comes back when the message was taken. The same message may be handed over again where nobody knows whether it was; its id
    /// goes with it.
    func deliver(_ message: OutgoingMessage) async throws(DeliveryFailure)
}

/// The message was not taken.
package struct DeliveryFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// Whether it may be taken later.
    package let isTransient: Bool
    /// Without addresses and texts: it may end in a log.
    package let reason: String

    package init(isTransient: Bool, reason: String) {
        self.isTransient = isTransient
        self.reason = reason
    }

    package var description: String { reason }
}

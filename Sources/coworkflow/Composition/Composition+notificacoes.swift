import Domain
import EventStore
import Gateway
import HTTP
import Hummingbird
import NotificacoesService
import SMTP
import ServiceLifecycle

/// The parts of `notificacoes`.
extension Composition {
    func notificacoes(
        _ dependencies: ServiceDependencies,
        _ parts: CommandParts,
        router: Router<CoworkRequestContext>,
        queue: EventFeed.Queue?
    ) throws -> [any Service] {
        let carriers = try carriers()
        let channels = Set(carriers.keys).union([.app])
        let deliveries = WebhookDeliveries(pool: parts.pool)
        let addresses = AddressGuard(allowsLoopback: settings.environment == .development)
        NotificacoesRoutes(dependencies).add(to: router)
        NotifyRoutes(dependencies, channels: channels, emailKey: settings.secrets.email).add(to: router)
        WebhookRoutes(dependencies, deliveries: deliveries, addresses: addresses).add(to: router)
        guard let queue else { return [] }
        let logger = logger(.service(.notificacoes))
        let desk = NoticeDesk(reader: parts.reader, keyring: parts.keyring, zones: zones, channels: channels)
        let delivery = NoticeDelivery(reader: parts.reader, keyring: parts.keyring, desk: desk, carriers: carriers)
        let sender = WebhookSender(
            deliveries: deliveries,
            reader: parts.reader,
            keyring: parts.keyring,
            addresses: addresses,
            commands: parts.commands,
            logger: logger
        )
        let policy = NotificacoesPolicy()
        let handlers = policy.handlers(parts.commands, desk: desk, delivery: delivery)
        let timers = TimerRunner(pool: parts.pool, handlers: handlers, clock: clock, logger: logger)
        wakes(Set(handlers.keys)) { timers.ring() }
        wakes([WebhookOutbox.subscription]) { sender.ring() }
        // One feed for both: a queue's messages go to one of those who listen to it.
        let feed = EventFeed(connection: parts.connection, queue: queue, logger: logger)
        let target = PolicyTarget(policy, decoded: parts.reader.decoded, pool: parts.pool, timers: timers)
        let outbox = WebhookOutbox(decoded: parts.reader.decoded, pool: parts.pool) { sender.ring() }
        return [
            timers, sender, feed, Subscription(target, feed: feed, reader: parts.reader, logger: logger),
            Subscription(outbox, feed: feed, reader: parts.reader, logger: logger),
        ]
    }

    /// One a channel that is set up.
    private func carriers() throws -> [Canal: any Carrier] {
        var carriers: [Canal: any Carrier] = [:]
        if let mail = settings.outgoing.mail {
            carriers[.email] = try EmailCarrier(pool: SMTPPool(mail.server), sender: mail.from, zones: zones)
        }
        if let sms = settings.outgoing.sms { carriers[.sms] = RelayCarrier(url: sms.url, key: sms.key) }
        if let push = settings.outgoing.push { carriers[.push] = RelayCarrier(url: push.url, key: push.key) }
        return carriers
    }
}

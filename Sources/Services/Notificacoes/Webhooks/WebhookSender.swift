import AsyncHTTPClient
import Domain
package import EventStore
import FoundationEssentials
package import HTTP
package import Logging
import Metrics
import NIOCore
import NIOHTTP1
import ServiceLifecycle

/// Tells webhooks what they are to be told, when it is due.
package final class WebhookSender: Service {
    private static let pause = Duration.milliseconds(500)
    private static let timeout = TimeAmount.seconds(10)
    private static let looksPerPruning = 7_200

    private let deliveries: WebhookDeliveries
    private let reader: LogReader
    private let keyring: Keyring
    private let addresses: AddressGuard
    private let commands: CommandHandling
    private let logger: Logger
    private let signal: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    package init(
        deliveries: WebhookDeliveries,
        reader: LogReader,
        keyring: Keyring,
        addresses: AddressGuard,
        commands: CommandHandling,
        logger: Logger
    ) {
        self.deliveries = deliveries
        self.reader = reader
        self.keyring = keyring
        self.addresses = addresses
        self.commands = commands
        self.logger = logger
        (signal, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Says that there may be something to deliver.
    package func ring() {
        bell.yield()
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                group.addTask {
                    while (try? await Task.sleep(for: Self.pause)) != nil { self.ring() }
                }
                var looks = 0
                for await _ in self.signal {
                    looks += 1
                    do {
                        if looks.isMultiple(of: Self.looksPerPruning) { try await self.deliveries.prune(at: self.now) }
                        while try await self.tick() > 0, !Task.isCancelled {}
                    } catch is CancellationError {
                        break
                    } catch {
                        self.logger.error("deliveries to webhooks could not be read", metadata: ["error": "\(error)"])
                    }
                }
                group.cancelAll()
            }
        }
    }

    private var now: Int64 { commands.now.microssegundos }

    private func tick() async throws -> Int {
        let due = try await deliveries.claim(at: now)
        await withTaskGroup { group in
            for delivery in due { group.addTask { await self.deliver(delivery) } }
        }
        return due.count
    }

    private func deliver(_ delivery: WebhookDelivery) async {
        do {
            let outcome = await attempt(delivery)
            switch outcome {
            case .taken(let status): try await deliveries.delivered(delivery, status: status, at: now)
            case .cancelled: return
            case .refused(let status, let reason):
                Counter(label: "coworkflow_webhook_failures_total").increment()
                let isHopeless = try await deliveries.failed(delivery, status: status, error: reason, at: now)
                if isHopeless { try await switchOff(WebhookID(delivery.webhook)) }
            }
        } catch {
            // The claim lapses, and it is tried again.
            logger.error("a delivery to a webhook could not be settled", metadata: ["error": "\(error)"])
        }
    }

    private func switchOff(_ webhook: WebhookID) async throws {
        _ = try await commands.run(named: "webhook off \(webhook.texto) \(now)") { loader in
            DesativarPorFalhas(webhook: webhook, agora: commands.now)
                .decidir(webhook: .dobrar(try await loader.load(.webhook(webhook))))
        }
        logger.warning("a webhook failed too often and was switched off", metadata: ["webhook": "\(webhook.texto)"])
    }

    private enum Outcome {
        case taken(status: Int)
        case refused(status: Int?, String)
        case cancelled
    }

    private func attempt(_ delivery: WebhookDelivery) async -> Outcome {
        do {
            guard let event = try await reader.events(from: delivery.position, through: delivery.position).first else {
                return .refused(status: nil, "the event is not in the log")
            }
            let body = try WebhookPayload.bytes(of: event)
            let secret = try await keyring.open(delivery.secret, field: "segredo")
            let status = try await post(body, id: event.id.uuidString.lowercased(), to: delivery.url, signedWith: secret)
            return (200..<300).contains(status) ? .taken(status: status) : .refused(status: status, "answered \(status)")
        } catch is CancellationError {
            return .cancelled
        } catch let error as AddressGuard.Refused {
            return .refused(status: nil, error.description)
        } catch let error as HTTPClientError {
            return .refused(status: nil, error.shortDescription)
        } catch {
            return .refused(status: nil, "no answer (\(type(of: error)))")
        }
    }

    /// Connects to the address that was judged, whatever the name says by then, and follows nobody elsewhere.
    private func post(_ body: [UInt8], id: String, to url: String, signedWith secret: String) async throws -> Int {
        let target = try addresses.target(url)
        let address = try await addresses.resolve(target)
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow, timeout: .init(connect: .seconds(5)))
        configuration.dnsOverride = [target.host: address]
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            var request = HTTPClientRequest(url: url)
            request.method = .POST
            request.headers.add(name: "content-type", value: "application/json")
            request.headers.add(name: "user-agent", value: "CoworkFlow-Webhooks/1")
            let seconds = commands.now.segundos
            for (name, value) in DeliverySignature(secret: secret).headers(id: id, time: seconds, body: body) {
                request.headers.add(name: name, value: value)
            }
            request.body = .bytes(ByteBuffer(bytes: body))
            let response = try await client.execute(request, timeout: Self.timeout)
            try await client.shutdown()
            return Int(response.status.code)
        } catch {
            try? await client.shutdown()
            throw error
        }
    }
}

import AsyncHTTPClient
import Domain
import FoundationEssentials
import HTTP
import NIOCore
import NIOHTTP1

/// Hands text and push messages to a gateway that takes them by HTTP: a signed POST, which the gateway answers with 2xx when it has
/// the message, with 4xx when it never will, with anything else when it may later.
package struct RelayCarrier: Carrier {
    private static let timeout = TimeAmount.seconds(15)

    private let url: String
    private let key: String

    /// - Parameters:
    ///   - url: of the gateway, from configuration.
    ///   - key: signs what is sent; the gateway has it too.
    package init(url: String, key: String) {
        self.url = url
        self.key = key
    }

    private struct Body: Encodable {
        let id: String
        let channel: String
        let to: String
        let title: String
        let message: String
        let language: String
    }

    package func deliver(_ message: OutgoingMessage) async throws(DeliveryFailure) {
        let status: Int
        do {
            status = try await post(message)
        } catch {
            throw DeliveryFailure(isTransient: true, reason: "the relay does not answer (\(type(of: error)))")
        }
        guard !(200..<300).contains(status) else { return }
        // Too many requests, or too slow: later it may go better.
        let isFinal = (400..<500).contains(status) && status != 408 && status != 429
        throw DeliveryFailure(isTransient: !isFinal, reason: "the relay answered \(status)")
    }

    private func post(_ message: OutgoingMessage) async throws -> Int {
        let body = try JSON.encode(
            Body(
                id: message.id.texto, channel: message.channel.rawValue, to: message.to, title: message.title, message: message.text,
                language: message.language.rawValue
            )
        )
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/json")
        // The same for every try: the gateway can tell a repeat.
        request.headers.add(name: "idempotency-key", value: message.id.texto)
        let seconds = Int64(Date.now.timeIntervalSince1970)
        for (name, value) in DeliverySignature(secret: key).headers(id: message.id.texto, time: seconds, body: body) {
            request.headers.add(name: name, value: value)
        }
        request.body = .bytes(ByteBuffer(bytes: body))
        return Int(try await HTTPClient.shared.execute(request, timeout: Self.timeout).status.code)
    }
}

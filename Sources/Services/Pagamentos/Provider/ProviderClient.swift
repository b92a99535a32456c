import AsyncHTTPClient
import FoundationEssentials
import NIOCore
import NIOHTTP1

/// Asks a provider over HTTP. What does not answer in time, or with 5xx, is unavailable; the caller may ask again.
struct ProviderClient: Sendable {
    struct Answer: Sendable {
        let status: Int
        let body: [UInt8]
    }

    enum Method {
        case GET
        case POST
        case PUT

        fileprivate var http: HTTPMethod {
            switch self {
            case .GET: .GET
            case .POST: .POST
            case .PUT: .PUT
            }
        }
    }

    /// Shorter than a command's patience and a timer's claim.
    private static let timeout = TimeAmount.seconds(4)
    private static let longestAnswer = 256 * 1024

    private let client: HTTPClient
    private let base: String

    /// - Parameter base: the provider's address, without a slash at its end.
    init(base: String, configuration: HTTPClient.Configuration = .init()) {
        var configuration = configuration
        configuration.redirectConfiguration = .disallow
        configuration.timeout = .init(connect: .seconds(2))
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.base = base
    }

    func send(
        _ method: Method,
        _ path: String,
        headers: [String: String] = [:],
        body: [UInt8]? = nil,
        type: String = "application/json"
    ) async throws(ProviderError) -> Answer {
        var request = HTTPClientRequest(url: base + path)
        request.method = method.http
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let body {
            request.headers.add(name: "Content-Type", value: type)
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        let answer: Answer
        do {
            let response = try await client.execute(request, timeout: Self.timeout)
            let bytes = try await response.body.collect(upTo: Self.longestAnswer)
            answer = Answer(status: Int(response.status.code), body: Array(buffer: bytes))
        } catch {
            throw .unavailable
        }
        guard answer.status < 500, answer.status != 429 else { throw .unavailable }
        return answer
    }

    func shutDown() async {
        try? await client.shutdown()
    }
}

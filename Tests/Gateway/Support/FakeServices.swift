import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Synchronization

/// Stands in for the services: a real server on a free port that notes what it was asked.
final class FakeServices: Sendable {
    struct Received: Sendable {
        let method: HTTPRequest.Method
        let path: String
        let query: String?
        let headers: HTTPFields
        let body: String
    }

    private let log = Mutex<[Received]>([])
    private let answer: @Sendable (Received) async throws -> Response

    private init(_ answer: @escaping @Sendable (Received) async throws -> Response) {
        self.answer = answer
    }

    /// What was asked so far, questions after health aside.
    var received: [Received] {
        log.withLock { $0 }.filter { $0.path != "/health" }
    }

    /// Runs a test while the server answers.
    static func with<Value: Sendable>(
        answering answer: @escaping @Sendable (Received) async throws -> Response,
        _ test: @Sendable @escaping (FakeServices, String) async throws -> Value
    ) async throws -> Value {
        let services = FakeServices(answer)
        let responder = CallbackResponder<BasicRequestContext> { request, _ in
            let received = Received(
                method: request.method,
                path: request.uri.path,
                query: request.uri.query,
                headers: request.headers,
                body: String(buffer: try await request.body.collect(upTo: .max))
            )
            services.log.withLock { $0.append(received) }
            return try await services.answer(received)
        }
        return try await Application(responder: responder, logger: TestDatabase.logger).test(.live) { client in
            try await test(services, "http://127.0.0.1:\(client.port ?? 0)")
        }
    }
}

extension Response {
    static func json(_ text: String, _ status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Response {
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}

/// Holds up whoever waits until it is opened.
final class Gate: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func wait() async {
        for await _ in stream {}
    }

    func open() {
        continuation.finish()
    }
}

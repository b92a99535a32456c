import AsyncHTTPClient
import Domain
import FoundationEssentials
import HTTP
import HTTPTypes
import Logging
import Metrics
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// Sends requests to the services' replicas.
final class ServiceClient: Sendable {
    /// What a service is asked. Nothing of the caller's request goes on but what is named here.
    struct Call: Sendable {
        let service: ServiceName
        let method: HTTPRequest.Method
        /// From the route, with its parameters filled in, and with the query.
        let path: String
        var headers: HTTPFields = [:]
        var identity: Identity?
        var body: [UInt8] = []

        /// Whether doing it twice is as good as once.
        var isRepeatable: Bool {
            method == .get || method == .head || headers[.idempotencyKey] != nil
        }
    }

    /// What a service answered.
    struct Answer: Sendable {
        let status: HTTPResponse.Status
        let headers: HTTPFields
        let body: ByteBuffer
    }

    /// More than any service answers.
    private static let longestAnswer = 4 * 1024 * 1024

    private let client: HTTPClient
    private let signer: IdentitySigner
    private let timeout: Duration
    private let rotations: Mutex<[ServiceName: ReplicaRotation]>

    init(services: [ServiceName: [String]], signer: IdentitySigner, timeout: Duration) {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(1)),
            connectionPool: .init(idleTimeout: .seconds(30))
        )
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 128
        // A replica that is down should be left for the next one, not asked again until the deadline.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.signer = signer
        self.timeout = timeout
        rotations = Mutex(services.mapValues { ReplicaRotation(urls: $0) })
    }

    /// Asks one replica after the other until one answers. Another is asked only where the request cannot have reached the
    /// one before, or where it may be done twice.
    ///
    /// - Throws: `Problem.unavailable` where nothing was done, `Problem.outcomeUnknown` where that is not known;
    ///   `CancellationError`.
    func send(_ call: Call, within limit: Duration? = nil, logger: Logger) async throws -> Answer {
        let deadline = ContinuousClock.now + (limit ?? timeout)
        var mayHaveArrived = false
        for url in candidates(for: call.service) {
            let left = deadline - .now
            guard left > .zero else { break }
            do {
                let answer = try await send(call, to: url, within: left, logger: logger)
                rotations.withLock { $0[call.service]?.answered(url) }
                return answer
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                let failure = Failure(error)
                logger.warning(
                    "a service did not answer",
                    metadata: ["service": "\(call.service.rawValue)", "replica": "\(url)", "reason": "\(failure.reason)"]
                )
                Counter(
                    label: "coworkflow_gateway_service_failures_total",
                    dimensions: [("service", call.service.rawValue), ("reason", failure.reason)]
                ).increment()
                rotations.withLock { $0[call.service]?.failed(url, at: .now) }
                if !failure.neverArrived {
                    mayHaveArrived = true
                    guard call.isRepeatable else { break }
                }
            }
        }
        throw mayHaveArrived && call.method != .get ? Problem.outcomeUnknown : Problem.unavailable
    }

    /// Whether a replica of the service answers that it is up.
    func isUp(_ service: ServiceName, logger: Logger) async -> Bool {
        let call = Call(service: service, method: .get, path: "/health")
        // Whoever asks says what it means that a service is not up; while roles start it means nothing.
        var logger = logger
        logger.logLevel = .error
        return (try? await send(call, within: .seconds(2), logger: logger))?.status == .ok
    }

    func shutDown() async throws {
        try await client.shutdown()
    }

    private func candidates(for service: ServiceName) -> [String] {
        rotations.withLock { $0[service]?.candidates(at: .now) } ?? []
    }

    private func send(_ call: Call, to url: String, within limit: Duration, logger: Logger) async throws -> Answer {
        var request = HTTPClientRequest(url: url + call.path)
        request.method = .init(rawValue: call.method.rawValue)
        for field in call.headers {
            request.headers.add(name: field.name.rawName, value: field.value)
        }
        if let identity = call.identity {
            request.headers.add(name: HTTPField.Name.identity.rawName, value: signer.sign(identity))
        }
        if !call.body.isEmpty {
            request.body = .bytes(ByteBuffer(bytes: call.body))
        }
        let response = try await client.execute(request, timeout: TimeAmount(limit), logger: logger)
        let body = try await response.body.collect(upTo: Self.longestAnswer)
        var headers = HTTPFields()
        for (name, value) in response.headers {
            guard let name = HTTPField.Name(name) else { continue }
            headers.append(HTTPField(name: name, value: value))
        }
        return Answer(status: .init(code: Int(response.status.code)), headers: headers, body: body)
    }

    /// Why a replica did not answer.
    private struct Failure {
        /// From a bounded set.
        let reason: String
        /// Whether no connection was made, so that nothing was sent.
        let neverArrived: Bool

        init(_ error: any Error) {
            switch error {
            case is NIOConnectionError:
                self.init(reason: "no_connection", neverArrived: true)
            case let error as IOError where Self.refusals.contains(error.errnoCode):
                self.init(reason: "no_connection", neverArrived: true)
            case let error as HTTPClientError
            where [.connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout].contains(error):
                self.init(reason: "no_connection", neverArrived: true)
            case let error as HTTPClientError where [.deadlineExceeded, .readTimeout].contains(error):
                self.init(reason: "timeout", neverArrived: false)
            default:
                self.init(reason: "broken", neverArrived: false)
            }
        }

        private init(reason: String, neverArrived: Bool) {
            self.reason = reason
            self.neverArrived = neverArrived
        }

        /// What connecting to an address fails with.
        private static let refusals: Set<CInt> = [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EADDRNOTAVAIL]
    }
}

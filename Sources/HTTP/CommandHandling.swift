package import Crypto
package import Domain
package import EventStore
package import FoundationEssentials
package import HTTPTypes
package import Hummingbird
import NIOCore

/// Runs the commands of a service's HTTP requests: one place that makes command ids, fingerprints and deadlines.
package struct CommandHandling: Sendable {
    /// How long a command may take before its caller is told that the outcome is unknown, in microseconds.
    private static let patience: Int64 = 8_000_000
    private static let namespace = UUID.v5(namespace: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), name: "request".utf8)

    private let executor: CommandExecutor
    private let fingerprintKey: SymmetricKey
    private let clock: @Sendable () -> Int64

    /// - Parameters:
    ///   - fingerprintKey: so that a stored fingerprint says nothing about a body that could be guessed.
    ///   - clock: microseconds since the Unix epoch.
    package init(executor: CommandExecutor, fingerprintKey: SymmetricKey, clock: @escaping @Sendable () -> Int64) {
        self.executor = executor
        self.fingerprintKey = fingerprintKey
        self.clock = clock
    }

    /// The current time.
    package var now: Instante { Instante(microssegundos: clock()) }

    /// A new time-ordered id.
    package func newID<Mark>(_ type: Identificador<Mark>.Type = Identificador<Mark>.self) -> Identificador<Mark> {
        Identificador(UUID.v7(microseconds: clock()))
    }

    /// Decides and records what a request asks for. With an `Idempotency-Key`, the same request by the same person is
    /// recorded once however often it comes.
    ///
    /// - Parameters:
    ///   - body: the request's bytes, which a repeat must bring again.
    ///   - repeatable: whether the key counts. A login's does not: its answer is a secret, which no repeat may be told.
    ///   - role: what it rests on; where nil, the role that the token claims.
    /// - Throws: what `decide` throws; `CommandError`; 400 for a key that is empty or longer than 255 bytes; `RecusaDeUsuarios` where
    ///   the one who asks may not act any more.
    package func run(
        _ request: Request,
        _ context: CoworkRequestContext,
        body: [UInt8],
        repeatable: Bool = true,
        restingOn role: Papel? = nil,
        decide: @Sendable (StreamLoader) async throws -> [EventosDoFluxo]
    ) async throws -> Execution {
        try await executor.execute(try envelope(request, context, body, repeatable: repeatable, restingOn: role), decide: decide)
    }

    /// What a request did when it came before, with the same `Idempotency-Key`; nil where it did nothing so far. For requests that ask
    /// somebody else something before they decide.
    ///
    /// - Throws: as `run` does.
    package func earlier(_ request: Request, _ context: CoworkRequestContext, body: [UInt8]) async throws -> Execution? {
        let command = try envelope(request, context, body, repeatable: true)
        if let earlier = try await executor.earlier(of: command) { return earlier }
        try await executor.requireActor(of: command)
        return nil
    }

    private func envelope(
        _ request: Request,
        _ context: CoworkRequestContext,
        _ body: [UInt8],
        repeatable: Bool,
        restingOn role: Papel? = nil
    ) throws -> CommandEnvelope {
        let principal = context.identity?.user.texto ?? "anonymous"
        let key = repeatable ? request.headers[.idempotencyKey] : nil
        if let key, !(1...255).contains(key.utf8.count) {
            throw Problem.malformed("An Idempotency-Key has 1 to 255 bytes.")
        }
        let commandID =
            key.map { key in
                UUID.v5(
                    namespace: Self.namespace,
                    name: "\(principal)\n\(request.method.rawValue)\n\(request.uri.path)\n\(key)".utf8
                )
            } ?? UUID.v7(microseconds: clock())
        return CommandEnvelope(
            commandID: commandID,
            fingerprint: Array(HMAC<SHA256>.authenticationCode(for: body, using: fingerprintKey)),
            mayRepeat: key != nil,
            deadline: clock() + Self.patience,
            metadata: EventMetadata(
                principal: principal,
                correlation: context.requestID,
                traceparent: request.headers[.traceparent].flatMap(Self.traceContext)
            ),
            actor: context.identity.map { Ator(usuario: $0.user, papel: role ?? $0.role, unidades: $0.units) }
        )
    }

    /// Decides and records what another system says unasked. However often it says so, it takes effect once.
    ///
    /// - Parameters:
    ///   - notice: the notice's id, the same whenever it comes.
    ///   - sender: the system's name, which is recorded.
    package func run(
        notice: String,
        from sender: String,
        decide: @Sendable (StreamLoader) async throws -> [EventosDoFluxo]
    ) async throws -> Execution {
        let command = CommandEnvelope(
            commandID: .v5(namespace: Self.namespace, name: "notice\n\(sender)\n\(notice)".utf8),
            fingerprint: [],
            mayRepeat: true,
            deadline: clock() + Self.patience,
            metadata: EventMetadata(principal: sender)
        )
        return try await executor.execute(command, decide: decide)
    }

    /// A `traceparent` of the first version (W3C Trace Context), nil for anything else: what is recorded stays for ever, so it is
    /// no place for free text.
    private static func traceContext(_ text: String) -> String? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [2, 32, 16, 2], parts[0] == "00",
            parts.joined().utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        return text
    }

    /// Decides and records what a timer asks for. Given twice it takes effect once.
    ///
    /// - Parameter round: for what is too much for one append: each is a command of its own, from 0.
    package func run(
        _ timer: DueTimer,
        of policy: String,
        round: Int = 0,
        decide: @Sendable (StreamLoader) async throws -> [EventosDoFluxo]
    ) async throws -> Execution {
        let command = CommandEnvelope(
            commandID: round == 0 ? timer.commandID : .v5(namespace: timer.commandID, name: "round \(round)".utf8),
            fingerprint: [],
            mayRepeat: true,
            deadline: clock() + Self.patience,
            metadata: EventMetadata(principal: policy, causation: timer.cause.uuidString.lowercased())
        )
        return try await executor.execute(command, decide: decide)
    }

    /// The id of a command that `run(named:)` gives.
    package static func commandID(named name: String) -> UUID {
        .v5(namespace: namespace, name: "command line\n\(name)".utf8)
    }

    /// Decides and records a command of the command line or of the demo data. Given twice with one name it takes effect once.
    package func run(
        named name: String,
        decide: @Sendable (StreamLoader) async throws -> [EventosDoFluxo]
    ) async throws -> Execution {
        let command = CommandEnvelope(
            commandID: Self.commandID(named: name),
            fingerprint: [],
            mayRepeat: true,
            deadline: clock() + Self.patience,
            metadata: EventMetadata(principal: "command line")
        )
        return try await executor.execute(command, decide: decide)
    }
}

extension Identificador {
    package init(_ id: UUID) {
        let bytes = id.bytes
        self.init(
            alto: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) },
            baixo: bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
        )
    }
}

/// A command's answer: a JSON body, and the position of what was recorded.
package struct CommandAnswer<Body: Encodable & Sendable>: ResponseGenerator {
    private let status: HTTPResponse.Status
    private let body: Body
    private let position: Position

    package init(_ body: Body, at position: Position) {
        self.init(.ok, body, at: position)
    }

    package init(_ status: HTTPResponse.Status, _ body: Body, at position: Position) {
        self.status = status
        self.body = body
        self.position = position
    }

    package func response(from request: Request, context: some RequestContext) throws -> Response {
        var response = try JSONAnswer(status, body).response(from: request, context: context)
        response.headers[.position] = position.description
        return response
    }
}

/// An answer with a JSON body.
package struct JSONAnswer<Body: Encodable & Sendable>: ResponseGenerator {
    private let status: HTTPResponse.Status
    private let body: Body

    package init(_ body: Body) {
        self.init(.ok, body)
    }

    package init(_ status: HTTPResponse.Status, _ body: Body) {
        self.status = status
        self.body = body
    }

    package func response(from request: Request, context: some RequestContext) throws -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(bytes: try JSON.encode(body)))
        )
    }
}

/// `{"message": …}`, the old API's way to say that something was done.
package struct Message: Encodable, Sendable {
    package let message: String

    package init(_ message: String) {
        self.message = message
    }
}

/// What a command made: its id, and that it was made.
package struct Created: Encodable, Sendable {
    package let id: String
    package let message: String

    package init(id: String, message: String) {
        self.id = id
        self.message = message
    }
}

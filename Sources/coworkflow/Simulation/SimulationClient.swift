import AsyncHTTPClient
import Domain
import FoundationEssentials
import HTTP
import NIOCore
import NIOHTTP1
import Synchronization

/// JSON to be sent.
enum Body: Encodable, Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByDictionaryLiteral,
    ExpressibleByArrayLiteral, ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral
{
    case text(String)
    case number(Int64)
    case truth(Bool)
    case list([Body])
    case object([String: Body])

    init(stringLiteral value: String) { self = .text(value) }
    init(integerLiteral value: Int64) { self = .number(value) }
    init(booleanLiteral value: Bool) { self = .truth(value) }
    init(arrayLiteral elements: Body...) { self = .list(elements) }
    init(dictionaryLiteral elements: (String, Body)...) { self = .object(Dictionary(elements) { _, last in last }) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .truth(let value): try container.encode(value)
        case .list(let values): try container.encode(values)
        case .object(let values): try container.encode(values)
        }
    }
}

/// What was answered.
struct Reply: Sendable {
    let request: String
    let status: Int
    let bytes: [UInt8]
    /// Of a list: the path of its next page.
    let next: String?

    var isDone: Bool { (200..<300).contains(status) }

    private struct Refused: Decodable {
        let code: String?
    }

    /// Why it was refused, for machines.
    var code: String { (try? JSON.decode(Refused.self, from: bytes))?.code ?? "\(status)" }

    /// - Throws: `SimulationError` where it was refused.
    @inline(never)
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // Out of line, because Swift 6.3's optimiser crashes where this is part of an asynchronous function (coroutine splitting).
        guard isDone else { throw failure }
        return try JSON.decode(type, from: bytes)
    }

    var failure: SimulationError {
        .answered(request, status: status, String(String(decoding: bytes, as: UTF8.self).prefix(300)))
    }
}

/// Speaks to the gateway, and to the sandbox provider's control interface.
struct SimulationClient: Sendable {
    private static let patience = TimeAmount.seconds(60)
    private static let tries = 100

    let http: HTTPClient
    let gateway: String
    let sandbox: String
    /// Of those that may have changed something.
    let commands = Counter()

    final class Counter: Sendable {
        private let value = Mutex(0)

        var count: Int { value.withLock { $0 } }

        func add() { value.withLock { $0 += 1 } }
    }

    init(http: HTTPClient, gateway: String, sandbox: String) {
        self.http = http
        self.gateway = gateway
        self.sandbox = sandbox
    }

    /// - Parameters:
    ///   - token: of who asks; nil for nobody.
    ///   - lenient: whether the caller knows what to do about 401.
    /// - Returns: what was done or refused for a reason of the business.
    /// - Throws: `SimulationError` for every other answer.
    func send(
        _ method: HTTPMethod,
        _ path: String,
        _ body: Body? = nil,
        as token: String? = nil,
        lenient: Bool = false
    ) async throws -> Reply {
        // The same key each time, so that a try that was not heard of does no harm.
        let key = method == .GET ? nil : UUID().uuidString
        return try await settled(lenient) { try await once(method, gateway + path, body, token, key) }
    }

    /// Everything on all pages of a list.
    func list<Item: Decodable>(_ path: String, _ type: Item.Type, as token: String) async throws -> [Item] {
        var items: [Item] = []
        var next: String? = path
        while let page = next {
            let reply = try await send(.GET, page, as: token)
            items += try reply.decode([Item].self)
            next = reply.next
        }
        return items
    }

    func control(_ method: HTTPMethod, _ path: String, _ body: Body? = nil) async throws -> Reply {
        try await settled(false) { try await once(method, sandbox + path, body, nil, nil) }
    }

    private func settled(_ lenient: Bool, _ ask: () async throws -> Reply) async throws -> Reply {
        var reply = try await ask()
        var tries = 1
        // The machine is slow at times, and says so.
        while reply.status == 503 || reply.status == 429, tries < Self.tries {
            try await Task.sleep(for: .milliseconds(20))
            reply = try await ask()
            tries += 1
        }
        switch reply.status {
        case 200..<300, 400, 403, 404, 409, 422: return reply
        case 401 where lenient: return reply
        default: throw reply.failure
        }
    }

    private func once(_ method: HTTPMethod, _ url: String, _ body: Body?, _ token: String?, _ key: String?) async throws -> Reply {
        // Whoever asks whether anything was done since must not miss what is being done.
        if method != .GET { commands.add() }
        defer { if method != .GET { commands.add() } }
        var request = HTTPClientRequest(url: url)
        request.method = method
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: try JSON.encode(body)))
        }
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let key { request.headers.add(name: "Idempotency-Key", value: key) }
        let response = try await http.execute(request, timeout: Self.patience)
        let bytes = Array(buffer: try await response.body.collect(upTo: 8_000_000))
        let link = response.headers.first(name: "Link").flatMap {
            $0.hasSuffix(">; rel=\"next\"") ? $0.dropFirst().split(separator: ">").first : nil
        }
        return Reply(request: "\(method) \(url)", status: Int(response.status.code), bytes: bytes, next: link.map(String.init))
    }
}

/// Does several things at once, as many as `width`, and gives their outcomes in the order of the things.
func together<Thing: Sendable, Outcome: Sendable>(
    _ things: [Thing],
    width: Int = 8,
    _ body: @escaping @Sendable (Thing) async throws -> Outcome
) async throws -> [Outcome] {
    try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
        var outcomes = [Outcome?](repeating: nil, count: things.count)
        var next = 0
        while next < min(width, things.count) {
            let index = next
            group.addTask { (index, try await body(things[index])) }
            next += 1
        }
        while let (index, outcome) = try await group.next() {
            outcomes[index] = outcome
            guard next < things.count else { continue }
            let index = next
            group.addTask { (index, try await body(things[index])) }
            next += 1
        }
        return outcomes.compactMap(\.self)
    }
}

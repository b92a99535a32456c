import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

/// Speaks to the gateway, signed in or not.
struct Client: Sendable {
    let http: HTTPClient
    let address: String
    var token: String?

    func get(_ path: String, after position: Int? = nil, _ headers: [String: String] = [:]) async throws -> Answer {
        var headers = headers
        if let position { headers["CoworkFlow-After"] = "\(position)" }
        return try await send(.GET, path, headers: headers)
    }

    func post(_ path: String, _ body: JSONValue? = nil, key: String? = nil, _ headers: [String: String] = [:]) async throws -> Answer {
        try await send(.POST, path, body, key: key, headers)
    }

    func put(_ path: String, _ body: JSONValue, key: String? = nil) async throws -> Answer {
        try await send(.PUT, path, body, key: key, [:])
    }

    func delete(_ path: String, _ body: JSONValue? = nil, key: String? = nil) async throws -> Answer {
        try await send(.DELETE, path, body, key: key, [:])
    }

    private func send(
        _ method: HTTPMethod,
        _ path: String,
        _ body: JSONValue?,
        key: String?,
        _ headers: [String: String]
    ) async throws -> Answer {
        var headers = headers
        if let key { headers["Idempotency-Key"] = key }
        guard let body else { return try await send(method, path, headers: headers) }
        headers["Content-Type"] = "application/json"
        return try await send(method, path, headers: headers, body: .bytes(try body.bytes))
    }

    func send(
        _ method: HTTPMethod,
        _ path: String,
        headers: [String: String] = [:],
        body: HTTPClientRequest.Body? = nil
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: address + path)
        request.method = method
        request.body = body
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        let response = try await http.execute(request, timeout: .seconds(30))
        let answer = try await response.body.collect(upTo: 4_000_000)
        return Answer(status: Int(response.status.code), headers: response.headers, bytes: Array(buffer: answer))
    }

    func asking(with token: String?) -> Client {
        var client = self
        client.token = token
        return client
    }

    /// Repeats a command with its key until it is neither 503 nor lost on the way.
    func persistently(within limit: Duration = .seconds(60), _ command: (Client) async throws -> Answer) async throws -> Answer {
        let deadline = ContinuousClock.now + limit
        while true {
            let answer = try? await command(self)
            if let answer, answer.status != 503 { return answer }
            guard ContinuousClock.now < deadline else {
                throw NeverHappened("the command was not answered within \(limit); last: \(answer?.description ?? "nothing")")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}

/// What the gateway answered.
struct Answer: Sendable, CustomStringConvertible {
    let status: Int
    let headers: HTTPHeaders
    let bytes: [UInt8]

    /// Null where the body is no JSON.
    var json: JSONValue { (try? JSONValue(bytes: bytes)) ?? .null }

    subscript(_ key: String) -> JSONValue { json[key] }

    func header(_ name: String) -> String? { headers.first(name: name) }

    var description: String { "\(status) \(String(decoding: bytes.prefix(2_000), as: UTF8.self))" }

    /// A member that must be a text.
    func text(_ key: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
        try #require(json[key].text, "\(key) in \(self)", sourceLocation: sourceLocation)
    }

    /// Where in the log the command's events are.
    func position(sourceLocation: SourceLocation = #_sourceLocation) throws -> Int {
        try #require(header("CoworkFlow-Position").flatMap { Int($0) }, "\(self)", sourceLocation: sourceLocation)
    }

    /// The answer, if it has this status; otherwise the test ends here.
    @discardableResult
    func expect(_ status: Int, sourceLocation: SourceLocation = #_sourceLocation) throws -> Answer {
        try #require(self.status == status, "\(self)", sourceLocation: sourceLocation)
        return self
    }

    /// The answer, if it is a problem document with this status and code.
    @discardableResult
    func expectProblem(_ status: Int, _ code: String, sourceLocation: SourceLocation = #_sourceLocation) -> Answer {
        #expect(self.status == status, "\(self)", sourceLocation: sourceLocation)
        #expect(self["code"].text == code, "\(self)", sourceLocation: sourceLocation)
        expectProblemForm(sourceLocation: sourceLocation)
        return self
    }

    /// Everything that every problem document has.
    func expectProblemForm(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(header("Content-Type") == "application/problem+json", "\(self)", sourceLocation: sourceLocation)
        for key in ["type", "title", "detail", "instance", "error", "code"] {
            #expect(self[key].text?.isEmpty == false, "\(key) in \(self)", sourceLocation: sourceLocation)
        }
        #expect(self["status"].number == Double(status), "\(self)", sourceLocation: sourceLocation)
        #expect(self["error"] == self["detail"], "\(self)", sourceLocation: sourceLocation)
        #expect(header("X-Request-ID") != nil, "\(self)", sourceLocation: sourceLocation)
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        for leak in ["select ", "insert ", "sqlstate", "postgres", ".swift", "fatal"] {
            #expect(!text.contains(leak), "\(self)", sourceLocation: sourceLocation)
        }
    }
}

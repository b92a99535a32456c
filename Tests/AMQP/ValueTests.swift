import Testing

@testable import AMQP

@Suite struct ValueTests {
    @Test func `a URL gives a configuration`() throws {
        let plain = try AMQPConfiguration(url: "amqp://broker")
        #expect((plain.host, plain.port, plain.virtualHost) == ("broker", 5672, "/"))
        #expect((plain.user, plain.password, plain.heartbeat) == ("guest", "guest", .seconds(2)))
        let full = try AMQPConfiguration(
            url:
                "AMQP://us%40er:p%2Fw@[::1]:99/a%2Fb?heartbeat=5&connection_timeout=7&connection_name=n&frame_max=4096&maximum_pending_publishes=3"
        )
        #expect((full.host, full.port, full.virtualHost) == ("::1", 99, "a/b"))
        #expect((full.user, full.password, full.heartbeat) == ("us@er", "p/w", .seconds(5)))
        #expect((full.connectTimeout, full.connectionName, full.frameMax, full.maximumPendingPublishes) == (.seconds(7), "n", 4096, 3))
        #expect(try AMQPConfiguration(url: "amqp://h/").virtualHost == "/")
        #expect(try AMQPConfiguration(url: "amqp://h/%2F").virtualHost == "/")
    }

    @Test(arguments: [
        "", "broker", "http://broker", "amqp://", "amqp://h/a/b", "amqp://h?heartbeat=0", "amqp://h?heartbeat=x", "amqp://h?frame_max=1",
        "amqp://h?unknown=1", "amqp://h:99999", "amqp://h:0", "amqp://h?maximum_pending_publishes=0", "amqp://h?connection_timeout=0",
        "amqp://h?maximum_pending_bytes=0", "amqp://h?cacertfile=/ca.pem", "amqps://h?cacertfile=", "amqps://h?cacertfile",
        "amqps://h?certfile=/c.pem", "amqps://h?keyfile=/k.pem", "amqps://h?cacertfile=/c%00",
    ])
    func `a senseless URL is refused`(_ url: String) {
        #expect(throws: AMQPError.invalidConfiguration) { try AMQPConfiguration(url: url) }
    }

    @Test func `amqps is TLS, with the files that it needs`() throws {
        let plain = try AMQPConfiguration(url: "amqps://user:pass@broker/v")
        #expect((plain.port, plain.tls) == (5671, AMQPTLS()))
        #expect("\(plain)" == "amqps://user@broker:5671/v")
        let full = try AMQPConfiguration(
            url: "amqps://broker:99?cacertfile=/ca.pem&certfile=/a%20b.pem&keyfile=/k.pem&maximum_pending_bytes=7"
        )
        #expect((full.port, full.tls?.authorities, full.maximumPendingBytes) == (99, "/ca.pem", 7))
        #expect((full.tls?.certificate, full.tls?.key) == ("/a b.pem", "/k.pem"))
        #expect(try AMQPConfiguration(url: "amqp://broker").tls == nil)
    }

    @Test func `no description shows the password`() throws {
        let configuration = try AMQPConfiguration(url: "amqp://user:s3cret@broker/v")
        var dumped = ""
        dump(["x": configuration], to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), "\([configuration])", dumped] {
            #expect(!text.contains("s3cret"))
        }
        #expect("\(configuration)" == "amqp://user@broker:5672/v")
    }

    @Test func `errors compare by kind and reply code and have bounded labels`() {
        #expect(AMQPError.serverRefused(code: 404, text: "a") == .serverRefused(code: 404, text: "b"))
        #expect(AMQPError.serverRefused(code: 404, text: "a") != .serverRefused(code: 406, text: "a"))
        #expect(AMQPError.connectionLost(detail: "x") == .connectionLost)
        #expect(AMQPError.serverRefused(code: 404, text: "secret").shortDescription == "server_refused")
        let known: [AMQPError] = [.notConnected, .blocked, .bufferFull, .rejected, .returned, .invalidMessage]
        let unknown: [AMQPError] = [.connectionLost, .timedOut, .cancelled, .closed.withUnknownOutcome()]
        #expect(known.allSatisfy { !$0.outcomeIsUnknown })
        #expect(unknown.allSatisfy { $0.outcomeIsUnknown })
    }

    @Test func `a tag window gives back each tag once`() {
        var window = TagWindow<Int>()
        for number in 1...10 {
            #expect(window.nextTag == UInt64(number))
            window.append(number)
        }
        #expect(window.remove(3) == 3)
        #expect(window.remove(3) == nil)
        #expect(window.remove(0) == nil)
        #expect(window.remove(11) == nil)
        #expect(window[4] == 4)
        #expect(window.removeAll(upTo: 5) == [1, 2, 4, 5])
        #expect(window.removeAll(upTo: 5) == [])
        #expect(window[5] == nil)
        #expect(window.removeAll(upTo: 0) == [6, 7, 8, 9, 10])
        #expect(window.nextTag == 11)
    }

    @Test func `a tag window agrees with a dictionary`() {
        var generator = SystemRandomNumberGenerator()
        var window = TagWindow<UInt64>()
        var model: [UInt64: UInt64] = [:]
        for _ in 0..<20_000 {
            let last = window.nextTag - 1
            let tag = UInt64.random(in: (last > 1_500 ? last - 1_500 : 0)...(last + 2), using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0...5:
                model[window.nextTag] = window.nextTag
                window.append(window.nextTag)
            case 6...8:
                #expect(window.remove(tag) == model.removeValue(forKey: tag))
            default:
                guard tag > 0, tag % 3 == 0 else { continue }
                let expected = model.keys.filter { $0 <= tag }.sorted()
                for key in expected { model.removeValue(forKey: key) }
                #expect(window.removeAll(upTo: tag) == expected)
            }
        }
    }

    @Test func `deadlines come in order`() {
        let start = ContinuousClock.now
        var queue = DeadlineQueue<Int>()
        let numbers = (0..<200).shuffled()
        for number in numbers { queue.insert(number, due: start + .milliseconds(number)) }
        #expect(queue.pop(at: start - .milliseconds(1)) == nil)
        var popped: [Int] = []
        while let number = queue.pop(at: start + .milliseconds(99)) { popped.append(number) }
        #expect(popped == Array(0..<100))
        #expect(queue.earliest == start + .milliseconds(100))
        #expect(queue.pop(at: start, obsolete: { $0 == 100 }) == 100)
        #expect(queue.pop(at: start, obsolete: { $0 == 100 }) == nil)
    }
}

import AMQP
import Glibc
import Synchronization
import TestSupport

/// A TCP proxy in front of the broker that can fall silent, stop reading, cut connections, and put frames of its own between
/// the broker's. One thread serves it until `close()`.
final class FrameProxy: Sendable {
    struct Behaviour {
        /// Nothing is forwarded in either direction, and nobody is told.
        var isSilent = false
        /// What the client sends is left in the socket's buffers.
        var readsClient = true
        /// What the broker sends is left in the socket's buffers.
        var readsBroker = true
        /// New connections are refused at once.
        var refuses = false
        var cuts = false
        var injected: [[UInt8]] = []
        var isClosed = false
        /// What is forwarded is encrypted, so there are no frames to be seen.
        var isEncrypted = false
    }

    private struct Pair {
        let client: Int32
        let broker: Int32
        /// Bytes of a frame from the broker that is not complete.
        var partial: [UInt8] = []
    }

    let port: Int
    let behaviour = Mutex(Behaviour())
    private let listener: Int32
    private let brokerPort: Int

    init(brokerPort: Int) throws {
        self.brokerPort = brokerPort
        (listener, port) = try Self.listenAnywhere()
        var thread = pthread_t()
        let argument = unsafe Unmanaged.passRetained(self).toOpaque()
        let started = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<FrameProxy>.fromOpaque(argument).takeRetainedValue().serve()
                return nil
            }, argument)
        guard started == 0 else { throw NeverHappened("the proxy has no thread") }
        pthread_detach(thread)
    }

    private static func listenAnywhere() throws -> (socket: Int32, port: Int) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(listener, address, length) + listen(listener, 16) + getsockname(listener, address, &length)
            }
        }
        guard status == 0 else { throw NeverHappened("the proxy cannot listen") }
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
    }

    func change(_ change: (inout Behaviour) -> Void) {
        behaviour.withLock { change(&$0) }
    }

    func close() {
        change { $0.isClosed = true }
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private func connectToBroker() -> Int32 {
        let broker = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.loopback(port: brokerPort)
        _ = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(broker, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return broker
    }

    private func serve() {
        var pairs: [Pair] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let now = behaviour.withLock { behaviour in
                defer {
                    behaviour.cuts = false
                    if !pairs.isEmpty { behaviour.injected = [] }
                }
                return behaviour
            }
            if now.cuts || now.isClosed {
                for pair in pairs { drop(pair) }
                pairs = []
            }
            if now.isClosed { break }
            for pair in pairs {
                for frame in now.injected { _ = unsafe send(pair.client, frame, frame.count, Int32(MSG_NOSIGNAL)) }
            }
            var descriptors = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
            for pair in pairs {
                descriptors.append(pollfd(fd: now.isSilent || !now.readsClient ? -1 : pair.client, events: Int16(POLLIN), revents: 0))
                descriptors.append(pollfd(fd: now.isSilent || !now.readsBroker ? -1 : pair.broker, events: Int16(POLLIN), revents: 0))
            }
            _ = unsafe poll(&descriptors, nfds_t(descriptors.count), 10)
            var kept: [Pair] = []
            for (index, pair) in pairs.enumerated() {
                var pair = pair
                let fromClient = descriptors[1 + 2 * index].revents == 0 || forward(from: pair.client, to: pair.broker, &buffer)
                let fromBroker =
                    descriptors[2 + 2 * index].revents == 0
                    || (now.isEncrypted ? forward(from: pair.broker, to: pair.client, &buffer) : forwardFrames(&pair, &buffer))
                if fromClient && fromBroker { kept.append(pair) } else { drop(pair) }
            }
            pairs = kept
            if descriptors[0].revents != 0 {
                let client = accept(listener, nil, nil)
                if now.refuses { Glibc.close(client) } else { pairs.append(Pair(client: client, broker: connectToBroker())) }
            }
        }
        Glibc.close(listener)
    }

    private func drop(_ pair: Pair) {
        Glibc.close(pair.client)
        Glibc.close(pair.broker)
    }

    private func forward(from source: Int32, to target: Int32, _ buffer: inout [UInt8]) -> Bool {
        let count = unsafe recv(source, &buffer, buffer.count, 0)
        return count > 0 && sendAll(buffer[..<count], to: target)
    }

    /// Forwards whole frames only, so that an injected frame always falls between two.
    private func forwardFrames(_ pair: inout Pair, _ buffer: inout [UInt8]) -> Bool {
        let count = unsafe recv(pair.broker, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        pair.partial += buffer[..<count]
        var end = 0
        while pair.partial.count >= end + 7 {
            let size = pair.partial[(end + 3)..<(end + 7)].reduce(0) { $0 << 8 | Int($1) }
            guard pair.partial.count >= end + size + 8 else { break }
            end += size + 8
        }
        defer { pair.partial.removeFirst(end) }
        return sendAll(pair.partial[..<end], to: pair.client)
    }

    private func sendAll(_ bytes: ArraySlice<UInt8>, to target: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let sent = unsafe rest.withUnsafeBytes { unsafe send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }
}

extension Scene {
    /// The scene's configuration, but through a proxy.
    func withProxy(_ body: (FrameProxy, AMQPConfiguration) async throws -> Void) async throws {
        let proxy = try FrameProxy(brokerPort: configuration.port)
        defer { proxy.close() }
        var configuration = configuration
        configuration.host = "127.0.0.1"
        configuration.port = proxy.port
        try await body(proxy, configuration)
    }
}

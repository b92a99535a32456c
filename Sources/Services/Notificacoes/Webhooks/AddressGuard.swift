import Glibc
import NIOCore
import NIOPosix

/// Where webhooks may lead: into the world, not to our own neighbours. Looked up again for each delivery, and the address that was
/// looked at is the one that is connected to: a name that says something else a moment later gains nothing.
package struct AddressGuard: Sendable {
    /// Why an address is none that we call.
    struct Refused: Error, Sendable, Equatable, CustomStringConvertible {
        let description: String
    }

    /// What a webhook's address is made of.
    struct Target: Sendable, Equatable {
        let host: String
        let isEncrypted: Bool
    }

    /// In development, where receivers run beside us and need no certificate.
    private let allowsLoopback: Bool

    package init(allowsLoopback: Bool) {
        self.allowsLoopback = allowsLoopback
    }

    /// Reads an address as far as it can be judged by itself.
    func target(_ url: String) throws(Refused) -> Target {
        guard url.utf8.count <= 2_000, url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else {
            throw Refused(description: "must be an https URL of printable letters")
        }
        let scheme = url.prefix { $0 != ":" }.lowercased()
        guard scheme == "https" || scheme == "http" && allowsLoopback, url.dropFirst(scheme.count).hasPrefix("://") else {
            throw Refused(description: "must be an https URL")
        }
        let authority = url.dropFirst(scheme.count + 3).prefix { !"/?#".contains($0) }
        guard !authority.contains("@") else { throw Refused(description: "must name no user") }
        let host: Substring
        if authority.hasPrefix("[") {
            host = authority.dropFirst().prefix { $0 != "]" }
        } else {
            host = authority.prefix { $0 != ":" }
        }
        let port = authority.dropFirst(authority.hasPrefix("[") ? host.count + 2 : host.count)
        guard !host.isEmpty, host.utf8.count <= 253, port.isEmpty || port.first == ":" && (UInt16(port.dropFirst()) ?? 0) > 0 else {
            throw Refused(description: "must name a host, and a port that is one")
        }
        return Target(host: String(host), isEncrypted: scheme == "https")
    }

    /// The address to connect to.
    ///
    /// - Throws: `Refused` where the host has none, or one of them is not to be called.
    func resolve(_ target: Target) async throws -> String {
        let host = target.host
        // Looking names up blocks.
        let found = try await NIOThreadPool.singleton.runIfActive { Self.addresses(of: host) }
        guard let first = found.first else { throw Refused(description: "the host has no address") }
        for address in found {
            let isLoopback = address.isLoopback
            guard address.isPublic || isLoopback && allowsLoopback else {
                throw Refused(description: "the host is not in the public network")
            }
            guard target.isEncrypted || isLoopback else { throw Refused(description: "must be an https URL") }
        }
        return first.text
    }

    private static func addresses(of host: String) -> [NetworkAddress] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { unsafe freeaddrinfo(list) }
        var found: [NetworkAddress] = []
        // The list ends with nil, and stays until it is freed.
        var next = unsafe list
        while let entry = unsafe next {
            if let address = unsafe NetworkAddress(entry.pointee) { found.append(address) }
            unsafe next = unsafe entry.pointee.ai_next
        }
        return found
    }
}

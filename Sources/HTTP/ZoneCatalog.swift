package import Domain
import Foundation
import Synchronization

/// Time zones by their IANA names, read from the system's tzdata and kept. The domain takes zone rules as values, so
/// that it needs no system and so that rules do not depend on how Foundation was linked.
package final class ZoneCatalog: Sendable {
    /// Why a zone cannot be had.
    package enum Problem: Error, Sendable, Equatable, CustomStringConvertible {
        case unknown(name: String)

        package var description: String {
            switch self {
            case .unknown(let name): "no time zone \(name) in the system's tzdata (Debian package tzdata)"
            }
        }
    }

    private let directory: URL
    private let known = Mutex<[String: ZonaHoraria]>([:])

    /// - Parameter directory: of compiled zone files.
    package init(directory: String = "/usr/share/zoneinfo") {
        self.directory = URL(filePath: directory, directoryHint: .isDirectory)
    }

    /// The rules of a zone such as `America/Sao_Paulo`.
    package func zone(_ name: String) throws(Problem) -> ZonaHoraria {
        if let zone = known.withLock({ $0[name] }) { return zone }
        guard Self.isZoneName(name), let bytes = try? Data(contentsOf: directory.appending(path: name)),
            let zone = try? ZonaHoraria(nome: name, tzif: Array(bytes))
        else { throw .unknown(name: name) }
        known.withLock { $0[name] = zone }
        return zone
    }

    /// Letters, digits and `_+-` in parts joined by `/`: nothing that could lead out of the directory.
    private static func isZoneName(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return name.utf8.count <= 64
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.utf8.allSatisfy { byte in
                        let letter = byte | 0x20
                        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
                            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                            || [UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-")].contains(byte)
                    }
            }
    }
}

import Crypto
import Foundation
import Testing

/// The samples of stored payloads are history: a line of `SHA256SUMS` is added with each and never changed.
@Suite struct SamplesTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Domain/Amostras").standardized

    @Test("Samples of stored events are neither changed nor deleted, and none is unlisted")
    func samples() throws {
        var listed: [String: String] = [:]
        for line in try String(contentsOf: Self.folder.appending(path: "SHA256SUMS"), encoding: .utf8).split(separator: "\n") {
            let parts = line.split(separator: " ")
            try #require(parts.count == 2, "\(line)")
            #expect(listed.updateValue(String(parts[0]), forKey: String(parts[1])) == nil, "\(parts[1]) is listed twice")
        }
        var found: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path) where name != "SHA256SUMS" {
            let digest = SHA256.hash(data: try Data(contentsOf: Self.folder.appending(path: name)))
            found[name] = digest.map { String(format: "%02x", $0) }.joined()
        }
        #expect(!found.isEmpty)
        #expect(found == listed)
    }
}

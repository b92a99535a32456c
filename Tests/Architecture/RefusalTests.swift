import Foundation
import Testing

/// What people are told in one language only is told to half of them.
@Suite struct RefusalTests {
    /// What only programs hear: other systems, and clients that are not written well.
    private static let machinery: Set<String> = [
        "invalid_signature", "signature_expired", "unauthenticated", "forbidden", "not_found", "body_too_large", "unavailable",
        "outcome_unknown", "malformed_request", "invalid_field", "unsupported_media_type", "internal_error", "idempotency_key_reused",
    ]

    /// The codes of problems that are put into words where they are thrown, in English only.
    private static func inEnglishOnly(_ text: String) -> [String] {
        text.matches(of: /(?:Problem|self\.init)\(\s*(?:\.\w+|[\w.]+),\s*code: "(\w+)",\s*detail:/).map { String($0.output.1) }
    }

    @Test("Whatever a service refuses is said in Portuguese and in English, unless only programs hear it")
    func bothLanguages() throws {
        var found: Set<String> = []
        for file in try Project.swiftFiles(under: "Sources/Services", "Sources/HTTP") {
            let codes = Set(Self.inEnglishOnly(file.lines.joined(separator: "\n")))
            #expect(codes.subtracting(Self.machinery).isEmpty, "\(file.path)")
            found.formUnion(codes)
        }
        #expect(found == Self.machinery, "none is excused that is not there")
    }

    @Test(
        "What is in English only is found",
        arguments: [
            (#"Problem(.conflict, code: "a", detail: "A")"#, ["a"]),
            ("Problem(\n    .badGateway,\n    code: \"b\",\n    detail: \"B\"\n)", ["b"]),
            (#"Problem(.conflict, code: "c", portuguese: "C", english: "C")"#, []),
            (#"Problem(status, code: refusal.codigo, detail: text)"#, []),
        ] as [(String, [String])]
    )
    func found(text: String, codes: [String]) {
        #expect(Self.inEnglishOnly(text) == codes)
    }
}

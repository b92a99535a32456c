import Postgres
import Testing

@testable import Projections

@Suite("The character that Postgres cannot store")
struct NULTests {
    @Test(arguments: [
        ("plain", "plain"), ("a\0b", "a\u{FFFD}b"), ("\0", "\u{FFFD}"), ("a\0\u{301}", "a\u{FFFD}\u{301}"),
    ])
    func textKeepsEverythingElse(_ text: String, _ stored: String) {
        #expect(PostgresValue.text(text).withoutNUL == .text(stored))
    }

    @Test(arguments: [
        (#"{"a":"b"}"#, #"{"a":"b"}"#),
        (#"{"a":"x\u0000y"}"#, #"{"a":"x\ufffdy"}"#),
        // An escaped backslash before u0000 is text about the character, not the character.
        (#"{"a":"x\\u0000y"}"#, #"{"a":"x\\u0000y"}"#),
        (#"{"a":"x\\\u0000y\u0000"}"#, #"{"a":"x\\\ufffdy\ufffd"}"#),
        (#"{"a":"\u00001"}"#, #"{"a":"\ufffd1"}"#),
        (#"{"a":"\\"}"#, #"{"a":"\\"}"#),
    ])
    func jsonKeepsEverythingElse(_ json: String, _ stored: String) {
        #expect(PostgresValue.json(PostgresJSON(json)).withoutNUL == .json(PostgresJSON(stored)))
    }
}

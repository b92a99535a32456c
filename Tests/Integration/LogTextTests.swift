import EventStore
import FoundationEssentials
import Synchronization
import Testing

@testable import coworkflow

/// What the commands that look into the log write for people.
@Suite struct LogTextTests {
    private final class Written: Sendable {
        private let parts = Mutex<[String]>([])

        func add(_ part: String) { parts.withLock { $0.append(part) } }

        var all: [String] { parts.withLock { $0 } }
    }

    @Test("Stored JSON is laid out as it is; what is sealed is not shown")
    func sealedStaysSealed() {
        let sealed = "1.01890a5d-ac96-774b-bcce-b302099a0001.\(Data(repeating: 7, count: 40).base64EncodedString())"
        let text = EventText.json(Array(#"{"a":[1.50,{}],"b":"x\"}","c":"\#(sealed)","d":[ ]}"#.utf8), indent: "  ")
        #expect(
            text == """
                  {
                    "a": [
                      1.50,
                      {}
                    ],
                    "b": "x\\"}",
                    "c": (sealed),
                    "d": []
                  }
                """
        )
    }

    @Test("What is no JSON is counted, not shown", arguments: ["", "\u{0}{", "{", "}", "\"a"])
    func noJSON(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(EventText.json(bytes, indent: "") == "(\(bytes.count) bytes that are no JSON)")
    }

    @Test("Progress tells how much of what is done, how fast, and how long it will take")
    func progressLine() {
        #expect(
            ProgressLine.line("log", 250_000, of: 1_000_000, after: .seconds(5))
                == "log: 250,000 of 1,000,000 events (25 %), 50,000 events/s, 15 s left"
        )
        #expect(ProgressLine.line("log", 100, of: 1_000_000, after: .seconds(1)).hasSuffix("100 events/s, 2 h 46 min left"))
        #expect(ProgressLine.line("log", 5, of: 5, after: .seconds(1)) == "log: 5 of 5 events (100 %), 5 events/s")
        #expect(ProgressLine.line("log", 0, of: 0, after: .zero) == "log: 0 of 0 events (100 %), 0 events/s")
    }

    @Test("A terminal gets one line that is written over, anything else a line now and then")
    func progressOnATerminal() {
        let (terminal, file) = (Written(), Written())
        let lines = [
            ProgressLine("log", isTerminal: true, write: { terminal.add($0) }),
            ProgressLine("log", isTerminal: false, write: { file.add($0) }),
        ]
        let start = ContinuousClock.now
        for line in lines {
            for second in 1...12 { line.report(Int64(second), of: 100, now: start + .seconds(second)) }
            line.finish()
        }
        #expect(terminal.all.count == 13)
        #expect(terminal.all.dropLast().allSatisfy { $0.hasPrefix("\r") && !$0.contains("\n") })
        #expect(terminal.all.last?.allSatisfy { $0 == "\r" || $0 == " " } == true)
        #expect(file.all.count == 2)
        #expect(file.all.allSatisfy { $0.hasSuffix("left\n") })
    }
}

import Foundation
import Testing

@testable import SMTP

/// Messages as they are written.
@Suite struct MessageTests {
    private func message(
        subject: String = "Reserva confirmada: Sala Ipê", name: String = "Ana Conceição", text: String = "Olá",
        calendar: MailMessage.Calendar? = nil
    ) -> MailMessage {
        MailMessage(
            id: "0189@example.com", from: .init(name: "CoworkFlow", address: "no-reply@example.com"),
            to: .init(name: name, address: "ana@example.com"), subject: subject, text: text, html: "<p>\(text)</p>", calendar: calendar,
            language: "pt-BR", date: 1_772_452_800
        )
    }

    /// What Python's own parser reads.
    private func read(_ message: MailMessage, _ expression: String) throws -> String {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [
            "-c",
            "import sys, email, email.policy; m = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.default); print(\(expression))",
        ]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(message.bytes()))
        try input.fileHandleForWriting.close()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    @Test("Headers beyond ASCII are read as they were meant")
    func headers() throws {
        let subject = "Reserva confirmada: Sala Ipê, " + String(repeating: "ação 🎉 ", count: 30)
        let message = message(subject: subject)
        #expect(
            try read(message, "m['subject']") == subject.trimmingCharacters(in: .whitespaces) || read(message, "m['subject']") == subject)
        #expect(try read(message, "m['to'].addresses[0].display_name") == "Ana Conceição")
        #expect(try read(message, "m['to'].addresses[0].addr_spec") == "ana@example.com")
        #expect(try read(message, "m['message-id']") == "<0189@example.com>")
        #expect(try read(message, "m['date'].datetime.isoformat()") == "2026-03-02T12:00:00+00:00")
        #expect(try read(message, "len(m.defects)") == "0")
    }

    @Test(
        "Names with quotes and texts that look encoded stay what they are",
        arguments: ["O'Neil \"Ana\" \\ x", "=?UTF-8?B?QQ==?=", "a, b; c"])
    func odd(text: String) throws {
        #expect(try read(message(subject: text, name: text), "m['subject']") == text)
        #expect(try read(message(subject: text, name: text), "m['to'].addresses[0].display_name") == text)
    }

    @Test("Text, HTML and invitation lie side by side, the invitation as a file too")
    func parts() throws {
        let calendar = MailMessage.Calendar(method: "REQUEST", text: "BEGIN:VCALENDAR\r\nSUMMARY:Ipê\r\nEND:VCALENDAR\r\n")
        let message = message(text: String(repeating: "Olá, é longo. ", count: 100), calendar: calendar)
        let types = try read(message, "' '.join(p.get_content_type() for p in m.walk())")
        #expect(types == "multipart/mixed multipart/alternative text/plain text/html text/calendar application/ics")
        #expect(try read(message, "m.get_body(('plain',)).get_content()") == String(repeating: "Olá, é longo. ", count: 100))
        #expect(try read(message, "[p for p in m.walk()][4].get_param('method')") == "REQUEST")
        #expect(try read(message, "'Ipê' in [p for p in m.walk()][4].get_content()") == "True")
        #expect(try read(message, "[p for p in m.walk()][5].get_filename()") == "reserva.ics")
        for line in String(decoding: try message.bytes(), as: UTF8.self).split(separator: "\r\n") {
            #expect(line.utf8.count <= 78, "\(line)")
        }
        #expect(try message.bytes().allSatisfy { $0 < 0x80 })
    }

    @Test("A line break begins no header", arguments: ["a\r\nBcc: x@y.z", "a\nb", "a\rb", "a\u{2028}b", "a\u{85}b", "a\u{0}b"])
    func injection(text: String) throws {
        #expect(throws: MailMessage.Refused(field: "Subject")) { try message(subject: text).bytes() }
        #expect(throws: MailMessage.Refused(field: "To")) { try message(name: text).bytes() }
        let address = MailMessage(
            id: "1@example.com", from: .init(name: "", address: "a@b.c"), to: .init(name: "", address: text), subject: "", text: "",
            language: "en", date: 0
        )
        #expect(throws: MailMessage.Refused(field: "To")) { try address.bytes() }
    }

    @Test("The same message is the same bytes whenever it is written")
    func stable() throws {
        #expect(try message().bytes() == message().bytes())
    }

    @Test("Base64 as everybody writes it")
    func base64() {
        for count in 0..<200 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37) }
            #expect(Base64.text(bytes) == Data(bytes).base64EncodedString())
        }
    }

    @Test(
        "What can be used as a server's address, and what cannot",
        arguments: [
            ("smtp://localhost:2525", true), ("smtps://mail.example.com", true), ("smtp://u:p@[::1]:25", true), ("http://a", false),
            ("smtp://", false), ("smtp://a/b", false), ("smtp://u@a", false), ("smtp://a:0", false), ("smtp://a:99999", false),
            ("smtp://a b", false), ("smtp://u:%zz@a", false),
        ]
    )
    func configuration(url: String, isGood: Bool) {
        #expect(((try? SMTPConfiguration(url: url)) != nil) == isGood)
    }

    @Test("Beyond loopback nothing is sent unencrypted")
    func requiresTLS() throws {
        #expect(try SMTPConfiguration(url: "smtp://mail.example.com").requiresTLS)
        #expect(try !SMTPConfiguration(url: "smtp://127.0.0.1:25").requiresTLS)
        #expect(try !SMTPConfiguration(url: "smtp://[::1]:25").requiresTLS)
    }
}

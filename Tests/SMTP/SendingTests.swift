import TestSupport
import Testing

@testable import SMTP

/// Against a real mail server.
@Suite(.serialized) struct SendingTests {
    private static let message = Array("Subject: a\r\n\r\nol=C3=A1\r\n.\r\nlast\r\n".utf8)

    private func send(_ connection: SMTPConnection, to: String = "ana@example.com") async throws {
        try await connection.send(from: "no-reply@example.com", to: to, Self.message, by: .now + .seconds(20))
    }

    private func error(_ send: () async throws -> Void) async -> SMTPError? {
        do {
            try await send()
            return nil
        } catch {
            return error as? SMTPError
        }
    }

    @Test("Messages arrive as they are, over one connection, and a line with a dot ends none")
    func arrives() async throws {
        let server = try MailServer()
        let connection = SMTPConnection(try SMTPConfiguration(url: "smtp://127.0.0.1:\(server.port)"))
        try await send(connection)
        try await send(connection, to: "bia@example.com")
        #expect(try server.messages() == [String](repeating: String(decoding: Self.message, as: UTF8.self), count: 2))
        #expect(try server.envelope(1).contains(#""from": "no-reply@example.com", "to": ["ana@example.com"], "tls": false"#))
        #expect(try server.envelope(2).contains(#"["bia@example.com"]"#))
    }

    @Test("The server's no is told from its not now, and the next message goes out all the same")
    func refusals() async throws {
        let server = try MailServer()
        let connection = SMTPConnection(try SMTPConfiguration(url: "smtp://127.0.0.1:\(server.port)"))
        for (mode, kind, isTransient) in [
            ("defer", SMTPError.Kind.deferred, true), ("reject", .rejected, false), ("drop", .unreachable, true),
        ] {
            try server.behave(mode)
            let error = await error { try await send(connection) }
            #expect(error?.kind == kind, "\(mode)")
            #expect(error?.isTransient == isTransient, "\(mode)")
        }
        try server.behave("ok")
        try await send(connection)
        #expect(try server.messages().count == 1)
    }

    @Test("A server that says nothing is given up after the time that is set, one that is not there at once")
    func silence() async throws {
        let server = try MailServer()
        try server.behave("hang")
        var configuration = try SMTPConfiguration(url: "smtp://127.0.0.1:\(server.port)")
        configuration.timeout = .milliseconds(500)
        let began = ContinuousClock.now
        #expect(await error { try await send(SMTPConnection(configuration)) }?.kind == .unreachable)
        #expect(began.duration(to: .now) < .seconds(10))
        let nobody = SMTPConnection(try SMTPConfiguration(url: "smtp://127.0.0.1:1"))
        #expect(await error { try await send(nobody) }?.kind == .unreachable)
        let late = await error {
            try await SMTPConnection(configuration).send(from: "a@example.com", to: "b@example.com", Self.message, by: .now - .seconds(1))
        }
        #expect(late?.kind == .unreachable)
    }

    @Test("With STARTTLS and a password; neither a server without encryption nor one that is not known gets anything")
    func secure() async throws {
        let server = try MailServer("--starttls", "--auth", "us:er", "p@ss wörd")
        let url = "smtp://us%3Aer:p%40ss%20w%C3%B6rd@127.0.0.1:\(server.port)"
        var trusting = try SMTPConfiguration(url: url, certificates: server.certificate)
        trusting.requiresTLS = true
        try await send(SMTPConnection(trusting))
        #expect(try server.envelope(1).contains(#""tls": true, "user": "us:er""#))

        var strange = try SMTPConfiguration(url: url)
        strange.requiresTLS = true
        #expect(await error { try await send(SMTPConnection(strange)) }?.kind == .notSecure)

        var wrong = try SMTPConfiguration(url: "smtp://us%3Aer:x@127.0.0.1:\(server.port)", certificates: server.certificate)
        wrong.requiresTLS = true
        #expect(await error { try await send(SMTPConnection(wrong)) }?.kind == .unauthorized)

        let plain = try MailServer()
        var demanding = try SMTPConfiguration(url: "smtp://127.0.0.1:\(plain.port)")
        demanding.requiresTLS = true
        #expect(await error { try await send(SMTPConnection(demanding)) }?.kind == .notSecure)
        #expect(try plain.messages().isEmpty)
    }

    @Test("With TLS from the first byte")
    func implicit() async throws {
        let server = try MailServer("--tls")
        try await send(SMTPConnection(try SMTPConfiguration(url: "smtps://127.0.0.1:\(server.port)", certificates: server.certificate)))
        #expect(try server.envelope(1).contains(#""tls": true"#))
        #expect(
            await error { try await send(SMTPConnection(SMTPConfiguration(url: "smtps://127.0.0.1:\(server.port)"))) }?.kind == .notSecure)
    }

    @Test(
        "An envelope cannot smuggle a command in",
        arguments: ["a@b.c>\r\nRCPT TO:<x@y.z", "a b@c.d", "a@b.c, d@e.f", "", "ação@example.com"])
    func envelope(address: String) async throws {
        let connection = SMTPConnection(try SMTPConfiguration(url: "smtp://127.0.0.1:1"))
        #expect(await error { try await send(connection, to: address) }?.kind == .invalid)
    }
}

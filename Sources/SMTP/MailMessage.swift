/// A message as mail is written (RFC 5322, MIME): text and HTML side by side, and an invitation for calendars with them.
package struct MailMessage: Sendable {
    package struct Mailbox: Sendable, Equatable {
        package let name: String
        /// Plain, `local@domain`.
        package let address: String

        package init(name: String, address: String) {
            self.name = name
            self.address = address
        }
    }

    package struct Calendar: Sendable, Equatable {
        /// `PUBLISH`, `REQUEST` or `CANCEL`, the same as in the text.
        package let method: String
        package let text: String

        package init(method: String, text: String) {
            self.method = method
            self.text = text
        }
    }

    /// A header or an address has a character that would begin another header.
    package struct Refused: Error, Sendable, Equatable {
        package let field: String
    }

    package let id: String
    package let from: Mailbox
    package let to: Mailbox
    package let subject: String
    package let text: String
    package let html: String?
    package let calendar: Calendar?
    /// IETF tag of the language it is written in.
    package let language: String
    /// Seconds since the Unix epoch.
    package let date: Int64

    /// - Parameter id: what stands between the angle brackets of Message-ID: the same for every try to send the same message.
    package init(
        id: String,
        from: Mailbox,
        to: Mailbox,
        subject: String,
        text: String,
        html: String? = nil,
        calendar: Calendar? = nil,
        language: String,
        date: Int64
    ) {
        self.id = id
        self.from = from
        self.to = to
        self.subject = subject
        self.text = text
        self.html = html
        self.calendar = calendar
        self.language = language
        self.date = date
    }

    /// Headers and body, all ASCII, lines of 998 bytes at most ended by CR LF.
    ///
    /// - Throws: `Refused` where a line break or an address that is none would make a header say something else.
    package func bytes() throws(Refused) -> [UInt8] {
        for (field, mailbox) in [("From", from), ("To", to)] {
            guard MailAddress.isPlain(mailbox.address) else { throw Refused(field: field) }
            guard !Self.breaksLine(mailbox.name) else { throw Refused(field: field) }
        }
        guard !Self.breaksLine(subject) else { throw Refused(field: "Subject") }
        guard MailAddress.isPlain(id) else { throw Refused(field: "Message-ID") }
        var lines = [
            "Date: \(MailDate.text(seconds: date))",
            "From: \(Self.header(from))",
            "To: \(Self.header(to))",
            "Message-ID: <\(id)>",
            "Subject: \(EncodedWord.text(subject, after: "Subject: ".utf8.count))",
            "MIME-Version: 1.0",
            "Content-Language: \(language)",
            "Auto-Submitted: auto-generated",
        ]
        lines += body()
        return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
    }

    private static func breaksLine(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F || $0 == "\u{2028}" || $0 == "\u{2029}" || $0 == "\u{85}" }
    }

    private static func header(_ mailbox: Mailbox) -> String {
        guard !mailbox.name.isEmpty else { return "<\(mailbox.address)>" }
        return "\(EncodedWord.phrase(mailbox.name))\r\n <\(mailbox.address)>"
    }

    // MARK: Body

    private func body() -> [String] {
        let alternatives =
            [Self.part("text/plain; charset=utf-8", text)]
            + (html.map { [Self.part("text/html; charset=utf-8", $0)] } ?? [])
            + (calendar.map { [Self.part("text/calendar; charset=utf-8; method=\($0.method)", $0.text)] } ?? [])
        guard let calendar else { return Self.multipart("alternative", alternatives, boundary: boundary("a")) }
        // Some programs look for the invitation among the alternatives, others for a file.
        let file = Self.part(
            "application/ics; name=\"reserva.ics\"", calendar.text, further: ["Content-Disposition: attachment; filename=\"reserva.ics\""]
        )
        return Self.multipart(
            "mixed", [Self.multipart("alternative", alternatives, boundary: boundary("a")), file], boundary: boundary("m")
        )
    }

    /// No line of a part begins with it: parts are base64, which has no underscore and no such letters at the beginning of a line
    /// with two hyphens.
    private func boundary(_ kind: String) -> String {
        "=_\(kind)_\(id.prefix(40).filter { $0.isLetter || $0.isNumber })"
    }

    private static func multipart(_ kind: String, _ parts: [[String]], boundary: String) -> [String] {
        ["Content-Type: multipart/\(kind);", " boundary=\"\(boundary)\"", ""]
            + parts.flatMap { ["--\(boundary)"] + $0 } + ["--\(boundary)--"]
    }

    private static func part(_ type: String, _ text: String, further: [String] = []) -> [String] {
        ["Content-Type: \(type)", "Content-Transfer-Encoding: base64"] + further + [""] + Base64.lines(Array(text.utf8))
    }
}

import Clibcurl

/// One libcurl easy handle, and with it one connection. Not to be used by two threads at once.
///
/// The handle is made here, given to nobody else, and freed with the object.
@safe final class CurlHandle {
    private static let initialised: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    private let pointer: UnsafeMutableRawPointer

    init(_ configuration: SMTPConfiguration) throws(SMTPError) {
        guard Self.initialised, let pointer = unsafe curl_easy_init() else { throw SMTPError(.invalid, reason: "libcurl does not start") }
        unsafe self.pointer = unsafe pointer
        try configure(configuration)
    }

    deinit {
        unsafe curl_easy_cleanup(pointer)
    }

    private func configure(_ configuration: SMTPConfiguration) throws(SMTPError) {
        try set(CURLOPT_URL, configuration.url)
        try set(CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        if let user = configuration.user { try set(CURLOPT_USERNAME, user) }
        if let password = configuration.password { try set(CURLOPT_PASSWORD, password) }
        if configuration.requiresTLS { try set(CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue)) }
        if let certificates = configuration.certificates { try set(CURLOPT_CAINFO, certificates) }
        try set(CURLOPT_TIMEOUT_MS, configuration.timeout.milliseconds)
        try set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.milliseconds)
        // For each reply, the one to QUIT among them, which is waited for outside the time of a message. In seconds.
        try set(CURLOPT_SERVER_RESPONSE_TIMEOUT, max(1, configuration.timeout.milliseconds / 1000))
        // Signals and many threads do not go together.
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_UPLOAD, 1)
    }

    func send(from sender: String, to recipient: String, _ message: [UInt8]) throws(SMTPError) {
        try set(CURLOPT_MAIL_FROM, "<\(sender)>")
        guard let recipients = unsafe curl_slist_append(nil, "<\(recipient)>") else {
            throw SMTPError(.invalid, reason: "out of memory")
        }
        defer { unsafe curl_slist_free_all(recipients) }
        try check(unsafe cw_set_list(pointer, CURLOPT_MAIL_RCPT, recipients))
        // Outlives the call that reads from it.
        let source = MessageSource(message)
        let result = try perform(reading: source)
        guard result != CURLE_OK else { return }
        var reply = 0
        _ = unsafe cw_response_code(pointer, &reply)
        throw Self.error(result, reply: reply)
    }

    private func perform(reading source: MessageSource) throws(SMTPError) -> CURLcode {
        try check(
            unsafe cw_set_reader(pointer) { buffer, size, count, context in
                guard let buffer = unsafe buffer, let context = unsafe context else { return 0 }
                // `perform` keeps the source alive while libcurl may call this.
                let source = unsafe Unmanaged<MessageSource>.fromOpaque(context).takeUnretainedValue()
                return unsafe source.read(into: buffer, at: size * count)
            }
        )
        return try withExtendedLifetime(source) { () throws(SMTPError) in
            try check(unsafe cw_set_pointer(pointer, CURLOPT_READDATA, Unmanaged.passUnretained(source).toOpaque()))
            return unsafe curl_easy_perform(pointer)
        }
    }

    private func set(_ option: CURLoption, _ text: String) throws(SMTPError) {
        // libcurl copies the text.
        try check(unsafe cw_set_text(pointer, option, text))
    }

    private func set(_ option: CURLoption, _ number: Int) throws(SMTPError) {
        try check(unsafe cw_set_long(pointer, option, number))
    }

    private func check(_ code: CURLcode) throws(SMTPError) {
        guard code == CURLE_OK else { throw SMTPError(.invalid, reason: Self.text(code)) }
    }

    private static func error(_ code: CURLcode, reply: Int) -> SMTPError {
        let kind: SMTPError.Kind =
            switch code {
            case CURLE_LOGIN_DENIED: .unauthorized
            case CURLE_USE_SSL_FAILED, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE: .notSecure
            default: reply >= 500 ? .rejected : reply >= 400 ? .deferred : .unreachable
            }
        return SMTPError(kind, reply: reply, reason: text(code))
    }

    private static func text(_ code: CURLcode) -> String {
        unsafe curl_easy_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code.rawValue)"
    }
}

/// The bytes of a message as libcurl asks for them.
private final class MessageSource {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func read(into buffer: UnsafeMutablePointer<CChar>, at most: Int) -> Int {
        let count = min(most, bytes.count - place)
        for index in 0..<count { unsafe buffer[index] = CChar(bitPattern: bytes[place + index]) }
        place += count
        return count
    }
}

extension Duration {
    fileprivate var milliseconds: Int { Int(components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000) }
}

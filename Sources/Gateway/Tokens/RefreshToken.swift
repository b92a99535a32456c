import Crypto

/// What a client brings to get its next access token: 32 random bytes. Only their hash is ever stored.
struct RefreshToken: Sendable, Equatable {
    private let bytes: [UInt8]

    /// A new one.
    init() {
        var generator = SystemRandomNumberGenerator()
        bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// One that a client brought; nil for what cannot be one.
    init?(_ text: String) {
        guard let bytes = Base64URL.decode(text), bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    var text: String { Base64URL.encode(bytes) }

    var hash: [UInt8] { Array(SHA256.hash(data: bytes)) }
}

/// What an encrypted connection needs. Version 1.2 of TLS is the least.
///
/// The broker's certificate must be signed by one of the authorities, be valid now and name the host, always. It must do so as a DNS
/// name: the C library does not compare addresses, so a broker is to be reached by name.
package struct AMQPTLS: Hashable, Sendable {
    /// Path of a PEM file with the certificates of the authorities that are trusted; those of the system (Debian's place) unless told.
    package var authorities = "/etc/ssl/certs/ca-certificates.crt"
    /// Path of a PEM file with our own certificate and those up to its authority, where the broker wants one.
    package var certificate: String?
    /// Path of our certificate's private key, in PEM without a passphrase.
    package var key: String?

    package init() {}
}

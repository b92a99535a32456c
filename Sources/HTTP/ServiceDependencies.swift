import Crypto
package import EventStore

/// What every service's routes are made of.
package struct ServiceDependencies: Sendable {
    package let commands: CommandHandling
    package let reader: LogReader
    package let keyring: Keyring
    package let zones: ZoneCatalog
    package let signer: IdentitySigner

    package init(
        commands: CommandHandling,
        reader: LogReader,
        keyring: Keyring,
        zones: ZoneCatalog,
        signer: IdentitySigner
    ) {
        self.commands = commands
        self.reader = reader
        self.keyring = keyring
        self.zones = zones
        self.signer = signer
    }
}

package import Domain
package import Postgres

/// An error whose description holds nothing that an event says, so that it may be stored and shown.
package protocol PlainlyDescribed: Error, CustomStringConvertible {}

extension ErroDeCodec: PlainlyDescribed {}
extension Keyring.Problem: PlainlyDescribed {}
extension PostgresError: PlainlyDescribed {}

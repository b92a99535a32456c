/// The group roles that the migrations make: what a process may do in the database. A connection takes one with
/// `PostgresConfiguration.with(role:)`.
package enum DatabaseRole: String, Sendable, CaseIterable {
    /// Writes the log.
    case recorder = "coworkflow_recorder"
    /// Reads the log; keeps checkpoints and timers.
    case service = "coworkflow_service"
    /// Reads the log; writes read models.
    case projector = "coworkflow_projector"
    /// Reads read models; keeps refresh tokens.
    case gateway = "coworkflow_gateway"
    /// Reads and writes the keys of personal data.
    case keyring = "coworkflow_keyring"
}

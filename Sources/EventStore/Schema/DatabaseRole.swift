package import Postgres

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

extension PostgresConfiguration {
    /// Connections that act in a role.
    ///
    /// Every statement of ours that is repeated has an index to go by. A plan is kept with the statement that it was made for,
    /// and one that was made while the tables were almost empty would read them whole for as long as the connection lives, so
    /// reading whole tables is made the last resort. Compiling short statements costs more than it could gain, and the prices
    /// that this puts on whole tables would make Postgres do it.
    package func taking(_ role: DatabaseRole) -> PostgresConfiguration {
        var configuration = with(role: role.rawValue)
        configuration.options["enable_seqscan"] = "off"
        configuration.options["jit"] = "off"
        return configuration
    }
}

package import EventStore
package import Logging
package import Postgres

/// The read side of the program: which read models there are, and what keeps them.
package enum Projections {
    /// Where the live read models and their checkpoints lie.
    static let schema = "read"

    /// Every read model.
    package static let models: [any ReadModel] = [
        ContasModel(),
        CatalogoModel(),
        BeneficiosModel(),
        AgendaModel(),
        ReservasModel(),
        PagamentosModel(),
        PresencasModel(),
        NotificacoesModel(),
        RazaoModel(),
        AnalyticsModel(),
    ]

    /// Those that are stored in another definition than this program's, or not at all.
    ///
    /// - Parameter connection: of `configuration`.
    package static func changed(on connection: PostgresConnection) async throws -> [any ReadModel] {
        try await connection.run { connection in
            try models.filter { try LiveModel.find($0, on: connection)?.definition != $0.definition }
        }
    }

    /// How the keepers of read models connect.
    ///
    /// Their commits wait for no disk: rows and checkpoint are lost together if the server dies, and come again from the log.
    package static func configuration(_ base: PostgresConfiguration) -> PostgresConfiguration {
        var configuration = base.taking(.projector)
        configuration.synchronousCommit = "off"
        return configuration
    }

    /// One subscription a read model, each to be run.
    ///
    /// - Parameters:
    ///   - feed: listens to all contexts.
    ///   - pool: connections of `configuration`; one a read model is enough.
    ///   - opener: the keyring.
    package static func subscriptions(
        feed: EventFeed,
        reader: LogReader,
        pool: PostgresPool,
        opener: any SealOpener,
        logger: Logger
    ) -> [Subscription] {
        let turn = RebuildTurn()
        return models.map { model in
            Subscription(
                ProjectionTarget(model, decoded: reader.decoded, opener: opener, pool: pool, turn: turn, logger: logger),
                feed: feed,
                reader: reader,
                logger: logger
            )
        }
    }
}
